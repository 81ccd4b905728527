// The headers that are precompiled for the test programs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cmake/precompiled.hpp"
