// rgtrans ggp-player: a player that hosts of the Game Manager protocol can ask.
#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

#include "cli/command.hpp"
#include "cli/ggp/http.hpp"
#include "cli/ggp/kif.hpp"
#include "cli/ggp/seat.hpp"
#include "core/support/clock.hpp"

namespace rgtrans::cli {

namespace {

using namespace std::chrono_literals;
using ggp::Kif;

struct GgpPlayerArguments {
  std::string address = "127.0.0.1";
  unsigned port = 9147;
  std::string name = "rgtrans";
  ggp::SeatOptions seat;
  bool no_compile = false;
  unsigned memory_mib = 256;
};

// Messages may come at the same time, so that INFO is answered while a move is thought about.
class GameTable {
 public:
  explicit GameTable(const GgpPlayerArguments& options) : options_(options) {}

  std::string answer(const std::string& text) {
    const auto arrived = Clock::now();
    try {
      const Kif message = ggp::read_kif(text);
      const std::string word = message.items.empty() ? message.keyword() : message.items[0].keyword();
      if (word == "INFO") {
        return fmt::format("( ( name {} ) ( status {} ) ( species alien ) )", options_.name,
                           present() ? "busy" : "available");
      }
      if (word == "PREVIEW") return present() ? "busy" : "ready";
      if (word == "START") return start(message, text, arrived);
      if (word == "PLAY" || word == "STOP" || word == "ABORT") return go_on(word, message, arrived);
      return "unknown";
    } catch (const std::exception& e) {
      fmt::print(stderr, "a message was not understood: {}\n", e.what());
      return "error";
    }
  }

 private:
  std::shared_ptr<ggp::Seat> present() {
    const std::lock_guard lock(mutex_);
    // A host that vanished does not keep the player forever.
    if (seat_ && Clock::now() > forget_) leave(std::exchange(seat_, nullptr));
    return seat_;
  }
  // What a seat still does in the background is not waited for.
  static void leave(std::shared_ptr<ggp::Seat> seat) {
    std::thread([seat = std::move(seat)]() mutable { seat.reset(); }).detach();
  }
  static double number(const Kif& kif) {
    const double value = std::strtod(kif.word.c_str(), nullptr);
    return value > 0 && value < 1e6 ? value : 1;
  }

  std::string start(const Kif& message, const std::string& text, Clock::time_point arrived) {
    if (message.items.size() < 6 || !message.items[3].is_list) throw Error("START lacks something");
    const std::string id = message.items[1].text();
    if (const auto seat = present(); seat && seat->id() != id) return "busy";
    const Kif& rules = message.items[3];
    const double start_clock = number(message.items[4]);
    const double play_clock = number(message.items[5]);
    auto seat = std::make_shared<ggp::Seat>(id, message.items[2].text(),
                                            text.substr(rules.begin + 1, rules.end - rules.begin - 2), play_clock,
                                            options_.seat);
    {
      const std::lock_guard lock(mutex_);
      leave(std::exchange(seat_, seat));
      patience_ = seconds_long(60 + 3 * play_clock);
      forget_ = arrived + patience_ + seconds_long(start_clock);
    }
    // The compiled reasoner is waited for as long as half of the clock lasts.
    const double wait = std::max(start_clock / 2, start_clock - 30);
    seat->wait_ready(arrived + seconds_long(wait));
    return "ready";
  }

  std::string go_on(const std::string& word, const Kif& message, Clock::time_point arrived) {
    if (message.items.size() < 2) throw Error(word + " names no match");
    std::shared_ptr<ggp::Seat> seat = present();
    if (!seat || seat->id() != message.items[1].text()) return seat || word == "PLAY" ? "busy" : "done";
    // The last part is what happened, also in the form that tells the turn and the player's own move before it.
    const Kif last = message.items.size() > 2 ? message.items.back() : Kif{.word = "NIL"};
    {
      const std::lock_guard lock(mutex_);
      forget_ = arrived + patience_;
    }
    if (word == "PLAY") return seat->play(last, arrived);
    {
      const std::lock_guard lock(mutex_);
      if (seat_ == seat) seat_.reset();
    }
    leave(std::move(seat));
    return word == "ABORT" ? "aborted" : "done";
  }

  const GgpPlayerArguments& options_;
  std::mutex mutex_;
  std::shared_ptr<ggp::Seat> seat_;
  Clock::time_point forget_;
  Clock::duration patience_{};
};

int run(GgpPlayerArguments options) {
  if (options.port > 65535) throw UsageError("ports go up to 65535");
  options.seat.compile = !options.no_compile;
  options.seat.threads = workers(options.seat.threads);
  options.seat.tree.memory = std::uint64_t{options.memory_mib} << 20U;
  GameTable table(options);
  ggp::Server server(options.address, static_cast<std::uint16_t>(options.port),
                     [&](const std::string& message) { return table.answer(message); });
  fmt::print("listening on {}:{}\n", options.address, server.port());
  std::fflush(stdout);
  server.run();
  return kSuccess;
}

}  // namespace

const Command kGgpPlayer = {
    "ggp-player", "play for hosts that speak the Game Manager protocol", "rgtrans ggp-player --port 9147",
    [](OptionSet& app) -> std::function<int()> {
      auto options = std::make_shared<GgpPlayerArguments>();
      app.add_option("--port", options->port, "where to listen; 0 takes any free one")
          ->capture_default_str()
          ->type_name("PORT");
      app.add_option("--address", options->address, "0.0.0.0 lets other machines connect")
          ->capture_default_str()
          ->type_name("IP");
      app.add_option("--name", options->name, "told to hosts")->capture_default_str()->type_name("NAME");
      app.add_option("--margin", options->seat.margin, "answer so many seconds before the clock runs out")
          ->between(0.0, 1e6)
          ->capture_default_str()
          ->type_name("S");
      add_jobs(app, options->seat.threads, "threads that think");
      app.add_option("--memory", options->memory_mib, "for the tree")
          ->between(1U, 1U << 24U)
          ->capture_default_str()
          ->type_name("MiB");
      add_seed(app, options->seat.seed, "of random choices");
      app.add_flag("--no-compile", options->no_compile, "think on the propositional network only");
      return [options] { return run(*options); };
    }};

}  // namespace rgtrans::cli
