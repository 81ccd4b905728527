// The requests about documents; each function answers one request of the protocol.
#pragma once

#include "ide/service/service.hpp"

namespace rgtrans::ide {

// checking.cpp
Rest pull_diagnostics(Service& service, const AgainParams& params);

// navigation.cpp
Json definition(Service& service, const PlaceParams& params);
Json references(Service& service, const ReferenceParams& params);
Json highlights(Service& service, const PlaceParams& params);
Json hover(Service& service, const PlaceParams& params);
Json document_links(Service& service, const DocumentParams& params);

// symbols.cpp
Json document_symbols(Service& service, const DocumentParams& params);
Rest workspace_symbols(Service& service, const QueryParams& params);
Json prepare_calls(Service& service, const PlaceParams& params);
Json incoming_calls(Service& service, const CallParams& params);
Json outgoing_calls(Service& service, const CallParams& params);

// renaming.cpp
Json prepare_rename(Service& service, const PlaceParams& params);
Rest rename(Service& service, const RenameParams& params);

// completion.cpp
Json completion(Service& service, const PlaceParams& params);
Json resolve_completion(Service& service, const Json& params);
Json signature_help(Service& service, const PlaceParams& params);

// colours.cpp
Json token_legend();
Json semantic_tokens(Service& service, const DocumentParams& params);
Json semantic_tokens_range(Service& service, const RangeParams& params);
Json semantic_tokens_delta(Service& service, const AgainParams& params);

// shape.cpp
Json folding_ranges(Service& service, const DocumentParams& params);
Json selection_ranges(Service& service, const PlacesParams& params);
Json inlay_hints(Service& service, const RangeParams& params);

// formatting.cpp
Json format_document(Service& service, const DocumentParams& params);
Json format_range(Service& service, const RangeParams& params);
Json format_on_type(Service& service, const TypingParams& params);

// fixes.cpp
Json code_actions(Service& service, const ActionParams& params);

// commands.cpp
Json code_lenses(Service& service, const DocumentParams& params);
Rest resolve_lens(Service& service, const LensParams& params);
Rest execute_command(Service& service, const CommandParams& params);
std::vector<std::string> command_names();

}  // namespace rgtrans::ide
