// See values.hpp. A worklist over the nodes; since all sets only grow, the sets of cells are part of the same fixed
// point: when one has grown, whoever reads its map is looked at again.
#include "backends/cpp/values.hpp"

#include <algorithm>
#include <functional>
#include <optional>

#include "backends/cpp/model.hpp"
#include "core/analysis/analysis.hpp"

namespace rgtrans::cpp {

using ir::ExprKind;

namespace {

constexpr std::size_t kMostWordsOfRows = std::size_t{1} << 23U;  // of all rows
constexpr std::size_t kMostGrowing = std::size_t{1} << 26U;      // variables at nodes
constexpr std::size_t kMostCells = 4096;
constexpr std::size_t kMostTableCells = std::size_t{1} << 15U;
constexpr std::size_t kMostValueEffort = 40'000'000;  // values looked at
constexpr std::uint32_t kMostKnownContents = 256;     // of a cell

bool intersect(const std::vector<std::uint64_t>& a, const std::vector<std::uint64_t>& b) {
  for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) {
    if ((a[i] & b[i]) != 0) return true;
  }
  return false;
}

bool adds_nothing(const std::uint64_t* values, const std::uint64_t* to, std::size_t words) {
  std::uint64_t more = 0;
  for (std::size_t w = 0; w < words; ++w) more |= values[w] & ~to[w];
  return more == 0;
}

// Both hold one value, the same.
bool same_single(const std::vector<std::uint64_t>& a, const std::vector<std::uint64_t>& b) {
  int ones = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] != b[i]) return false;
    ones += __builtin_popcountll(a[i]);
  }
  return ones == 1;
}

}  // namespace

template <class F>
void PossibleValues::for_each_value(const std::uint64_t* row, VarId variable, F&& f) const {
  any_value(row, variable, [&](std::uint32_t code) {
    f(code);
    return false;
  });
}

template <class F>
bool PossibleValues::any_value(const std::uint64_t* row, VarId variable, F&& f) const {
  const Slot& slot = this->slot(variable);
  for (std::size_t w = 0; w < slot.words; ++w) {
    for (std::uint64_t bits = slot.get(row, w); bits != 0; bits &= bits - 1) {
      ++effort_;
      if (f(static_cast<std::uint32_t>(64 * w + static_cast<unsigned>(__builtin_ctzll(bits))))) return true;
    }
  }
  return false;
}

PossibleValues::PossibleValues(NumberedGame& model, std::uint8_t most_growths)
    : model_(model), most_growths_(most_growths) {
  lay_out();
  if (!usable_) return;
  const analysis::Flow flow(model_.game);
  const analysis::Order order = analysis::nested_order(flow);
  analysis::Worklist work(order);
  flow_ = &flow;
  work_ = &work;
  start();
  run();
  flow_ = nullptr;
  work_ = nullptr;
}

void PossibleValues::lay_out() {
  const std::size_t variables = model_.game.variables().size();
  slots_.resize(variables);
  cells_.resize(variables);
  cell_words_.assign(variables, 0);
  cell_growths_.resize(variables);
  map_growths_.assign(variables, 0);
  for (std::uint32_t v = 0; v < variables; ++v) {
    if (!model_.assigned[v]) continue;
    const ArrayShape& shape = model_.variable_shape(VarId(v));
    const std::uint32_t leaf = model_.universes[shape.leaf].size();
    if (shape.scalar()) {
      add_slot(v, leaf);
    } else if (shape.keys.size() == 1 && leaf <= kMostKnownContents &&
               model_.universes[shape.keys[0]].size() <= kMostCells) {
      cell_words_[v] = (leaf + 63) / 64;
      cell_growths_[v].assign(model_.universes[shape.keys[0]].size(), 0);
      const ValueId initial = model_.game.variable(VarId(v)).initial;
      for (const SymbolId key : model_.universes[shape.keys[0]].symbols) {
        const SymbolId value = model_.game.values.as_symbol(model_.game.values.at(initial, key));
        const std::uint32_t code = model_.code(shape.leaf, value);
        cells_[v].resize(cells_[v].size() + cell_words_[v], 0);
        cells_[v][cells_[v].size() - cell_words_[v] + code / 64] |= std::uint64_t{1} << (code % 64);
      }
    }
  }
  usable_ = most_growths_ > 0 && model_.out.size() * width_ <= kMostWordsOfRows &&
            model_.out.size() * tracked_.size() <= kMostGrowing;
}

