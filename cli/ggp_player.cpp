// rgtrans ggp-player: a player that hosts of the Game Manager protocol can ask.
#include <fmt/format.h>

#include <algorithm>
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
#include "core/support/text.hpp"

namespace rgtrans::cli {

namespace {

using ggp::Kif;

struct GgpPlayerArguments {
  std::string address = "127.0.0.1";
  unsigned port = 9147;
  std::string name = "rgtrans";
  ggp::SeatOptions seat;
  std::string search;
  bool no_compile = false;
  bool no_ponder = false;
  bool web_pages = false;
  unsigned memory_mib = 256;
  double patience = 60;
};

// A description that is prepared takes up to 80 times the memory of its text.
constexpr std::uint64_t kMemoryOfText = 80;
constexpr std::uint64_t kLeastMessage = std::uint64_t{1} << 20U;  // ten times the largest description in use

void log_line(const std::string& line) { fmt::print(stderr, "{}\n", printable(line)); }

// Messages may come at the same time, so that INFO is answered while a move is thought about.
class GameTable {
 public:
  explicit GameTable(const GgpPlayerArguments& options) : options_(options) {}

  std::string answer(const ggp::Received& received) {
    const auto arrived = Clock::now();
    const std::string& text = received.message;
    try {
      const Kif message = ggp::read_kif(text);
      const std::string word = message.items.empty() ? message.keyword() : message.items[0].keyword();
      if (word == "INFO") {
        return fmt::format("( ( name {} ) ( status {} ) ( species alien ) )", options_.name,
                           present() ? "busy" : "available");
      }
      if (word == "PREVIEW") return present() ? "busy" : "ready";
      if (word == "START") return start(message, received, arrived);
      if (word == "PLAY" || word == "STOP" || word == "ABORT") return go_on(word, message, received.from, arrived);
      refused(received.from, "there is no message " + word.substr(0, kMostShown));
      return "unknown";
    } catch (const std::exception& e) {
      refused(received.from, std::string("the message was not understood: ") + e.what());
      return "error";
    }
  }

 private:
  static constexpr std::size_t kMostShown = 40;

  // A match and the host that began it, by its address.
  struct Match {
    std::shared_ptr<ggp::Seat> seat;
    std::string host;
    double play_clock = 0;
    Clock::time_point forget;  // when nobody continues it until then
    explicit operator bool() const { return seat != nullptr; }
    [[nodiscard]] bool is(const std::string& id, const std::string& from) const {
      return seat && seat->id() == id && host == from;
    }
  };

  static std::string refused(const std::string& from, const std::string& why, std::string answer = "busy") {
    log_line(fmt::format("refused a message of {}: {}", from, why));
    return answer;
  }

  Match present() {
    const std::lock_guard lock(mutex_);
    // A host that vanished does not keep the player.
    if (match_ && Clock::now() > match_.forget) {
      log_line(fmt::format("match {} of {} is left: nobody continues it", match_.seat->id(), match_.host));
      leave(std::exchange(match_, {}).seat);
    }
    return match_;
  }
  // Does not wait for the background work of a seat.
  static void leave(std::shared_ptr<ggp::Seat> seat) {
    std::thread([seat = std::move(seat)]() mutable { seat.reset(); }).detach();
  }
  // Longer clocks count as this one: no host may keep the player busy for days.
  static double number(const Kif& kif) {
    constexpr double kMaxClock = 3600;
    const double value = std::strtod(kif.word.c_str(), nullptr);
    return value > 0 ? std::min(value, kMaxClock) : 1;
  }

  std::string start(const Kif& message, const ggp::Received& received, Clock::time_point arrived) {
    if (message.items.size() < 6 || !message.items[3].is_list) throw Error("START lacks something");
    const std::string id = message.items[1].text();
    if (const Match match = present(); match && !match.is(id, received.from))
      return refused(received.from,
                     fmt::format("START {} while match {} of {} goes on", id, match.seat->id(), match.host));
    const Kif& rules = message.items[3];
    const double start_clock = number(message.items[4]);
    const double play_clock = number(message.items[5]);
    log_line(fmt::format("match {} of {}: role {}, {:g} s to prepare, {:g} s for a move", id, received.from,
                         message.items[2].text(), start_clock, play_clock));
    auto seat = std::make_shared<ggp::Seat>(id, message.items[2].text(),
                                            received.message.substr(rules.begin + 1, rules.end - rules.begin - 2),
                                            play_clock, options_.seat);
    {
      const std::lock_guard lock(mutex_);
      if (match_ && !match_.is(id, received.from)) return refused(received.from, "another START was faster");
      leave(std::exchange(match_,
                          {seat, received.from, play_clock, arrived + seconds_long(start_clock + options_.patience)})
                .seat);
    }
    // Without thinking ahead, the compiled reasoner is waited for as long as half of the clock lasts.
    const double half = std::max(start_clock / 2, start_clock - 30);
    const double last = std::max(half, start_clock - std::max(1.0, options_.seat.margin));
    const double wait = options_.seat.ponder ? last : half;
    seat->wait_ready(arrived + seconds_long(wait), arrived + seconds_long(last));
    seat->think_ahead(arrived + seconds_long(last));
    return "ready";
  }

