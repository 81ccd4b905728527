// What can be asked about documents; each function answers one request of the protocol.
#pragma once

#include "ide/service/service.hpp"

namespace rgtrans::ide {

Rest pull_diagnostics(Service& service, const Json& params);

Json format_document(Service& service, const Json& params);

}  // namespace rgtrans::ide
