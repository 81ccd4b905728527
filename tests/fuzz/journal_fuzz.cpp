// Any bytes are the records and the journal of an earlier run of batch. The readable part is found; a run continues
// from it, and the next run finds the record of this one.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/batch/journal.hpp"
#include "tests/fuzz/folder.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace rgtrans::fuzz {
namespace {

namespace fs = std::filesystem;

void target(std::string_view bytes) {
  static const Folder folder;
  batch::Options options;
  options.output = folder.path();
  const fs::path own = folder.path() / batch::Journal::kFolder;
  fs::remove_all(own);
  fs::create_directories(own);
  const std::size_t half = std::min(bytes.find("\n\n"), bytes.size());
  write_file(own / "records.jsonl", bytes.substr(0, half));
  write_file(own / "journal.jsonl", bytes.substr(half));
  batch::Record record;
  record.output = "mine.rg";
  record.key = "0123";
  record.status = batch::Status::converted;
  {
    batch::Journal journal(options);
    for (const char* output : {"a.rg", "b/c.rg", ""}) {
      const batch::Record* const found = journal.find(output, "key");
      require(found == nullptr || found->output == output, "another game's record is found", output);
    }
    journal.append(record);
    journal.finish();
  }
  std::istringstream lines(read_file(own / "records.jsonl"));
  std::string before;
  for (std::string line; std::getline(lines, line);) {
    const nlohmann::json object = nlohmann::json::parse(line, nullptr, false);
    require(object.is_object(), "a line of the records is no object", line);
    const std::string output = object.at("output");
    require(before.empty() || before < output, "records are not sorted, or there are two of a game",
            before + "\n" + output);
    before = output;
  }
  const batch::Journal again(options);
  const batch::Record* const found = again.find("mine.rg", "0123");
  require(found != nullptr && found->key == "0123", "a record that was written is not found", "");
}

std::string random_records(test::Choices& c) {
  std::string text;
  for (std::size_t i = 1 + c.below(4); i > 0; --i) {
    batch::Record record;
    record.output = c.one_of({"a.rg", "b/c.rg", "mine.rg", ""});
    record.input = "games/" + record.output;
    record.language = c.one_of({"rg", "gdl", ""});
    record.key = c.one_of({"key", "0123", "other"});
    record.status = static_cast<batch::Status>(c.below(batch::kStatuses));
    record.perft.assign(c.below(3), 7);
    record.timeout = static_cast<double>(c.below(100));
    text += batch::line_of(to_json(record, c.chance(2))) + (c.chance(5) ? "\n\n" : "\n");
  }
  return text;
}

const Registration kRegistration("journal", target, {random_records});

}  // namespace
}  // namespace rgtrans::fuzz
