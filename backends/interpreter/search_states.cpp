// Searches all states of a small game, or those near some state, for everything that is improper.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "backends/interpreter/rng.hpp"
#include "backends/interpreter/state_checker.hpp"
#include "core/support/clock.hpp"
#include "core/support/play_path.hpp"

namespace rgtrans {

namespace interpreter {
namespace {

class StateSearcher : public StateChecker {
 public:
  StateSearcher(const ir::Game& game, const StateSearchOptions& options)
      : StateChecker(game, checks(options)), bounds_(options), rng_(options.seed) {}

  StateSearch run() {
    Cells cells = layout_.initial();
    NodeId node = game_.begin();
    prefix_ = "/";
    try {
      for (std::uint64_t made = 0; made < bounds_.after && node != game_.end() && !late(); ++made) {
        path_ = prefix_;
        std::map<Labeling, Result> moves;
        list(cells, node, moves);
        judge(text(cells[player_cell_]), node, moves);
        if (moves.empty()) break;
        auto chosen = moves.begin();
        std::advance(chosen, rng_.below(static_cast<std::uint32_t>(moves.size())));
        prefix_ += path_step(text(chosen->first));
        cells = chosen->second.cells;
        node = chosen->second.node;
      }
      add(node, cells, kNone, {});
      visit_all();
    } catch (const TooLong&) {
      name_paths();
      found_.stopped = "the moves of some state cannot be listed";
    }
    found_.states = states_.size();
    if (found_.stopped.empty() && bounds_.after == 0) found_.complete = true;
    look_for_cycles();
    found_.violations = std::move(violations_);
    return std::move(found_);
  }

 private:
  struct State {
    const std::string* key;
    std::uint32_t parent = kNone;
    Labeling move;                     // from the parent
    std::vector<std::uint32_t> after;  // the states behind its moves
    bool turn = false;                 // keeper is not to move
  };

  // A cell takes a byte where a byte numbers all symbols.
  [[nodiscard]] std::string key(NodeId node, const Cells& cells) const {
    std::string out;
    out.resize(sizeof node.value + cells.size() * (narrow_ ? 1 : sizeof cells[0]));
    std::memcpy(out.data(), &node.value, sizeof node.value);
    char* const to = out.data() + sizeof node.value;
    if (narrow_) {
      std::ranges::transform(cells, to, [](std::uint32_t cell) { return static_cast<char>(cell); });
    } else {
      std::memcpy(to, cells.data(), cells.size() * sizeof cells[0]);
    }
    return out;
  }

  static DynamicCheckOptions checks(const StateSearchOptions& options) {
    DynamicCheckOptions out;
    out.max_steps = options.max_steps;
    out.max_violations = std::numeric_limits<std::size_t>::max();  // a missing one would count as a proof
    out.keys = false;
    out.following = options.following;
    return out;
  }

  // The number of the state.
  std::uint32_t add(NodeId node, Cells cells, std::uint32_t parent, const Labeling& move) {
    for (std::size_t i = 0; bounds_.merge_unread && i < game_.variables().size(); ++i) {
      const ir::VarId variable(i);
      if (!game_.variable(variable).alive || node == game_.end() || read_from(node, variable)) continue;
      const VariableLayout& place = layout_.variable(variable);
      std::copy_n(layout_.initial().begin() + place.offset, place.shape.size, cells.begin() + place.offset);
    }
    const auto number = static_cast<std::uint32_t>(states_.size());
    const auto [it, fresh] = numbers_.try_emplace(key(node, cells), number);
    if (fresh) states_.push_back({&it->first, parent, move, {}, false});
    return it->second;
  }

  [[nodiscard]] std::pair<NodeId, Cells> state(std::uint32_t number) const {
    const std::string& text = *states_[number].key;
    NodeId node;
    std::memcpy(&node.value, text.data(), sizeof node.value);
    const std::size_t head = sizeof node.value;
    Cells cells(layout_.initial().size());
    if (narrow_) {
      for (std::size_t i = 0; i < cells.size(); ++i) cells[i] = static_cast<unsigned char>(text[head + i]);
    } else {
      std::memcpy(cells.data(), text.data() + head, cells.size() * sizeof(std::uint32_t));
    }
    return {node, std::move(cells)};
  }

  [[nodiscard]] std::string path_of(std::uint32_t number) const {
    std::vector<std::string> steps;
    for (; states_[number].parent != kNone; number = states_[number].parent)
      steps.push_back(path_step(text(states_[number].move)));
    std::string path = prefix_;
    for (auto step = steps.rbegin(); step != steps.rend(); ++step) path += *step;
    return path;
  }

