// Diagnostics that the client asks for.
#include <functional>

#include "ide/service/features.hpp"

namespace rgtrans::ide {

Rest pull_diagnostics(Service& service, const AgainParams& params) {
  SnapshotPointer snapshot = service.document(params.document);
  return [&service, snapshot, previous = params.previous](const Stop&) -> Json {
    Json items = service.diagnostics(*snapshot, Service::findings(*snapshot));
    // Equal lists have equal names, so that the client need not draw them anew.
    const std::string id =
        std::to_string(std::hash<std::string>()(items.dump(-1, ' ', false, Json::error_handler_t::replace)));
    if (previous == id) return {{"kind", "unchanged"}, {"resultId", id}};
    return {{"kind", "full"}, {"resultId", id}, {"items", std::move(items)}};
  };
}

}  // namespace rgtrans::ide
