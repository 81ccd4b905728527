// The memory of an output folder, in OUT/.rgtrans-batch. Records of inputs and outputs let an interrupted run continue,
// and a lock keeps two runs from working on one folder.
//
//   lock                   held during a run (by the shards of one run together)
//   records.jsonl          one record a line, sorted; written as a whole when a run ends
//   journal.jsonl          additions of the present run, a line as soon as a game is done
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

  // The record of an output by an earlier run (also of another shard), if possible with this key; else null.
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
