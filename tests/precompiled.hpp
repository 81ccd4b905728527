// What is precompiled for the test programs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cmake/precompiled.hpp"
