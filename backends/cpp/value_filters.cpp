// Conditions keep the values that can pass them. See values.hpp.
#include <algorithm>

#include "backends/cpp/model.hpp"

namespace rgtrans::cpp {

namespace {

bool intersect(const std::vector<std::uint64_t>& a, const std::vector<std::uint64_t>& b) {
  for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) {
    if ((a[i] & b[i]) != 0) return true;
  }
  return false;
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
  test.contents.assign(cells(test.left->map).words, 0);
  for (std::uint32_t c = 0; c < leaf; ++c) {
    const std::uint32_t value = test.left->post.empty() ? c : test.left->post[c];
    if (value == test.code) test.contents[c / 64] |= std::uint64_t{1} << (c % 64);
  }
  return test;
}

bool PossibleValues::passes_quickly(const Test& test, bool negated, std::uint32_t at) const {
  if (test.by_value) return (at == test.code) != negated;
  const std::vector<std::uint64_t>& cells = this->cells(test.left->map).sets;
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
  const std::size_t growths = test.by_cell ? cells(test.left->map).grown : 0;
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

}  // namespace rgtrans::cpp