  std::string go_on(const std::string& word, const Kif& message, const std::string& from, Clock::time_point arrived) {
    if (message.items.size() < 2) throw Error(word + " names no match");
    const std::string id = message.items[1].text();
    present();
    std::shared_ptr<ggp::Seat> seat;
    {
      const std::lock_guard lock(mutex_);
      if (!match_.is(id, from)) {
        const std::string why = match_ ? fmt::format("match {} of {} goes on", match_.seat->id(), match_.host)
                                       : std::string("there is no match");
        return refused(from, fmt::format("{} {}: {}", word, id, why), match_ || word == "PLAY" ? "busy" : "done");
      }
      seat = match_.seat;
      match_.forget = arrived + seconds_long(match_.play_clock + options_.patience);
      if (word != "PLAY") match_ = {};
    }
    // The last part has the moves of the step, also in the form with the turn and the player's own move before them.
    const Kif last = message.items.size() > 2 ? message.items.back() : Kif{.word = "NIL"};
    if (word == "PLAY") return seat->play(last, arrived);
    log_line(fmt::format("match {} of {}: {} {}", id, from, word, last.text()));
    leave(std::move(seat));
    return word == "ABORT" ? "aborted" : "done";
  }

  const GgpPlayerArguments& options_;
  std::mutex mutex_;
  Match match_;
};

int run(GgpPlayerArguments options) {
  if (options.port > 65535) throw UsageError("ports go up to 65535");
  options.seat.compile = !options.no_compile;
  options.seat.ponder = !options.no_ponder;
  options.seat.threads = workers(options.seat.threads);
  options.seat.tree.memory = std::uint64_t{options.memory_mib} << 20U;
  options.seat.log = log_line;
  search::Budget budget{.threads = options.seat.threads};
  search::set_tree_options(options.search, options.seat.tree, budget);
  options.seat.threads = budget.threads;
  GameTable table(options);
  ggp::Server server(options.address, static_cast<std::uint16_t>(options.port),
                     [&](const ggp::Received& received) { return table.answer(received); },
                     {log_line, options.web_pages, std::max(kLeastMessage, options.seat.tree.memory / kMemoryOfText)});
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
      app.add_option("--port", options->port, "port to listen on; 0 takes any free one")
          ->capture_default_str()
          ->type_name("PORT");
      app.add_option("--address", options->address, "0.0.0.0 lets other machines connect")
          ->capture_default_str()
          ->type_name("IP");
      app.add_option("--name", options->name, "told to hosts")->capture_default_str()->type_name("NAME");
      app.add_option("--margin", options->seat.margin, "answer so many seconds before the clock ends")
          ->between(0.0, 1e6)
          ->capture_default_str()
          ->type_name("S");
      add_jobs(app, options->seat.threads, "threads that think");
      app.add_option("--memory", options->memory_mib, "memory for the tree, and for the ground description")
          ->between(1U, 1U << 24U)
          ->capture_default_str()
          ->type_name("MiB");
      add_seed(app, options->seat.seed, "of random choices");
      app.add_option("--search", options->search, "options of the tree search, as after mcts: in match")
          ->type_name("NAME=N,…");
      app.add_option("--patience", options->patience,
                     "leave a match that its host does not continue so many seconds after the clock")
          ->between(0.0, 1e6)
          ->capture_default_str()
          ->type_name("S");
      app.add_flag("--web-pages", options->web_pages, "let web pages of any origin send messages and read the answers");
      app.add_flag("--no-compile", options->no_compile, "search on the propositional network only");
      app.add_flag("--no-ponder", options->no_ponder, "think only when the host asks");
      return [options] { return run(*options); };
    }};

}  // namespace rgtrans::cli
