// Legal moves are known at once from the rules as they stand. The rules are ground: from then on the network is
// searched. Meanwhile the description is lowered, optimized and compiled; where every step has one decider, the
// compiled reasoner takes over at the next move. Other games are searched on the network by information sets, of which
// joint moves are the simple case.
#include "cli/ggp/seat.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "backends/cpp/cpp.hpp"
#include "core/support/progress.hpp"
#include "core/support/support.hpp"

namespace rgtrans::cli::ggp {

namespace {

constexpr std::size_t kPossible = 200;  // states of a sample
constexpr std::size_t kTries = 20'000;  // to find them

// The result of a search, for the log: simulations, value, the best line.
std::string told(const search::TreeReport& report, const Reasoner& from,
                 const std::function<std::string(const std::string&)>& term) {
  std::string out = fmt::format("{} simulations, {} nodes", report.simulations, report.nodes);
  const std::unique_ptr<Reasoner> play = from.clone();
  const std::size_t mover = play->mover();
  if (mover < report.values.size())
    out += fmt::format(", {} {:.1f}", report.proven ? "proven" : "value", report.values[mover]);
  constexpr std::size_t kMostShown = 6;
  std::string line;
  for (std::size_t i = 0; i < std::min(report.line.size(), kMostShown); ++i) {
    search::run_keeper(*play);
    if (report.line[i] >= play->move_count()) break;
    line += " " + term(play->move_text(report.line[i]));
    play->apply(report.line[i]);
  }
  return line.empty() ? out : out + ", line" + line;
}

// The mistake without the text around it, which is one line of the whole description here.
std::string brief(const std::exception& problem) {
  if (const auto* error = dynamic_cast<const Error*>(&problem)) {
    for (const Diagnostic& diagnostic : error->diagnostics()) {
      if (diagnostic.severity == Severity::error) return diagnostic.message;
    }
  }
  return problem.what();
}

// The items of a list; NIL is none.
std::vector<Kif> items_of(const Kif& kif) {
  if (kif.is_list) return kif.items;
  return kif.keyword() == "NIL" ? std::vector<Kif>() : std::vector<Kif>{kif};
}

}  // namespace

Seat::Seat(std::string id, std::string role, std::string rules, double play_clock, const SeatOptions& options)
    : id_(std::move(id)),
      role_name_(std::move(role)),
      play_clock_(play_clock),
      options_(options),
      random_(options.seed),
      first_moves_(rules, role_name_),
      translator_([this, text = rules] { translate(text); }),
      background_([this, text = std::move(rules)] { prepare(text); }) {}

Seat::~Seat() {
  pondering_.stop();
  {
    const std::lock_guard lock(ready_mutex_);
    closed_ = true;
  }
  ready_changed_.notify_all();
  translator_.join();
  background_.join();
}

void Seat::log(const std::string& what) const {
  if (options_.log) options_.log(fmt::format("match {}, {}: {}", id_, role_name_, what));
}

namespace {

// Thrown in the background when the match is over.
struct Over {};

}  // namespace

std::function<void()> Seat::while_open() const {
  return [this] {
    if (closed_) throw Over();
  };
}

void Seat::prepare(const std::string& text) {
  const WhileWanted asking(while_open());
  try {
    gdl::GroundOptions ground;
    ground.cone = true;
    ground.max_memory = std::min(ground.max_memory, options_.tree.memory);
    auto rules = std::make_shared<const MatchRules>(text, ground);
    const bool plain = !rules->hidden();
    {
      const std::lock_guard lock(ready_mutex_);
      rules_ = rules;
      building_ = plain && options_.compile;
    }
    ready_changed_.notify_all();
    if (plain && options_.compile) compile(text, rules);
  } catch (const Over&) {
  } catch (const cpp::Stopped&) {
  } catch (const std::exception& e) {
    // Without a compiler, say, the match goes on as it began.
    const std::lock_guard lock(ready_mutex_);
    if (!rules_) failure_ = std::make_shared<const std::string>(brief(e));
    log((rules_ ? "the rules are not compiled: " : "the rules are not ground: ") + brief(e));
  }
  {
    const std::lock_guard lock(ready_mutex_);
    building_ = false;
  }
  ready_changed_.notify_all();
}

void Seat::compile(const std::string& text, const std::shared_ptr<const MatchRules>& rules) {
  auto compiled = std::make_shared<const CompiledMatch>(text, rules, [this] { return closed_.load(); });
  auto tree = search::make_tree(compiled->engine(), options_.tree, options_.seed);
  const std::lock_guard lock(ready_mutex_);
  compiled_ = std::move(compiled);
  compiled_tree_ = std::move(tree);
}

void Seat::translate(const std::string& text) {
  const WhileWanted asking(while_open());
  try {
    auto translated = std::make_shared<Translated>(text);
    {
      const std::lock_guard lock(ready_mutex_);
      translated_ = translated;
      translating_ = false;
    }
    ready_changed_.notify_all();
    compile_translated(translated);
  } catch (const Over&) {
  } catch (const cpp::Stopped&) {
  } catch (const std::exception& e) {
    log(fmt::format("the translated game is not used: {}", brief(e)));
  }
  {
    const std::lock_guard lock(ready_mutex_);
    translating_ = false;
  }
  ready_changed_.notify_all();
}

void Seat::compile_translated(const std::shared_ptr<Translated>& translated) {
  if (!options_.compile) return;
  {
    std::unique_lock lock(ready_mutex_);
    ready_changed_.wait(lock, [&] { return closed_ || rules_ || failure_; });
    if (closed_ || rules_) return;
  }
  cpp::BuildOptions build;
  build.generate.search = true;
  build.stop = [this] { return closed_.load(); };
  std::unique_ptr<Reasoner> engine = cpp::make_cpp_reasoner(translated->game(), build);
  const std::lock_guard lock(ready_mutex_);
  faster_ = std::move(engine);
}

// Nothing better comes in time, or it is there.
bool Seat::settled() const {
  if (rules_) return rules_->role_count() == 1 ? !translating_ : !building_;
  return failure_ && !translating_;
}

void Seat::wait_ready(Clock::time_point until, Clock::time_point last) {
  std::unique_lock lock(ready_mutex_);
  ready_changed_.wait_until(lock, until, [&] { return settled(); });
  ready_changed_.wait_until(lock, last, [&] { return rules_ || translated_ || (failure_ && !translating_); });
}

std::string Seat::play(const Kif& last, Clock::time_point arrived) {
  const std::lock_guard lock(mutex_);
  pondering_.stop();
  const auto until = arrived + seconds_long(std::max(play_clock_ - options_.margin, play_clock_ / 4));
  thoughts_.clear();
  bool ground = machine_ != nullptr;
  if (!ground) {
    if (const std::vector<Kif> items = items_of(last); last.is_list || !items.empty()) {
      std::vector<std::string> moves;
      for (const Kif& item : items) moves.push_back(item.text());
      first_moves_.made(std::move(moves));
    }
    std::unique_lock ready(ready_mutex_);
    ready_changed_.wait_until(ready, until, [&] { return rules_ || translated_ || (failure_ && !translating_); });
    ground = rules_ != nullptr;
  }
  std::string answer;
  if (!ground) {
    answer = wait_and_see(last, until);
    waiting_answers_.push_back(answer);
  } else {
    first_moves_.stop();
    follow(last);
    answer = think(until);
  }
  log(fmt::format("answer {}: {} after {:.2f} of {:g} s; {}", ++answers_, answer, seconds_since(arrived), play_clock_,
                  thoughts_.empty() ? "the only move" : thoughts_));
  // The next question comes at the latest when the others' clocks have run out.
  constexpr double kGrace = 10;
  ponder(until + seconds_long(play_clock_ + kGrace), answer);
  return answer;
}

std::string Seat::wait_and_see(const Kif& last, Clock::time_point until) {
  waiting_.push_back(last);
  if (const auto answer = think_translated(until)) return *answer;
  thoughts_ = "at random, the rules are not ready";
  // A failure to ground the rules comes early; a player that continues without them has the whole clock.
  const std::vector<std::string> legal = first_moves_.legal(until);
  return legal.empty() ? "NIL" : legal[random_.below(static_cast<std::uint32_t>(legal.size()))];
}

std::optional<std::string> Seat::think_translated(Clock::time_point until) {
  std::shared_ptr<Translated> game;
  std::unique_ptr<Reasoner> faster;
  {
    const std::lock_guard lock(ready_mutex_);
    game = translated_;
    faster = std::move(faster_);
  }
  if (!game) return std::nullopt;
  first_moves_.stop();
  try {
    if (faster) {
      game->use(std::move(faster));
      translated_tree_ = nullptr;
    }
    for (; translated_steps_ < waiting_.size(); ++translated_steps_) {
      std::vector<std::string> joint;
      for (const Kif& item : items_of(waiting_[translated_steps_])) joint.push_back(item.text());
      if (!joint.empty()) game->step(joint);
    }
    const auto role = game->find_role(role_name_);
    if (!role) return std::nullopt;
    const Translated::Decision decision = game->decide(*role);
    if (decision.moves.empty()) return std::nullopt;
    if (decision.moves.size() == 1) return decision.moves[0];
    std::string answer = decision.moves[random_.below(static_cast<std::uint32_t>(decision.moves.size()))];
    thoughts_ = "translated game, at random";
    const double seconds = seconds_until(until);
    if (!decision.alone || seconds <= 0) return answer;
    if (!translated_tree_) translated_tree_ = search::make_tree(*decision.position, options_.tree, options_.seed);
    const search::TreeReport report =
        translated_tree_->run(*decision.position, {.seconds = seconds, .threads = options_.threads});
    if (report.simulations > 0 || report.proven) answer = decision.moves[search::best_move(report)];
    thoughts_ = "translated game, " +
                told(report, *decision.position, [&](const std::string& move) { return game->term(move); });
    return answer;
  } catch (const std::exception& e) {
    log(e.what());
    const std::lock_guard lock(ready_mutex_);
    translated_ = nullptr;  // it cannot be followed
    return std::nullopt;
  }
}

void Seat::follow(const Kif& last) {
  if (!machine_) {
    machine_ = std::make_unique<gdl::NetworkMachine>(rules_->program(), rules_->network());
    role_ = rules_->find_role(role_name_).value_or(0);
    possible_ = {machine_->initial()};
    joint_ = std::make_unique<JointReasoner>(*rules_);
    if (rules_->role_count() == 1) puzzle_.emplace();
    if (rules_->hidden()) {
      information_ = std::make_unique<search::InformationSearch>(*joint_, options_.tree, options_.seed);
    } else {
      tree_ = search::make_tree(*joint_, options_.tree, options_.seed);
    }
    for (std::size_t i = 0; i < waiting_.size(); ++i) {
      follow_step(waiting_[i]);
      answered_ = rules_->find_move(role_, waiting_answers_[i]);
    }
  }
  follow_step(last);
}

void Seat::follow_step(const Kif& last) {
  const std::vector<Kif> items = items_of(last);
  if (!last.is_list && items.empty()) return;  // NIL: the beginning
  // Percepts can be as many as there are roles, so the description decides which of them these are.
  if (rules_->sees() || !follow_joint(items)) {
    if (rules_->program().imperfect) {
      follow_percepts(items);
    } else {
      lost_ = true;
    }
  }
}

bool Seat::follow_joint(const std::vector<Kif>& moves) {
  if (moves.size() != rules_->role_count()) return false;
  std::vector<std::uint32_t> joint, legal;
  machine_->set_state(possible_.front());
  if (machine_->terminal()) return false;
  for (std::uint32_t r = 0; r < moves.size(); ++r) {
    joint.push_back(rules_->find_move(r, moves[r].text()));
    machine_->legal(r, legal);
    if (std::ranges::find(legal, joint.back()) == legal.end()) return false;
  }
  possible_ = {machine_->successor(joint)};
  played_.push_back(joint);
  return true;
}

// The states that fit the percepts when the others moved at random.
void Seat::follow_percepts(const std::vector<Kif>& percepts) {
  std::vector<std::string> seen;
  for (const Kif& percept : percepts) seen.push_back(percept.text());
  std::ranges::sort(seen);
  std::vector<gdl::NetworkMachine::State> next;
  std::vector<std::uint32_t> joint(rules_->role_count()), legal;
  const auto until = Clock::now() + std::chrono::duration<double>(play_clock_ / 10);
  for (std::size_t tries = 0; tries < kTries && next.size() < kPossible && Clock::now() < until; ++tries) {
    machine_->set_state(possible_[random_.below(static_cast<std::uint32_t>(possible_.size()))]);
    if (machine_->terminal()) continue;
    bool fits = true;
    for (std::uint32_t r = 0; r < joint.size(); ++r) {
      machine_->legal(r, legal);
      fits = fits && !legal.empty();
      if (fits) joint[r] = legal[random_.below(static_cast<std::uint32_t>(legal.size()))];
      if (r != role_ || answered_ == kNone) continue;
      fits = fits && std::ranges::find(legal, answered_) != legal.end();
      joint[r] = answered_;
    }
    if (!fits) continue;
    std::vector<std::string> shown = machine_->percepts(joint, role_);
    std::ranges::sort(shown);
    if (shown != seen) continue;
    next.push_back(machine_->successor(joint));
  }
  lost_ = lost_ || next.empty();
  if (!next.empty()) possible_ = std::move(next);
}

std::string Seat::think(Clock::time_point until) {
  machine_->set_state(possible_.front());
  std::vector<std::uint32_t> legal;
  if (!machine_->terminal()) machine_->legal(role_, legal);
  if (legal.empty()) return "NIL";
  answered_ = legal[random_.below(static_cast<std::uint32_t>(legal.size()))];
  if (legal.size() > 1) {
    // A move is ready. The search below improves it, and reads the clock after every few moves of a simulation.
    std::vector<std::string> moves;
    for (const std::uint32_t move : legal) moves.push_back(rules_->move_text(move));
    try {
      solve_puzzle(seconds_until(until) / 2, {});
      if (const std::string* const best = puzzle_ ? puzzle_->next(played_texts()) : nullptr; best != nullptr) {
        answered_ = rules_->find_move(role_, *best);
        thoughts_ = fmt::format("solved, value {:.1f}", puzzle_->value());
      } else if (const std::optional<std::string> fast = think_compiled(seconds_until(until))) {
        const std::uint32_t found = rules_->find_move(role_, *fast);
        if (std::ranges::find(legal, found) != legal.end()) answered_ = found;
      } else {
        const search::TreeReport report = search_joint(moves, seconds_until(until));
        if (report.simulations > 0 || report.proven) answered_ = legal[search::best_move(report)];
      }
    } catch (const std::exception& e) {
      log(e.what());
    }
  }
  return rules_->move_text(answered_);
}

search::TreeReport Seat::search_joint(const std::vector<std::string>& moves, double seconds) {
  if (seconds <= 0) return {};
  const search::Budget budget{.seconds = seconds, .threads = options_.threads};
  if (!information_) {
    joint_->set_state(possible_.front());
    if (joint_->terminal()) return {};
    if (!joint_->decides_alone(role_)) {  // no play has shown that before
      information_ = std::make_unique<search::InformationSearch>(*joint_, options_.tree, options_.seed);
      return search_joint(moves, seconds);
    }
    search::TreeReport report = tree_->run(*joint_, budget);
    thoughts_ = "network, " + told(report, *joint_, [](const std::string& move) { return move; });
    return report;
  }
  const std::vector<std::string>& players = joint_->info().players;
  const auto seat = static_cast<std::size_t>(std::ranges::find(players, rules_->role(role_)) - players.begin());
  search::SeatKnowledge knowledge(*joint_, seat, random_.next());
  std::vector<std::vector<std::byte>> positions;
  for (const gdl::NetworkMachine::State& state : possible_) {
    joint_->set_state(state);
    positions.push_back(joint_->state_bytes());
  }
  knowledge.set_positions(std::move(positions));
  search::TreeReport report = information_->run(knowledge, moves, budget);
  thoughts_ = fmt::format("network by information sets, {} simulations", report.simulations);
  if (report.simulations > 0) {
    const search::RootMove& best = report.moves[search::best_move(report)];
    const GameInfo& info = joint_->info();
    thoughts_ += fmt::format(", value {:.1f}", info.least_goal + best.value * (info.most_goal - info.least_goal));
  }
  return report;
}

std::shared_ptr<const CompiledMatch> Seat::ready_compiled() {
  const std::lock_guard lock(ready_mutex_);
  return lost_ ? nullptr : compiled_;
}

std::shared_ptr<const Translated> Seat::ready_translated() {
  const std::lock_guard lock(ready_mutex_);
  return translated_;
}

// Nothing when there is no compiled reasoner (yet).
std::optional<std::string> Seat::think_compiled(double seconds) {
  const std::shared_ptr<const CompiledMatch> compiled = ready_compiled();
  if (!compiled || seconds <= 0) return std::nullopt;
  const std::unique_ptr<Reasoner> position = compiled->decision(played_, role_);
  if (!position) return std::nullopt;
  const auto term = [&](const std::string& move) { return compiled->term(role_, move); };
  const search::TreeReport report = compiled_tree_->run(*position, {.seconds = seconds, .threads = options_.threads});
  thoughts_ = "compiled, " + told(report, *position, term);
  return term(position->move_text(search::best_move(report)));
}

}  // namespace rgtrans::cli::ggp
