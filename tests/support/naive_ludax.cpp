#include "tests/support/naive_ludax.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <iterator>

namespace rgtrans::test {

// --- Reading. ---

NaiveLudax::Word NaiveLudax::parse(const std::string& text, std::size_t& at) {
  const auto skip = [&] {
    while (at < text.size()) {
      if (text.compare(at, 2, "//") == 0 || text.compare(at, 2, ";;") == 0)
        at = std::min(text.find('\n', at), text.size());
      else if (std::isspace(static_cast<unsigned char>(text[at])) == 0)
        break;
      else
        ++at;
    }
  };
  skip();
  Word word;
  if (text[at] == '(') {
    ++at;
    for (skip(); text[at] != ')'; skip()) word.items.push_back(parse(text, at));
    ++at;
  } else if (text[at] == '"') {
    const std::size_t end = text.find('"', at + 1);
    word.text = text.substr(at, end + 1 - at);
    at = end + 1;
  } else {
    while (std::string(" \t\r\n\f()").find(text[at]) == std::string::npos) {
      word.text += text[at++];
      if (word.text.back() == ':') break;
    }
  }
  return word;
}

const NaiveLudax::Word* NaiveLudax::named(const Word& list, const std::string& name) {
  for (std::size_t i = 0; i + 1 < list.items.size(); ++i) {
    if (list.items[i].text == name + ":") return &list.items[i + 1];
  }
  return nullptr;
}

const NaiveLudax::Word* NaiveLudax::section(const Word& list, const std::string& name) {
  for (const Word& item : list.items) {
    if (!item.items.empty() && item.items[0].text == name) return &item;
  }
  return nullptr;
}

NaiveLudax::NaiveLudax(const std::string& text) {
  std::size_t at = 0;
  const Word game = parse(text, at);
  make_board(section(*section(game, "equipment"), "board")->items[1]);
  const Word& rules = *section(game, "rules");
  if (const Word* start = section(rules, "start")) start_ = *start;
  const Word& play = *section(rules, "play");
  phases_.assign(play.items.begin() + 1, play.items.end());
  end_ = *section(rules, "end");
}

void NaiveLudax::make_board(const Word& shape) {
  shape_ = shape.items[0].text;
  rows_ = std::stoi(shape.items[1].text);
  const int columns = shape.items.size() > 2 ? std::stoi(shape.items[2].text) : rows_;
  for (int row = 0; row < rows_; ++row) {
    const int cut = shape_ == "hexagon" ? std::abs(row - rows_ / 2) : 0;
    for (int k = 0; k < columns - cut; ++k) {
      const int column = shape_ == "hexagon" ? cut + 2 * k : k;
      cell_at_[{row, column}] = static_cast<int>(coordinates_.size());
      coordinates_.emplace_back(row, column);
    }
  }
}

// --- The board. ---

std::vector<std::string> NaiveLudax::directions(const Word& list, const std::string& name) const {
  const Word* word = named(list, name);
  const std::string text = word == nullptr ? "any" : word->text;
  std::vector<std::string> result;
  const auto add = [&](const std::vector<std::string>& more) { result.insert(result.end(), more.begin(), more.end()); };
  if (text == "vertical" || text == "orthogonal" || text == "any") add({"up", "down"});
  if (text == "horizontal" || text == "orthogonal" || text == "any") add({"left", "right"});
  if (text == "forward_diagonal" || text == "diagonal" || text == "any") add({"up_right", "down_left"});
  if (text == "back_diagonal" || text == "diagonal" || text == "any") add({"up_left", "down_right"});
  if (result.empty()) result = {text};
  return result;
}

int NaiveLudax::step(int cell, const std::string& direction) const {
  auto [row, column] = coordinates_[static_cast<std::size_t>(cell)];
  const bool up = direction.starts_with("up"), down = direction.starts_with("down");
  const bool left = direction.ends_with("left"), right = direction.ends_with("right");
  const bool straight = direction == "up" || direction == "down";
  row += down ? 1 : up ? -1 : 0;
  if (shape_ == "hexagon") {
    if (straight) return -1;
    const int by = up || down ? 1 : 2;
    column += right ? by : -by;
  } else if (shape_ == "hex_rectangle") {
    if (straight) return -1;
    if (direction == "left" || direction == "down_left") --column;
    if (direction == "right" || direction == "up_right") ++column;
  } else {
    column += right ? 1 : left ? -1 : 0;
  }
  const auto it = cell_at_.find({row, column});
  return it == cell_at_.end() ? -1 : it->second;
}

NaiveLudax::Set NaiveLudax::edge(const std::string& name) const {
  Set cells;
  for (int cell = 0; cell < this->cells(); ++cell) {
    const int row = coordinates_[static_cast<std::size_t>(cell)].first;
    const bool first = cell == 0 || coordinates_[static_cast<std::size_t>(cell) - 1].first != row;
    const bool last = cell + 1 == this->cells() || coordinates_[static_cast<std::size_t>(cell) + 1].first != row;
    const bool upper = row <= rows_ / 2, lower = row >= rows_ / 2;
    bool inside = (name == "top" && row == 0) || (name == "bottom" && row == rows_ - 1);
    if (shape_ == "hexagon") {
      inside = inside || (name == "top_left" && upper && first) || (name == "top_right" && upper && last) ||
               (name == "bottom_left" && lower && first) || (name == "bottom_right" && lower && last);
    } else {
      inside = inside || (name == "left" && first) || (name == "right" && last);
    }
    if (inside) cells.insert(cell);
  }
  return cells;
}

NaiveLudax::Set NaiveLudax::corners() const {
  Set cells;
  for (const char* row : {"top", "bottom"}) {
    const Set edge = this->edge(row);
    cells.insert({*edge.begin(), *edge.rbegin()});
  }
  if (shape_ == "hexagon") {
    int last = -1;
    for (int cell = 0; cell < this->cells(); ++cell) {
      if (coordinates_[static_cast<std::size_t>(cell)].first != rows_ / 2) continue;
      if (last < 0) cells.insert(cell);
      last = cell;
    }
    cells.insert(last);
  }
  return cells;
}

// --- Sets of cells. ---

namespace {

template <class Word>
int side(const Word& list, int mover, int standard) {
  for (const auto& item : list.items) {
    if (item.text == "mover") return mover;
    if (item.text == "opponent") return 3 - mover;
  }
  return standard;
}

}  // namespace

NaiveLudax::Set NaiveLudax::mask(const Word& word, const At& at) const {
  Set cells;
  const std::string& head = word.items.empty() ? word.text : word.items[0].text;
  const bool bare = word.items.empty();
  const auto where = [&](auto&& condition) {
    for (int cell = 0; cell < this->cells(); ++cell) {
      if (condition(at.state.board[static_cast<std::size_t>(cell)])) cells.insert(cell);
    }
    return cells;
  };
  if (head == "empty") return where([](int piece) { return piece == 0; });
  if (head == "occupied" && bare) return where([](int piece) { return piece != 0; });
  if (head == "occupied") {
    const int owner = side(word, at.mover, 0);
    return where([&](int piece) { return piece == owner; });
  }
  if (head == "center") return this->cells() % 2 == 1 ? Set{this->cells() / 2} : Set{};
  if (head == "corners") return corners();
  if (head == "edge") return edge(word.items[1].text);
  if (head == "prev_move") {
    const int last = at.state.last[static_cast<std::size_t>(side(word, at.mover, 0))];
    return last < 0 ? Set{} : Set{last};
  }
  if (head == "custodial") return custodial(word, at);
  if (head == "adjacent") {
    for (int cell : mask(word.items[1], at)) {
      for (const std::string& direction : directions(word, "direction")) {
        if (const int next = step(cell, direction); next >= 0) cells.insert(next);
      }
    }
    return cells;
  }
  std::vector<Set> parts;
  for (std::size_t i = 1; i < word.items.size(); ++i) parts.push_back(mask(word.items[i], at));
  for (int cell = 0; cell < this->cells(); ++cell) {
    const auto count = std::ranges::count_if(parts, [&](const Set& part) { return part.contains(cell); });
    const bool inside = head == "and" ? count == std::ssize(parts) : head == "or" ? count > 0 : count == 0;
    if (inside) cells.insert(cell);
  }
  return cells;
}

NaiveLudax::Set NaiveLudax::custodial(const Word& word, const At& at) const {
  const int owner = side(word, at.mover, at.mover);
  const int end = at.state.last[static_cast<std::size_t>(owner)];
  const auto piece = [&](int cell) { return cell < 0 ? 0 : at.state.board[static_cast<std::size_t>(cell)]; };
  Set cells;
  if (end < 0 || piece(end) != owner) return cells;
  for (const std::string& direction : directions(word, "orientation")) {
    std::vector<int> run = {end};
    int cell = step(end, direction);
    for (; piece(cell) == 3 - owner; cell = step(cell, direction)) run.push_back(cell);
    const auto inner = static_cast<int>(run.size()) - 1;
    const bool fits = word.items[1].text == "any" ? inner >= 1 : inner == std::stoi(word.items[1].text);
    if (!fits || piece(cell) != owner) continue;
    run.push_back(cell);
    cells.insert(run.begin(), run.end());
  }
  return cells;
}

// --- Numbers. ---

std::int64_t NaiveLudax::number(const Word& word, const At& at) const {
  if (word.items.empty()) return std::stoll(word.text);
  const std::string& head = word.items[0].text;
  if (head == "count") return std::ssize(mask(word.items[1], at));
  if (head == "score") return at.state.score[static_cast<std::size_t>(side(word, at.mover, 0))];
  if (head == "line") return lines(word, at);
  if (head == "connected") return connected(word, at);
  std::int64_t result = number(word.items[1], at);
  for (std::size_t i = 2; i < word.items.size(); ++i) {
    const std::int64_t next = number(word.items[i], at);
    result = head == "add" ? result + next : head == "multiply" ? result * next : result - next;
  }
  return result;
}

std::int64_t NaiveLudax::lines(const Word& word, const At& at) const {
  const int length = std::stoi(word.items[1].text);
  const Word* exact = named(word, "exact");
  const auto own = [&](int cell) { return cell >= 0 && at.state.board[static_cast<std::size_t>(cell)] == at.mover; };
  std::int64_t count = 0;
  for (const std::string& direction : directions(word, "orientation")) {
    const bool backward = direction.starts_with("up") || direction == "left";
    const bool there = (direction != "up" && direction != "down") || !shape_.starts_with("hex");
    if (backward || !there) continue;
    static const std::map<std::string, std::string> kBack = {
        {"right", "left"}, {"down", "up"}, {"down_left", "up_right"}, {"down_right", "up_left"}};
    for (int first = 0; first < cells(); ++first) {
      int cell = first, found = 0;
      while (found < length && own(cell)) {
        ++found;
        cell = step(cell, direction);
      }
      if (found < length) continue;
      const bool maximal = !own(cell) && !own(step(first, kBack.at(direction)));
      if (exact == nullptr || exact->text != "true" || maximal) ++count;
    }
  }
  return count;
}

std::vector<NaiveLudax::Set> NaiveLudax::targets(const Word& word, const At& at) const {
  std::vector<Set> result;
  if (word.text == "corners") {
    for (int corner : corners()) result.push_back({corner});
  } else if (!word.text.empty()) {
    for (const char* name :
         {"top", "bottom", "left", "right", "top_left", "top_right", "bottom_left", "bottom_right"}) {
      Set cells = edge(name);
      if (cells.empty()) continue;
      if (word.text == "edgesNoCorners") std::erase_if(cells, [&](int cell) { return corners().contains(cell); });
      result.push_back(cells);
    }
  } else {
    for (const Word& item : word.items) result.push_back(mask(item, at));
  }
  return result;
}

std::int64_t NaiveLudax::connected(const Word& word, const At& at) const {
  const int begin = at.state.last[static_cast<std::size_t>(side(word, at.mover, at.mover))];
  if (begin < 0 || at.state.board[static_cast<std::size_t>(begin)] == 0) return 0;
  Set component = {begin};
  std::vector<int> open = {begin};
  while (!open.empty()) {
    const int cell = open.back();
    open.pop_back();
    for (const std::string& direction : directions(word, "direction")) {
      const int next = step(cell, direction);
      if (next < 0 || component.contains(next)) continue;
      if (at.state.board[static_cast<std::size_t>(next)] != at.state.board[static_cast<std::size_t>(begin)]) continue;
      component.insert(next);
      open.push_back(next);
    }
  }
  std::int64_t count = 0;
  for (const Set& target : targets(word.items[1], at)) {
    count += std::ranges::any_of(target, [&](int cell) { return component.contains(cell); }) ? 1 : 0;
  }
  return count;
}

// --- Conditions. ---

bool NaiveLudax::holds(const Word& word, const At& at) const {
  const std::string& head = word.items.empty() ? word.text : word.items[0].text;
  const auto value = [&](std::size_t i) { return number(word.items[i], at); };
  if (head == "exists") return !mask(word.items[1], at).empty();
  if (head == "full_board") return std::ranges::count(at.state.board, 0) == 0;
  if (head == "mover_is") return word.items[1].text == "P" + std::to_string(at.mover);
  if (head == "passed") {
    if (word.items[1].text == "both") return at.state.passed[1] && at.state.passed[2];
    return at.state.passed[static_cast<std::size_t>(side(word, at.mover, 0))];
  }
  if (head == ">=") return value(1) >= value(2);
  if (head == "<=") return value(1) <= value(2);
  if (head == "=") {
    for (std::size_t i = 2; i < word.items.size(); ++i) {
      if (value(i) != value(1)) return false;
    }
    return true;
  }
  if (head == "not") return !holds(word.items[1], at);
  if (head == "and" || head == "or") {
    bool all = true, any = false;
    for (std::size_t i = 1; i < word.items.size(); ++i) {
      const bool one = holds(word.items[i], at);
      all = all && one;
      any = any || one;
    }
    return head == "and" ? all : any;
  }
  return number(word, at) > 0;
}

// --- Play. ---

const NaiveLudax::Word& NaiveLudax::phase(const State& state) const { return phases_[state.phase]; }

std::vector<int> NaiveLudax::movers(std::size_t phase) const {
  std::vector<int> result;
  for (const Word& item : phases_[phase].items[1].items) result.push_back(item.text == "P1" ? 1 : 2);
  return result;
}

NaiveLudax::State NaiveLudax::initial() const {
  State state;
  state.board.assign(coordinates_.size(), 0);
  for (std::size_t i = 1; i < start_.items.size(); ++i) {
    for (const Word& cell : start_.items[i].items[2].items) {
      state.board[std::stoul(cell.text)] = start_.items[i].items[1].text == "P1" ? 1 : 2;
    }
  }
  return state;
}

int NaiveLudax::to_move(const State& state) const { return movers(state.phase)[state.step]; }

std::vector<int> NaiveLudax::legal(const State& state) const {
  if (state.over) return {};
  const int mover = to_move(state);
  const Word& place = *section(phase(state), "place");
  const Word* result = section(place, "result");
  const int piece = side(Word{"", {place.items[1]}}, mover, mover);
  std::vector<int> cells;
  for (int cell : mask(section(place, "destination")->items[1], {state, mover})) {
    State next = state;
    next.board[static_cast<std::size_t>(cell)] = piece;
    next.last[static_cast<std::size_t>(mover)] = cell;
    if (result == nullptr || holds(result->items[1], {next, mover})) cells.push_back(cell);
  }
  if (cells.empty() && section(phase(state), "force_pass") != nullptr) return {this->cells()};
  return cells;
}

void NaiveLudax::effect(const Word& word, State& state, int mover) const {
  const std::string& head = word.items[0].text;
  if (head == "capture" || head == "flip") {
    const Set cells = mask(word.items[1], {state, mover});
    const int owner = side(word, mover, 3 - mover);
    const Word* scores = named(word, "increment_score");
    for (int cell : cells) {
      int& piece = state.board[static_cast<std::size_t>(cell)];
      if (piece != owner) continue;
      piece = head == "flip" ? 3 - owner : 0;
      if (scores != nullptr && scores->text == "true") ++state.score[static_cast<std::size_t>(mover)];
    }
    return;
  }
  const auto who = static_cast<std::size_t>(side(word, mover, 0));
  const std::int64_t value = number(word.items[2], {state, mover});
  state.score[who] = head == "set_score" ? value : state.score[who] + value;
}

NaiveLudax::State NaiveLudax::play(const State& state, int action) const {
  State next = state;
  const int mover = to_move(state);
  const Word& place = *section(phase(state), "place");
  const bool pass = action == cells();
  if (!pass) next.board[static_cast<std::size_t>(action)] = side(Word{"", {place.items[1]}}, mover, mover);
  next.last[static_cast<std::size_t>(mover)] = pass ? -1 : action;
  next.passed[static_cast<std::size_t>(mover)] = pass;
  if (++next.step == movers(next.phase).size()) {
    next.step = 0;
    if (phase(state).items[0].text != "repeat" && next.phase + 1 < phases_.size()) ++next.phase;
  }
  if (const Word* effects = section(place, "effects")) {
    for (std::size_t i = 1; i < effects->items.size(); ++i) effect(effects->items[i], next, mover);
  }
  for (std::size_t i = 1; i < end_.items.size() && !next.over; ++i) {
    if (!holds(end_.items[i].items[1], {next, mover})) continue;
    next.over = true;
    const Word& result = end_.items[i].items[2];
    if (result.items[0].text == "by_score") {
      next.winner = next.score[1] > next.score[2] ? 1 : next.score[1] < next.score[2] ? 2 : 0;
    } else if (result.items[0].text != "draw") {
      const int named = result.items[0].text == "mover" ? mover : 3 - mover;
      next.winner = result.items[1].text == "win" ? named : 3 - named;
    }
  }
  return next;
}

std::uint64_t NaiveLudax::perft(const State& state, unsigned depth) const {
  if (depth == 0) return 1;
  std::uint64_t count = 0;
  for (int action : legal(state)) count += perft(play(state, action), depth - 1);
  return count;
}

}  // namespace rgtrans::test
