// What must happen when this process is ended in the middle of its work, however that comes about: a signal, kill -9,
// or no memory left. A process that is killed can do nothing any more, so a second one waits for that.
#pragma once

#include <sys/types.h>

#include <filesystem>

namespace rgtrans::cpp {

// While one exists: should this process end, all processes of group() are ended and the folder is removed. The folder
// stays when the janitor itself is destroyed. Does nothing where no process can be started.
class Janitor {
 public:
  explicit Janitor(const std::filesystem::path& folder);
  ~Janitor();
  Janitor(const Janitor&) = delete;
  Janitor& operator=(const Janitor&) = delete;

  // A process group of its own; 0 when there is none.
  [[nodiscard]] pid_t group() const { return process_; }

 private:
  pid_t process_ = 0;
  int alive_ = -1;  // the end of a socket that closes when this process ends
};

}  // namespace rgtrans::cpp
