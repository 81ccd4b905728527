#include "frontends/gdl/gdl.hpp"