void PossibleValues::add_slot(std::uint32_t variable, std::uint32_t codes) {
  Slot& slot = slots_[variable];
  tracked_.push_back(variable);
  if (used_bits_ + codes > 64) {
    used_bits_ = 0;
    slot.first = width_;
    slot.words = (codes + 63) / 64;
    width_ += slot.words;
    first_in_word_.resize(width_, tracked_.size() - 1);
  } else {
    slot.first = width_ - 1;
    slot.words = 1;
    slot.shift = used_bits_;
  }
  slot.mask = codes >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << codes) - 1;
  used_bits_ = std::min(used_bits_ + codes, 64U);
}

void PossibleValues::start() {
  rows_.assign(model_.out.size() * width_, 0);
  growths_.assign(model_.out.size() * tracked_.size(), 0);
  reached_.assign(model_.out.size(), false);
  starts_check_.assign(model_.out.size(), false);
  for (const Check& check : model_.checks) starts_check_[check.from] = true;
  grew_.assign(cells_.size(), false);
  readers_.assign(cells_.size(), {});
  for (const Step& step : model_.steps) {
    for (const ExprId expression : {step.lhs, step.rhs}) {
      if (!expression.valid()) continue;
      model_.for_each_read(expression, [&](VarId v) {
        if (!cells_[v.value].empty()) readers_[v.value].push_back(step.from);
      });
    }
  }
  Codes first(width_, 0);
  for (const std::uint32_t v : tracked_) {
    const SymbolId value = model_.game.values.as_symbol(model_.game.variable(VarId(v)).initial);
    fix(first, VarId(v), model_.code(model_.variable_shape(VarId(v)).leaf, value));
  }
  join(model_.game.begin().value, first.data());
}

void PossibleValues::join(std::uint32_t node, const std::uint64_t* row) {
  std::uint64_t* into = rows_.data() + node * width_;
  if (!reached_[node]) {
    reached_[node] = true;
    std::copy(row, row + width_, into);
    std::fill_n(growths_.begin() + static_cast<std::ptrdiff_t>(node * tracked_.size()), tracked_.size(), 1);
    enqueue(node);
    return;
  }
  if (adds_nothing(row, into, width_)) return;
  for (std::size_t word = 0; word < width_; ++word) {
    if ((row[word] & ~into[word]) == 0) continue;
    for (std::size_t i = first_in_word_[word]; i < tracked_.size() && slots_[tracked_[i]].first <= word; ++i) {
      ++effort_;
      const Slot& slot = slots_[tracked_[i]];
      std::uint64_t more = 0;
      for (std::size_t w = 0; w < slot.words; ++w) more |= slot.get(row, w) & ~slot.get(into, w);
      if (more == 0) continue;
      const bool often = ++growths_[node * tracked_.size() + i] == most_growths_;
      const Codes all = often ? all_values(VarId(tracked_[i])) : Codes();
      for (std::size_t w = 0; w < slot.words; ++w) {
        slot.put(into, w, slot.get(into, w) | slot.get(row, w) | (often ? all[w] : 0));
      }
    }
  }
  enqueue(node);
}

// A counter of turns comes with one more value each time around: all that it can ever hold are taken at once.
PossibleValues::Codes PossibleValues::all_values(VarId variable) const {
  return model_.variable_values[variable.value].to_words();
}

void PossibleValues::enqueue(std::uint32_t node) { work_->queue(flow_->index(ir::NodeId(node))); }

