// The memory of an output folder, in OUT/.rgtrans-batch: what was made of which input, so that an interrupted run can
// go on, and a lock, so that two runs do not work on one folder.
//
//   lock                   held while a run is going on (by shards of one run together)
//   records.jsonl          one record a line, sorted; written as a whole when a run ends
//   journal.jsonl          what the present run adds, a line as soon as a game is done
//   staging/, spool/       results before they are moved to their place; games unpacked from archives
//
// Shard i of n keeps its own in shard-i-of-n/.
#pragma once

#include <filesystem>
#include <string>
#include <unordered_map>
#include <vector>

#include "cli/batch/batch.hpp"
#include "cli/batch/record.hpp"

namespace rgtrans::batch {

class Journal {
 public:
  // Creates what is missing, takes the lock, cleans up what a killed run left. Throws Error when another run is at
  // work.
  explicit Journal(const Options& options);
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  // What an earlier run (also of another shard) knows about an output, if possible with this key; null for nothing.
  [[nodiscard]] const Record* find(const std::string& output, const std::string& key) const;
  void append(const Record& record);
  // Everything known becomes the sorted records.jsonl.
  void finish();

  [[nodiscard]] const std::filesystem::path& staging() const { return staging_; }
  [[nodiscard]] const std::filesystem::path& spool() const { return spool_; }
  static constexpr const char* kFolder = ".rgtrans-batch";

 private:
  void lock(const std::filesystem::path& file, bool shared);
  void read(const std::filesystem::path& file, std::unordered_map<std::string, Record>& records);
  void read_other_shards(const std::filesystem::path& top);

  std::filesystem::path folder_, staging_, spool_;
  std::vector<int> locks_;
  int file_ = -1;
  std::unordered_map<std::string, Record> own_, others_;
};

}  // namespace rgtrans::batch