  // Gives the new violations the path of the state that is visited.
  void name_paths() {
    for (; named_ < violations_.size(); ++named_)
      if (violations_[named_].path.empty()) violations_[named_].path = path_of(visiting_);
  }

  [[nodiscard]] bool late() const { return seconds_since(begin_) > bounds_.seconds || bounds_.following.stopped(); }

  void visit_all() {
    for (std::uint32_t i = 0; i < states_.size(); ++i) {
      if (states_.size() > bounds_.states || states_.size() * layout_.cell_count() > bounds_.cells) {
        found_.stopped =
            fmt::format("more than {} states", std::min<std::uint64_t>(states_.size() - 1, bounds_.states));
      } else if (late()) {
        found_.stopped = fmt::format("{} states were visited in time", i);
      }
      if (!found_.stopped.empty()) return;
      const auto [node, cells] = state(i);
      if (node == game_.end()) continue;
      visiting_ = i;
      std::map<Labeling, Result> moves;
      path_.clear();
      list(cells, node, moves);
      const std::string mover = text(cells[player_cell_]);
      judge(mover, node, moves);
      name_paths();
      states_[i].turn = mover != "keeper";
      if (states_[i].turn) found_.branching = std::max<std::uint64_t>(found_.branching, moves.size());
      for (const auto& [tags, result] : moves) {
        const std::uint32_t next = add(result.node, result.cells, i, tags);
        states_[i].after.push_back(next);
      }
    }
  }

  // Depth-first; `turns_left` of a finished state is the longest play from there.
  void look_for_cycles() {
    enum : std::uint8_t { fresh, open, finished };
    std::vector<std::uint8_t> mark(states_.size(), fresh);
    std::vector<std::uint64_t> turns_left(states_.size(), 0);
    std::vector<std::pair<std::uint32_t, std::size_t>> stack;
    bool endless = false;
    for (std::uint32_t root = 0; root < states_.size() && !endless; ++root) {
      if (mark[root] == fresh) stack.emplace_back(root, 0);
      while (!stack.empty() && !endless) {
        auto& [at, next] = stack.back();
        mark[at] = open;
        if (next == states_[at].after.size()) {
          mark[at] = finished;
          const std::uint32_t done = at;
          stack.pop_back();
          if (!stack.empty()) {
            std::uint64_t& longest = turns_left[stack.back().first];
            longest = std::max(longest, turns_left[done] + (states_[stack.back().first].turn ? 1 : 0));
          }
          continue;
        }
        const std::uint32_t to = states_[at].after[next++];
        if (mark[to] == fresh) {
          stack.emplace_back(to, 0);
        } else if (mark[to] == open) {
          endless = true;
          report_cycle(to);
        } else {
          turns_left[at] = std::max(turns_left[at], turns_left[to] + (states_[at].turn ? 1 : 0));
        }
      }
      if (root == 0 && !endless) found_.turns = turns_left[0];
    }
  }

  // A shortest way from the state back to it.
  void report_cycle(std::uint32_t first) {
    std::unordered_map<std::uint32_t, std::uint32_t> from;
    std::vector<std::uint32_t> queue{first};
    for (std::size_t i = 0; i < queue.size() && !from.contains(first); ++i) {
      for (const std::uint32_t next : states_[queue[i]].after)
        if (from.try_emplace(next, queue[i]).second) queue.push_back(next);
    }
    std::size_t length = 1;
    for (std::uint32_t at = from.at(first); at != first; at = from.at(at)) ++length;
    const NodeId node = state(first).first;
    path_ = path_of(first);
    report(Violation::Kind::endless, node.value,
           fmt::format("a play can come back to this state{} after {} move{}, so that it need not end", at(node),
                       length, length == 1 ? "" : "s"),
           game_.graph.where(node));
  }

  const StateSearchOptions bounds_;
  const Clock::time_point begin_ = Clock::now();
  const bool narrow_ = layout_.code_count() <= 256;
  Rng rng_;
  std::string prefix_;
  std::unordered_map<std::string, std::uint32_t> numbers_;
  std::vector<State> states_;
  std::uint32_t visiting_ = 0;
  std::size_t named_ = 0;  // violations with a path
  StateSearch found_;
};

}  // namespace
}  // namespace interpreter

StateSearch search_states(const ir::Game& game, const StateSearchOptions& options) {
  return interpreter::StateSearcher(game, options).run();
}

}  // namespace rgtrans
