// Legal moves before the rules are ground: a thread follows the match by the rules with variables. It does not search,
// and its answers are used only while nothing better is ready.
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
  // Ends the thread; no query follows.
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