void PossibleValues::run() {
  Codes row;
  for (bool again = true; again;) {
    usable_ = work_->run([&](std::uint32_t index) {
      const std::uint32_t node = flow_->node(index).value;
      effort_ += model_.out[node].size() * (width_ + 16);
      for (const std::uint32_t s : model_.out[node]) leave(model_.steps[s], row);
      return effort_ <= kMostValueEffort;
    });
    if (!usable_) return;
    again = false;
    for (std::uint32_t map = 0; map < grew_.size(); ++map) {
      if (!grew_[map]) continue;
      grew_[map] = false;
      for (const std::uint32_t reader : readers_[map]) {
        if (!reached_[reader]) continue;
        enqueue(reader);
        again = true;
      }
    }
  }
}

void PossibleValues::leave(const Step& step, Codes& row) {
  const std::uint64_t* const here = this->row(step.from);
  if (step.kind == Deed::check) join(model_.checks[step.check].from, here);
  if (step.kind != Deed::compare && !is_assignment(step)) {
    join(step.to, here);
    return;
  }
  row.assign(here, here + width_);
  if (transfer(step, row)) join(step.to, row.data());
}

bool PossibleValues::transfer(const Step& step, Codes& row) {
  if (is_assignment(step) && !tracked(step.variable)) {
    write_cells(step, row);
  }
  return pass(step, row);
}

bool PossibleValues::pass(const Step& step, Codes& row) const {
  if (step.kind == Deed::compare) return filter(step, row);
  if (!is_assignment(step)) return true;
  if (!tracked(step.variable)) return true;
  const std::uint32_t universe = model_.variable_shape(step.variable).leaf;
  Codes values(slot(step.variable).words, 0);
  if (step.kind == Deed::assign_any) {
    values = model_.members(step.type).to_words();
  } else if (const Form& source = form(step.rhs, universe);
             source.kind == Form::Kind::scalar && source.second.valid()) {
    image(step, source, row, values);
  } else {
    values_of(source, row.data(), VarId(), 0, values);
  }
  slot(step.variable).put(row, values);
  return true;
}

// A step is looked at many times with the same values of the two variables that it reads.
void PossibleValues::image(const Step& step, const Form& form, const Codes& row, Codes& into) const {
  Codes read;
  for (const VarId x : {form.variable, form.second}) {
    for (std::size_t w = 0; w < slot(x).words; ++w) read.push_back(slot(x).get(row.data(), w));
  }
  if (images_.size() <= step.edge.value) images_.resize(step.edge.value + 1);
  auto& [from, to] = images_[step.edge.value];
  if (from != read) {
    values_of(form, row.data(), VarId(), 0, into);
    from = std::move(read);
    to = into;
  }
  into = to;
}

std::vector<std::uint32_t> PossibleValues::codes_of(const Codes& row, VarId variable) const {
  std::vector<std::uint32_t> codes;
  for_each_value(row.data(), variable, [&](std::uint32_t code) { codes.push_back(code); });
  return codes;
}

void PossibleValues::fix(Codes& row, VarId variable, std::uint32_t code) const {
  const Slot& slot = this->slot(variable);
  for (std::size_t w = 0; w < slot.words; ++w) {
    slot.put(row.data(), w, w == code / 64 ? std::uint64_t{1} << (code % 64) : 0);
  }
}

void PossibleValues::give_up(VarId map) {
  const Codes all = all_values(map);
  const std::size_t count = cells_[map.value].size() / all.size();
  for (std::uint32_t cell = 0; cell < count; ++cell) grow_cell(map, cell, all);
}

void PossibleValues::grow_cell(VarId map, std::uint32_t cell, const Codes& values) {
  if (!grows_cell(map, cell, values)) return;
  grew_[map.value] = true;
  ++map_growths_[map.value];
  const bool often = ++cell_growths_[map.value][cell] == most_growths_;
  const Codes more = often ? all_values(map) : values;
  for (std::size_t w = 0; w < more.size(); ++w) cells_[map.value][cell * more.size() + w] |= values[w] | more[w];
}

