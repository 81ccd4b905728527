// The surroundings of a workbench on a computer: a folder, and the compiler.
#pragma once

#include <memory>

#include "ide/desk/shelf.hpp"
#include "ide/workbench/workbench.hpp"

namespace rgtrans::ide {

std::shared_ptr<const Host> machine(Shelf shelf = {});

}  // namespace rgtrans::ide
