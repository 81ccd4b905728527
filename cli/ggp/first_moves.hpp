// Legal moves before the rules are ground: a thread follows the match on the rules as they stand. It looks at no
// future; what it knows is used only as long as nothing better is ready.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace rgtrans::cli::ggp {

class FirstMoves {
 public:
  FirstMoves(std::string rules, std::string role);
  ~FirstMoves();
  FirstMoves(const FirstMoves&) = delete;
  FirstMoves& operator=(const FirstMoves&) = delete;

  // A step was made: the moves of all roles, in order.
  void made(std::vector<std::string> moves);
  // The legal moves of the present step, as soon as they are known; none if that is not so until then.
  [[nodiscard]] std::vector<std::string> legal(std::chrono::steady_clock::time_point until);
  // Nothing more is asked.
  void stop();

 private:
  void follow(const std::string& rules, const std::string& role);

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::vector<std::string>> steps_;  // made so far
  std::size_t followed_ = 0;                     // of them, when `legal_` was found
  std::optional<std::vector<std::string>> legal_;
  std::atomic<bool> stopped_ = false;
  std::thread thread_;
};

}  // namespace rgtrans::cli::ggp