bool PossibleValues::grows_cell(VarId map, std::uint32_t cell, const Codes& values) const {
  return !adds_nothing(values.data(), cells_[map.value].data() + cell * values.size(), values.size());
}

void PossibleValues::write_cells(const Step& step, const Codes& row) {
  const VarId map = step.variable;
  if (!knows_cells(map)) return;
  const auto& e = model_.game.expressions();
  if (!model_.is_cell(step.lhs)) {
    give_up(map);
    return;
  }
  const ArrayShape& shape = model_.variable_shape(map);
  const Form& index = form(e.index(step.lhs), shape.keys[0]);
  const Form* const source = step.kind == Deed::assign ? &form(step.rhs, shape.leaf) : nullptr;
  const std::size_t count = cells_[map.value].size() / cell_words_[map.value];
  Codes values = source == nullptr ? model_.members(step.type).to_words() : Codes(cell_words_[map.value], 0);
  if (source != nullptr) values_of(*source, row.data(), VarId(), 0, values);
  const std::uint64_t* const cells = cells_[map.value].data();
  const auto grows = [&](std::uint32_t key) {
    return key < count && !adds_nothing(values.data(), cells + key * values.size(), values.size());
  };
  const auto add = [&](std::uint32_t key) {
    if (grows(key)) grow_cell(map, key, values);
  };
  if (index.kind == Form::Kind::cell || index.kind == Form::Kind::other) {
    Codes keys((model_.universes[shape.keys[0]].size() + 63) / 64, 0);
    values_of(index, row.data(), VarId(), 0, keys);
    for (std::uint32_t key = 0; key < count; ++key) {
      if ((keys[key / 64] >> (key % 64) & 1U) != 0) add(key);
    }
  } else if (!index.variable.valid()) {
    add(index.table[0]);
  } else if (index.second.valid()) {
    for_each_value(row.data(), index.variable, [&](std::uint32_t x) {
      for_each_value(row.data(), index.second, [&](std::uint32_t y) {
        const std::uint32_t key = index.table[x * index.second_size + y];
        if (grows(key) && guards_allow(step, row, index.variable, x, index.second, y)) grow_cell(map, key, values);
      });
    });
  } else {
    // The new value can depend on the variable that chooses the cell.
    const bool depends = source != nullptr && (source->variable == index.variable || source->second == index.variable);
    for_each_value(row.data(), index.variable, [&](std::uint32_t x) {
      const std::uint32_t key = index.table[x];
      if (!depends) {
        add(key);
      } else if (grows(key)) {
        Codes some(values.size(), 0);
        values_of(*source, row.data(), index.variable, x, some);
        grow_cell(map, key, some);
      }
    });
  }
}

// The node is looked at again when cells grow that the condition reads.
void PossibleValues::depend(std::uint32_t node, const Step& condition) {
  for (const ExprId side : {condition.lhs, condition.rhs}) {
    model_.for_each_read(side, [&](VarId v) {
      std::vector<std::uint32_t>& readers = readers_[v.value];
      if (!cells_[v.value].empty() && std::ranges::find(readers, node) == readers.end()) readers.push_back(node);
    });
  }
}

