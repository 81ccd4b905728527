#include "frontends/gdl/datalog/relation.hpp"

#include <algorithm>

namespace rgtrans::gdl {

std::pair<std::uint32_t, bool> Relation::insert(const std::uint32_t* tuple) {
  if ((std::size_t{count_} + 1) * 2 > slots_.size()) grow();
  const std::size_t mask = slots_.size() - 1;
  const std::uint32_t h = hash(tuple);
  for (std::size_t i = h & mask;; i = (i + 1) & mask) {
    Slot& slot = slots_[i];
    if (slot.row == kNone) {
      slot = {count_, h};
      data_.insert(data_.end(), tuple, tuple + arity_);
      return {count_++, true};
    }
    if (slot.hash == h && equal(slot.row, tuple)) return {slot.row, false};
  }
}

std::uint32_t Relation::find(const std::uint32_t* tuple) const {
  if (slots_.empty()) return kNone;
  const std::size_t mask = slots_.size() - 1;
  const std::uint32_t h = hash(tuple);
  for (std::size_t i = h & mask;; i = (i + 1) & mask) {
    const Slot& slot = slots_[i];
    if (slot.row == kNone || (slot.hash == h && equal(slot.row, tuple))) return slot.row;
  }
}

void Relation::grow() {
  const std::vector<Slot> old = std::move(slots_);
  slots_.assign(std::max<std::size_t>(8, old.size() * 2), Slot{});
  const std::size_t mask = slots_.size() - 1;
  for (const Slot& slot : old) {
    if (slot.row == kNone) continue;
    std::size_t i = slot.hash & mask;
    while (slots_[i].row != kNone) i = (i + 1) & mask;
    slots_[i] = slot;
  }
}

void Relation::clear() {
  if (count_ == 0) return;
  count_ = old_end = delta_end = 0;
  data_.clear();
  std::ranges::fill(slots_, Slot{});
  for (const auto& index : indexes_) index->clear();
}

Index& Relation::index(const std::vector<std::uint32_t>& columns) {
  for (const auto& index : indexes_)
    if (index->columns() == columns) return *index;
  indexes_.push_back(std::make_unique<Index>(*this, columns));
  indexes_.back()->update();
  return *indexes_.back();
}

void Relation::update_indexes() {
  for (const auto& index : indexes_) index->update();
}

double Relation::distinct(std::uint32_t column) {
  if (distinct_.empty()) distinct_.resize(arity_);
  ColumnCount& c = distinct_[column];
  if (count_ > c.at_size + c.at_size / 2) {
    std::vector<std::uint32_t> values;
    // Samples a large relation: the number only guides the join order.
    const std::uint32_t stride = std::max(1U, count_ / 20'000);
    for (std::uint32_t r = 0; r < count_; r += stride) values.push_back(row(r)[column]);
    std::ranges::sort(values);
    c.count = static_cast<double>(std::unique(values.begin(), values.end()) - values.begin());
    c.at_size = count_;
  }
  return std::max(1.0, c.count);
}

std::size_t Relation::memory() const {
  std::size_t bytes = data_.capacity() * 4 + slots_.capacity() * sizeof(Slot);
  for (const auto& index : indexes_) bytes += index->memory();
  return bytes;
}

std::uint64_t Index::hash_row(std::uint32_t row) const {
  const std::uint32_t* const values = relation_->row(row);
  std::uint64_t h = 0x2545f4914f6cdd1dULL;
  for (const std::uint32_t c : columns_) h = hash_step(h, values[c]);
  return h;
}

bool Index::same_key(std::uint32_t a, std::uint32_t b) const {
  const std::uint32_t* const x = relation_->row(a);
  const std::uint32_t* const y = relation_->row(b);
  return std::ranges::all_of(columns_, [&](std::uint32_t c) { return x[c] == y[c]; });
}

void Index::update() {
  for (auto row = static_cast<std::uint32_t>(next_.size()); row < relation_->size(); ++row) {
    next_.push_back(kNone);
    if ((keys_ + 1) * 2 > slots_.size()) grow();
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t i = hash_row(row) & mask;; i = (i + 1) & mask) {
      if (slots_[i].first == kNone) {
        slots_[i] = {row, row};
        ++keys_;
        break;
      }
      if (same_key(slots_[i].first, row)) {
        next_[slots_[i].last] = row;
        slots_[i].last = row;
        break;
      }
    }
  }
}

void Index::clear() {
  std::ranges::fill(slots_, Slot{});
  next_.clear();
  keys_ = 0;
}

std::uint32_t Index::find(const std::uint32_t* key) const {
  if (slots_.empty()) return kNone;
  std::uint64_t h = 0x2545f4914f6cdd1dULL;
  const std::size_t width = columns_.size();
  for (std::size_t i = 0; i < width; ++i) h = hash_step(h, key[i]);
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t i = h & mask;; i = (i + 1) & mask) {
    const std::uint32_t row = slots_[i].first;
    if (row == kNone) return kNone;
    const std::uint32_t* const values = relation_->row(row);
    bool same = true;
    for (std::size_t c = 0; c < width; ++c) same = same && values[columns_[c]] == key[c];
    if (same) return row;
  }
}

void Index::grow() {
  const std::vector<Slot> old = std::move(slots_);
  slots_.assign(std::max<std::size_t>(8, old.size() * 2), Slot{});
  const std::size_t mask = slots_.size() - 1;
  for (const Slot& slot : old) {
    if (slot.first == kNone) continue;
    std::size_t i = hash_row(slot.first) & mask;
    while (slots_[i].first != kNone) i = (i + 1) & mask;
    slots_[i] = slot;
  }
}

}  // namespace rgtrans::gdl
