// A relation of the Datalog engine: an append-only array of distinct tuples of term ids, with hash indexes on the
// column sets that join plans use. Rows are numbered by insertion, so the old tuples and the delta of semi-naive
// evaluation are ranges of row numbers. Index chains are in row order.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/support/support.hpp"

namespace rgtrans::gdl {

inline std::uint64_t hash_step(std::uint64_t hash, std::uint32_t value) {
  hash = (hash ^ value) * 0x9e3779b97f4a7c15ULL;
  return hash ^ (hash >> 29);
}

class Relation;

// Maps the values of some columns to the chain of rows with these values.
class Index {
 public:
  Index(const Relation& relation, std::vector<std::uint32_t> columns)
      : relation_(&relation), columns_(std::move(columns)) {}

  // Indexes the rows added since the last call.
  void update();
  void clear();
  // The first row whose columns equal `key`; next() returns the others.
  [[nodiscard]] std::uint32_t find(const std::uint32_t* key) const;
  [[nodiscard]] std::uint32_t next(std::uint32_t row) const { return next_[row]; }
  [[nodiscard]] const std::vector<std::uint32_t>& columns() const { return columns_; }
  [[nodiscard]] std::size_t memory() const { return slots_.capacity() * sizeof(Slot) + next_.capacity() * 4; }

 private:
  struct Slot {
    std::uint32_t first = kNone;
    std::uint32_t last = kNone;
  };
  void grow();
  [[nodiscard]] std::uint64_t hash_row(std::uint32_t row) const;
  [[nodiscard]] bool same_key(std::uint32_t a, std::uint32_t b) const;

  const Relation* relation_;
  std::vector<std::uint32_t> columns_;
  std::vector<Slot> slots_;
  std::vector<std::uint32_t> next_;
  std::size_t keys_ = 0;
};

class Relation {
 public:
  explicit Relation(std::uint32_t arity) : arity_(arity) {}
  Relation(const Relation&) = delete;
  Relation& operator=(const Relation&) = delete;
  Relation(Relation&&) = delete;
  Relation& operator=(Relation&&) = delete;
  ~Relation() = default;

  [[nodiscard]] std::uint32_t arity() const { return arity_; }
  [[nodiscard]] std::uint32_t size() const { return count_; }
  [[nodiscard]] const std::uint32_t* row(std::uint32_t number) const {
    return data_.data() + static_cast<std::size_t>(number) * arity_;
  }

  // The row of a tuple, and whether it is new.
  std::pair<std::uint32_t, bool> insert(const std::uint32_t* tuple);
  [[nodiscard]] std::uint32_t find(const std::uint32_t* tuple) const;

  // Removes all tuples but keeps the memory and the indexes.
  void clear();
  // Makes all tuples visible as the complete relation, outside of rounds.
  void settle() {
    old_end = 0;
    delta_end = size();
    update_indexes();
  }

  Index& index(const std::vector<std::uint32_t>& columns);
  void update_indexes();
  // The number of distinct values in a column, counted again after the relation has grown by half.
  double distinct(std::uint32_t column);
  [[nodiscard]] std::size_t memory() const;

  // Semi-naive evaluation: rows [0, old_end) are old, [old_end, delta_end) are the delta of this round.
  std::uint32_t old_end = 0;
  std::uint32_t delta_end = 0;

 private:
  [[nodiscard]] std::uint32_t hash(const std::uint32_t* tuple) const {
    std::uint64_t h = 0x2545f4914f6cdd1dULL;
    for (std::uint32_t i = 0; i < arity_; ++i) h = hash_step(h, tuple[i]);
    return static_cast<std::uint32_t>(h >> 32);
  }
  [[nodiscard]] bool equal(std::uint32_t number, const std::uint32_t* tuple) const {
    const std::uint32_t* const r = row(number);
    for (std::uint32_t i = 0; i < arity_; ++i)
      if (r[i] != tuple[i]) return false;
    return true;
  }
  void grow();

  // The stored hash spares most lookups the access to other tuples, which are far away in memory.
  struct Slot {
    std::uint32_t row = kNone;
    std::uint32_t hash = 0;
  };

  std::uint32_t arity_;
  std::uint32_t count_ = 0;
  std::vector<std::uint32_t> data_;
  std::vector<Slot> slots_;
  std::vector<std::unique_ptr<Index>> indexes_;
  struct ColumnCount {
    std::uint32_t at_size = 0;
    double count = 1;
  };
  std::vector<ColumnCount> distinct_;
};

}  // namespace rgtrans::gdl