// Conditions directly before the step can tie two variables together, which their separate sets do not show.
bool PossibleValues::guards_allow(const Step& step, const Codes& row, VarId first, std::uint32_t x, VarId second,
                                  std::uint32_t y) {
  constexpr int kFarthest = 4;
  std::vector<std::uint32_t> asked;
  Codes values;  // with the two fixed, when a condition needs more than them
  // The value of a variable, if it is one of the two.
  const auto fixed = [&](VarId variable) -> std::optional<std::uint32_t> {
    if (variable == first) return x;
    if (variable == second) return y;
    return std::nullopt;
  };
  // `alone`: no other way leads here, so that the values stay narrowed to those that pass.
  const auto may_hold = [&](const Step& condition, bool alone) {
    const Test& test = this->test(condition);
    if (test.by_cell || test.by_value) {
      const auto i = fixed(test.left->variable);
      const auto j = test.left->second.valid() ? fixed(test.left->second) : 0;
      if (i && j) return passes_quickly(test, condition.negated, test.left->table[*i * test.left->second_size + *j]);
    }
    if (values.empty()) {
      values = row;
      fix(values, first, x);
      fix(values, second, y);
    }
    if (alone) return filter(condition, values);
    Codes some = values;  // a condition that fails leaves no values for the next one
    return filter(condition, some);
  };
  std::uint32_t node = step.from;
  const auto joins = [&] { return starts_check_[node] || node == model_.game.begin().value; };
  for (int i = 0; i < kFarthest && !model_.in[node].empty() && !joins(); ++i) {
    const std::vector<std::uint32_t>& in = model_.in[node];
    const Step& before = model_.steps[in[0]];
    // Of several ways here one was taken; they go on together only where they come from one node.
    const auto same = [&](std::uint32_t s) { return model_.steps[s].from == before.from; };
    const auto compares = [&](std::uint32_t s) { return model_.steps[s].kind == Deed::compare; };
    if (in.size() > 1 && !std::ranges::all_of(in, compares)) break;
    if (is_assignment(before)) break;
    const auto holds = [&](std::uint32_t s) { return may_hold(model_.steps[s], in.size() == 1); };
    if (compares(in[0])) {
      asked.insert(asked.end(), in.begin(), in.end());
      if (std::ranges::none_of(in, holds)) {
        for (const std::uint32_t s : asked) depend(step.from, model_.steps[s]);
        return false;
      }
    }
    if (!std::ranges::all_of(in, same)) break;
    node = before.from;
  }
  return true;
}

template <class F>
void PossibleValues::for_each_entry(const Form& form, const std::uint64_t* row, VarId fixed, std::uint32_t value,
                                    F&& f) const {
  const auto choose = [&](VarId variable, auto&& g) {
    if (!variable.valid())
      g(0U);
    else if (variable == fixed)
      g(value);
    else
      for_each_value(row, variable, g);
  };
  choose(form.variable, [&](std::uint32_t x) {
    choose(form.second, [&](std::uint32_t y) { f(form.table[x * form.second_size + y]); });
  });
}

void PossibleValues::values_of(const Form& form, const std::uint64_t* row, VarId fixed, std::uint32_t value,
                               Codes& into) const {
  const auto add = [&](std::uint32_t code) {
    if (code / 64 < into.size()) into[code / 64] |= std::uint64_t{1} << (code % 64);
  };
  if (form.kind == Form::Kind::other) {
    for (std::size_t w = 0; w < into.size() && w < form.any.size(); ++w) into[w] |= form.any[w];
    return;
  }
  if (form.kind != Form::Kind::cell) {
    for_each_entry(form, row, fixed, value, add);
    return;
  }
  const std::size_t words = cell_words_[form.map.value];
  const std::vector<std::uint64_t>& cells = cells_[form.map.value];
  std::array<std::uint64_t, kMostKnownContents / 64> contents{};
  for_each_entry(form, row, fixed, value, [&](std::uint32_t key) {
    for (std::size_t w = 0; w < words && key * words + w < cells.size(); ++w) contents[w] |= cells[key * words + w];
  });
  for (std::size_t w = 0; w < words; ++w) {
    for (; contents[w] != 0; contents[w] &= contents[w] - 1) {
      const auto c = static_cast<std::uint32_t>(64 * w + static_cast<std::size_t>(__builtin_ctzll(contents[w])));
      add(form.post.empty() ? c : form.post[c]);
    }
  }
}

PossibleValues::Codes PossibleValues::values_at(std::uint32_t node, ir::ExprId expression,
                                                std::uint32_t universe) const {
  Codes result((model_.universes[universe].size() + 63) / 64, 0);
  values_of(form(expression, universe), row(node), VarId(), 0, result);
  return result;
}

