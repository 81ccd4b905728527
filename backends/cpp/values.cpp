// See values.hpp. A worklist over the nodes; since all sets only grow, the sets of cells are part of the same fixed
// point: when one has grown, whoever reads its map is looked at again.
#include "backends/cpp/values.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

#include "backends/cpp/cost_model.hpp"
#include "backends/cpp/model.hpp"
#include "core/analysis/analysis.hpp"

namespace rgtrans::cpp {

using ir::ExprKind;

namespace {

bool adds_nothing(const std::uint64_t* values, const std::uint64_t* to, std::size_t words) {
  std::uint64_t more = 0;
  for (std::size_t w = 0; w < words; ++w) more |= values[w] & ~to[w];
  return more == 0;
}

}  // namespace

PossibleValues::PossibleValues(NumberedGame& model, std::uint8_t most_growths)
    : model_(model), most_growths_(most_growths), forms_(model, cells_) {
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
  for (std::uint32_t v = 0; v < variables; ++v) {
    if (!model_.assigned[v]) continue;
    const ArrayShape& shape = model_.variable_shape(VarId(v));
    const std::uint32_t leaf = model_.universes[shape.leaf].size();
    if (shape.scalar()) {
      add_slot(v, leaf);
    } else if (shape.keys.size() == 1 && leaf <= kEfforts.followed_contents &&
               model_.universes[shape.keys[0]].size() <= kEfforts.followed_cells) {
      CellSets& cells = cells_[v];
      cells.words = (leaf + 63) / 64;
      cells.growths.assign(model_.universes[shape.keys[0]].size(), 0);
      const ValueId initial = model_.game.variable(VarId(v)).initial;
      for (const SymbolId key : model_.universes[shape.keys[0]].symbols) {
        const SymbolId value = model_.game.values.as_symbol(model_.game.values.at(initial, key));
        const std::uint32_t code = model_.code(shape.leaf, value);
        cells.sets.resize(cells.sets.size() + cells.words, 0);
        cells.sets[cells.sets.size() - cells.words + code / 64] |= std::uint64_t{1} << (code % 64);
      }
    }
  }
  usable_ = most_growths_ > 0 && model_.out.size() * width_ <= kEfforts.value_words &&
            model_.out.size() * tracked_.size() <= kEfforts.value_sets;
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
  readers_.assign(cells_.size(), {});
  for (const Step& step : model_.steps) {
    for (const ExprId expression : {step.lhs, step.rhs}) {
      if (!expression.valid()) continue;
      model_.for_each_read(expression, [&](VarId v) {
        if (cells(v).known()) readers_[v.value].push_back(step.from);
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
    work_->queue(flow_->index(ir::NodeId(node)));
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
  work_->queue(flow_->index(ir::NodeId(node)));
}

// A counter of turns comes with one more value each time around: all that it can ever hold are taken at once.
PossibleValues::Codes PossibleValues::all_values(VarId variable) const {
  return model_.variable_values[variable.value].to_words();
}

void PossibleValues::run() {
  Codes row;
  for (bool again = true; again;) {
    usable_ = work_->run([&](std::uint32_t index) {
      const std::uint32_t node = flow_->node(index).value;
      effort_ += model_.out[node].size() * (width_ + 16);
      for (const std::uint32_t s : model_.out[node]) leave(model_.steps[s], row);
      return effort_ <= kEfforts.values;
    });
    if (!usable_) return;
    again = false;
    for (std::uint32_t map = 0; map < cells_.size(); ++map) {
      if (!std::exchange(cells_[map].grew, false)) continue;
      for (const std::uint32_t reader : readers_[map]) {
        if (!reached_[reader]) continue;
        work_->queue(flow_->index(ir::NodeId(reader)));
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
  if (is_assignment(step) && !tracked(step.variable)) write_cells(step, row);
  if (pass(step, row)) join(step.to, row.data());
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

void PossibleValues::grow_cell(VarId map, std::uint32_t cell, const Codes& values) {
  CellSets& cells = cells_[map.value];
  if (!cells.grows(cell, values)) return;
  cells.grew = true;
  ++cells.grown;
  const bool often = ++cells.growths[cell] == most_growths_;
  const Codes more = often ? all_values(map) : values;
  for (std::size_t w = 0; w < more.size(); ++w) cells.sets[cell * more.size() + w] |= values[w] | more[w];
}

void PossibleValues::write_cells(const Step& step, const Codes& row) {
  const VarId map = step.variable;
  const CellSets& cells = this->cells(map);
  if (!cells.known()) return;
  const auto& e = model_.game.expressions();
  if (!model_.is_cell(step.lhs)) {
    const Codes all = all_values(map);
    for (std::uint32_t cell = 0; cell < cells.count(); ++cell) grow_cell(map, cell, all);
    return;
  }
  const ArrayShape& shape = model_.variable_shape(map);
  const Form& index = form(e.index(step.lhs), shape.keys[0]);
  const Form* const source = step.kind == Deed::assign ? &form(step.rhs, shape.leaf) : nullptr;
  const std::size_t count = cells.count();
  Codes values = source == nullptr ? model_.members(step.type).to_words() : Codes(cells.words, 0);
  if (source != nullptr) values_of(*source, row.data(), VarId(), 0, values);
  const auto grows = [&](std::uint32_t key) { return key < count && cells.grows(key, values); };
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
      if (cells(v).known() && std::ranges::find(readers, node) == readers.end()) readers.push_back(node);
    });
  }
}

// Conditions directly before the step can tie two variables together, which their separate sets do not show.
bool PossibleValues::guards_allow(const Step& step, const Codes& row, VarId first, std::uint32_t x, VarId second,
                                  std::uint32_t y) {
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
  for (int i = 0; i < kEfforts.guards && !model_.in[node].empty() && !joins(); ++i) {
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
  const std::size_t words = cells(form.map).words;
  const std::vector<std::uint64_t>& cells = this->cells(form.map).sets;
  std::array<std::uint64_t, kEfforts.followed_contents / 64> contents{};
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

PossibleValues::Codes PossibleValues::ever(VarId variable) const {
  if (ever_.empty()) {
    ever_.assign(width_, 0);
    for (std::uint32_t node = 0; node < reached_.size(); ++node) {
      for (std::size_t w = 0; w < width_; ++w) ever_[w] |= row(node)[w];
    }
  }
  const CellSets& cells = this->cells(variable);
  Codes all(slot(variable).words + cells.words, 0);
  for (std::size_t w = 0; w < slot(variable).words; ++w) all[w] = slot(variable).get(ever_.data(), w);
  for (std::size_t i = 0; i < cells.sets.size(); ++i) all[i % cells.words] |= cells.sets[i];
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

}  // namespace rgtrans::cpp
