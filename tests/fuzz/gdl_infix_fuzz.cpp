// Any text is read as GDL, with seeds and a dictionary of the infix notation.
#include "tests/fuzz/gdl.hpp"

namespace rgtrans::fuzz {
namespace {

const Registration kRegistration("gdl_infix", read_gdl);

}  // namespace
}  // namespace rgtrans::fuzz