PossibleValues::Test& PossibleValues::test(const Step& step) const {
  if (tests_.size() <= step.edge.value) tests_.resize(step.edge.value + 1);
  Test& test = tests_[step.edge.value];
  if (test.ready) return test;
  test.ready = true;
  const auto universe = model_.universe_of(step);
  if (!universe) return test;
  test.left = &form(step.lhs, *universe);
  test.right = &form(step.rhs, *universe);
  if (test.left->kind == Form::Kind::other && test.right->kind == Form::Kind::other) return test;
  test.known = true;
  test.words = (model_.universes[*universe].size() + 63) / 64;
  for (const VarId x : {test.left->variable, test.left->second, test.right->variable, test.right->second}) {
    if (x.valid() && std::ranges::find(test.variables, x) == test.variables.end()) {
      test.variables.push_back(x);
    }
  }
  if (test.left->kind == Form::Kind::constant) std::swap(test.left, test.right);
  if (test.right->kind != Form::Kind::constant || test.variables.empty()) return test;
  test.code = test.right->table[0];
  test.by_value = test.left->kind == Form::Kind::scalar;
  test.by_cell = test.left->kind == Form::Kind::cell;
  if (!test.by_cell) return test;
  const std::uint32_t leaf = model_.universe(test.left->map).size();
  test.contents.assign(cell_words_[test.left->map.value], 0);
  for (std::uint32_t c = 0; c < leaf; ++c) {
    const std::uint32_t value = test.left->post.empty() ? c : test.left->post[c];
    if (value == test.code) test.contents[c / 64] |= std::uint64_t{1} << (c % 64);
  }
  return test;
}

bool PossibleValues::passes_quickly(const Test& test, bool negated, std::uint32_t at) const {
  if (test.by_value) return (at == test.code) != negated;
  const std::vector<std::uint64_t>& cells = cells_[test.left->map.value];
  const std::size_t words = test.contents.size();
  for (std::size_t w = 0; w < words && at * words + w < cells.size(); ++w) {
    if ((cells[at * words + w] & (negated ? ~test.contents[w] : test.contents[w])) != 0) return true;
  }
  return false;
}

bool PossibleValues::filter_one(Test& test, bool negated, Codes& row) const {
  const VarId x = test.variables[0];
  const Slot& slot = this->slot(x);
  const std::size_t words = slot.words;
  Tried& tried = test.tried[negated ? 1 : 0];
  const std::size_t growths = test.by_cell ? map_growths_[test.left->map.value] : 0;
  if (tried.passing.empty()) tried = {Codes(words, 0), Codes(words, 0), growths};
  if (tried.growths != growths) tried = {std::move(tried.passing), Codes(words, 0), growths};
  std::uint64_t left = 0;
  for (std::size_t w = 0; w < words; ++w) {
    const std::uint64_t word = slot.get(row.data(), w);
    for (std::uint64_t bits = word & ~(tried.passing[w] | tried.failing[w]); bits != 0; bits &= bits - 1) {
      const auto bit = static_cast<unsigned>(__builtin_ctzll(bits));
      const bool passes = passes_quickly(test, negated, test.left->table[64 * w + bit]);
      (passes ? tried.passing : tried.failing)[w] |= std::uint64_t{1} << bit;
    }
    slot.put(row.data(), w, word & tried.passing[w]);
    left |= word & tried.passing[w];
  }
  effort_ += 64 * words;
  return left != 0;
}

// A value stays when it passes together with some value of the other variable.
bool PossibleValues::filter_two(const Test& test, bool negated, Codes& row) const {
  const VarId x = test.left->variable, y = test.left->second;
  Codes first(slot(x).words, 0), second(slot(y).words, 0);
  const auto passes = [&](std::uint32_t i, std::uint32_t j) {
    return passes_quickly(test, negated, test.left->table[i * test.left->second_size + j]);
  };
  const auto keep = [&](std::uint32_t i, std::uint32_t j) {
    first[i / 64] |= std::uint64_t{1} << (i % 64);
    second[j / 64] |= std::uint64_t{1} << (j % 64);
    return true;
  };
  for_each_value(row.data(), x, [&](std::uint32_t i) {
    any_value(row.data(), y, [&](std::uint32_t j) { return passes(i, j) && keep(i, j); });
  });
  for_each_value(row.data(), y, [&](std::uint32_t j) {
    if ((second[j / 64] >> (j % 64) & 1U) != 0) return;
    any_value(row.data(), x, [&](std::uint32_t i) { return passes(i, j) && keep(i, j); });
  });
  slot(x).put(row, first);
  slot(y).put(row, second);
  return std::ranges::any_of(first, [](std::uint64_t word) { return word != 0; });
}

