// What can be asked about documents; each function answers one request of the protocol.
#pragma once

#include "ide/service/service.hpp"

namespace rgtrans::ide {

// checking.cpp
Rest pull_diagnostics(Service& service, const Json& params);

// navigation.cpp
Json definition(Service& service, const Json& params);
Json references(Service& service, const Json& params);
Json highlights(Service& service, const Json& params);
Json hover(Service& service, const Json& params);
Json document_links(Service& service, const Json& params);

// symbols.cpp
Json document_symbols(Service& service, const Json& params);
Rest workspace_symbols(Service& service, const Json& params);
Json prepare_calls(Service& service, const Json& params);
Json incoming_calls(Service& service, const Json& params);
Json outgoing_calls(Service& service, const Json& params);

// renaming.cpp
Json prepare_rename(Service& service, const Json& params);
Rest rename(Service& service, const Json& params);

// completion.cpp
Json completion(Service& service, const Json& params);
Json resolve_completion(Service& service, const Json& params);
Json signature_help(Service& service, const Json& params);

// colours.cpp
Json token_legend();
Json semantic_tokens(Service& service, const Json& params);
Json semantic_tokens_range(Service& service, const Json& params);
Json semantic_tokens_delta(Service& service, const Json& params);

// shape.cpp
Json folding_ranges(Service& service, const Json& params);
Json selection_ranges(Service& service, const Json& params);
Json inlay_hints(Service& service, const Json& params);

// formatting.cpp
Json format_document(Service& service, const Json& params);
Json format_range(Service& service, const Json& params);
Json format_on_type(Service& service, const Json& params);

// fixes.cpp
Json code_actions(Service& service, const Json& params);

// commands.cpp
Json code_lenses(Service& service, const Json& params);
Rest resolve_lens(Service& service, const Json& params);
Rest execute_command(Service& service, const Json& params);
std::vector<std::string_view> command_names();

}  // namespace rgtrans::ide
