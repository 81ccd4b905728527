// rgtrans schema: the JSON Schema of the output of --to json.
#include "backends/json/json.hpp"
#include "cli/command.hpp"

namespace rgtrans::cli {

const Command kSchema = {"schema", "print the JSON Schema of --to json", "rgtrans schema > rg.schema.json",
                         [](OptionSet&) -> std::function<int()> {
                           return [] {
                             write_file("-", json::schema() + "\n");
                             return kSuccess;
                           };
                         }};

}  // namespace rgtrans::cli