// Keeps the values that can pass a condition.
bool PossibleValues::filter(const Step& step, Codes& row) const {
  Test& test = this->test(step);
  if (!test.known) return true;
  if (test.by_cell || test.by_value) {
    return test.variables.size() == 1 ? filter_one(test, step.negated, row) : filter_two(test, step.negated, row);
  }
  Codes a(test.words), b(test.words);
  const auto passes = [&](VarId fixed, std::uint32_t value) {
    std::fill(a.begin(), a.end(), 0);
    std::fill(b.begin(), b.end(), 0);
    values_of(*test.left, row.data(), fixed, value, a);
    values_of(*test.right, row.data(), fixed, value, b);
    return step.negated ? !same_single(a, b) : intersect(a, b);
  };
  if (!passes(VarId(), 0)) return false;
  for (const VarId x : test.variables) {
    bool any = false;
    Codes kept(slot(x).words, 0);
    for_each_value(row.data(), x, [&](std::uint32_t code) {
      if (!passes(x, code)) return;
      any = true;
      kept[code / 64] |= std::uint64_t{1} << (code % 64);
    });
    if (!any) return false;
    slot(x).put(row, kept);
  }
  return true;
}

PossibleValues::Codes PossibleValues::ever(VarId variable) const {
  const std::uint32_t v = variable.value;
  if (ever_.empty()) {
    ever_.assign(width_, 0);
    for (std::uint32_t node = 0; node < reached_.size(); ++node) {
      for (std::size_t w = 0; w < width_; ++w) ever_[w] |= row(node)[w];
    }
  }
  Codes all(slot(variable).words + cell_words_[v], 0);
  for (std::size_t w = 0; w < slot(variable).words; ++w) all[w] = slot(variable).get(ever_.data(), w);
  for (std::size_t i = 0; i < cells_[v].size(); ++i) all[i % cell_words_[v]] |= cells_[v][i];
  return all;
}

Truth PossibleValues::holds(const Step& step) const {
  if (!usable_ || step.kind != Deed::compare) return Truth::unknown;
  if (!reached_[step.from]) return Truth::no;
  const auto scalar = [&](ExprId e) { return model_.shape(model_.game.expressions().type(e)).scalar(); };
  const auto universe = model_.universe_of(step);
  if (!universe || (model_.universe_of(step.lhs) && !scalar(step.lhs)) ||
      (model_.universe_of(step.rhs) && !scalar(step.rhs)))
    return Truth::unknown;
  Codes values(row(step.from), row(step.from) + width_);
  if (!filter(step, values)) return Truth::no;
  Step opposite = step;
  opposite.negated = !step.negated;
  values.assign(row(step.from), row(step.from) + width_);
  return filter(opposite, values) ? Truth::unknown : Truth::yes;
}

bool PossibleValues::can_pass(const Step& step, VarId variable, std::uint32_t code) const {
  if (const Test& quick = test(step);
      (quick.by_cell || quick.by_value) && quick.variables == std::vector<VarId>{variable}) {
    return passes_quickly(quick, step.negated, quick.left->table[code]);
  }
  Codes values = values_at(step.from);
  fix(values, variable, code);
  return filter(step, values);
}

const Form& PossibleValues::form(ExprId expression, std::uint32_t universe) const {
  const auto [it, fresh] = forms_.try_emplace({expression.value, universe});
  if (fresh) it->second = make_form(expression, universe);
  return it->second;
}

Form PossibleValues::make_form(ExprId expression, std::uint32_t universe) const {
  Form form;
  const auto& e = model_.game.expressions();
  const Folded folded = model_.fold(expression);
  if (folded.symbol.valid()) {
    form.kind = Form::Kind::constant;
    form.table = {model_.code(universe, folded.symbol)};
    return form;
  }
  form.any = model_.possible(expression, universe).to_words();
  if (folded.map.valid()) return form;
  // What the value depends on: variables, and cells of changing maps.
  std::vector<VarId> scalars;
  ExprId cell;
  bool bad = false;
  model_.for_each_atom(expression, [&](ExprId atom) {
    if (e.kind(atom) == ExprKind::access) {
      bad = bad || (cell.valid() && cell != atom);
      cell = atom;
      return;
    }
    const VarId v = e.variable(atom);
    bad = bad || !model_.scalar(v);
    if (std::ranges::find(scalars, v) == scalars.end()) scalars.push_back(v);
  });
  if (bad || (!scalars.empty() && cell.valid())) return form;
  if (cell.valid())
    fill_cell_form(form, expression, cell, universe);
  else
    fill_scalar_form(form, expression, scalars, universe);
  return form;
}

void PossibleValues::fill_cell_form(Form& form, ExprId expression, ExprId cell, std::uint32_t universe) const {
  const auto& e = model_.game.expressions();
  const VarId map = e.variable(e.root(cell));
  if (cells_[map.value].empty()) return;
  const ArrayShape& shape = model_.variable_shape(map);
  const Form& index = this->form(e.index(cell), shape.keys[0]);
  if (index.kind != Form::Kind::constant && index.kind != Form::Kind::scalar) return;
  if (cell != expression) {
    Bindings bindings = {{cell, SymbolId()}};
    for (const SymbolId symbol : model_.universes[shape.leaf].symbols) {
      bindings[0].second = symbol;
      const Folded result = model_.fold(expression, bindings);
      if (!result.symbol.valid()) return;
      form.post.push_back(model_.code(universe, result.symbol));
    }
  }
  const std::vector<std::uint32_t> post = std::move(form.post);
  const std::vector<std::uint64_t> any = std::move(form.any);
  form = index;
  form.any = any;
  form.kind = Form::Kind::cell;
  form.map = map;
  form.post = post;
}

void PossibleValues::fill_scalar_form(Form& form, ExprId expression, const std::vector<VarId>& scalars,
                                      std::uint32_t universe) const {
  if (scalars.empty() || scalars.size() > 2) return;
  const auto universe_of = [&](VarId v) -> const Universe& { return model_.universe(v); };
  Bindings bindings;
  for (const VarId v : scalars) bindings.emplace_back(model_.game.variable_ref(v), SymbolId());
  static const std::vector<SymbolId> kOne(1);
  const std::vector<SymbolId>& seconds = scalars.size() > 1 ? universe_of(scalars[1]).symbols : kOne;
  if (universe_of(scalars[0]).size() * seconds.size() > kMostTableCells) return;
  const auto held = [&](std::size_t of, std::size_t code) {
    return of >= scalars.size() || model_.variable_values[scalars[of].value].test(code);
  };
  for (std::size_t x = 0; x < universe_of(scalars[0]).size(); ++x) {
    bindings[0].second = universe_of(scalars[0]).symbols[x];
    for (std::size_t y = 0; y < seconds.size(); ++y) {
      if (!held(0, x) || !held(1, y)) {
        form.table.push_back(0);  // never looked up
        continue;
      }
      if (scalars.size() > 1) bindings[1].second = seconds[y];
      const Folded result = model_.fold(expression, bindings);
      if (!result.symbol.valid()) {
        form.table.clear();
        return;
      }
      form.table.push_back(model_.code(universe, result.symbol));
    }
  }
  form.kind = Form::Kind::scalar;
  form.variable = scalars[0];
  if (scalars.size() > 1) {
    form.second = scalars[1];
    form.second_size = static_cast<std::uint32_t>(seconds.size());
  }
}

}  // namespace rgtrans::cpp
