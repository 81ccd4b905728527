// Records the visits of an exploration with their keys. Reasoners compiled from tables embed this file, so it depends
// on the standard library only.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "backends/interpreter/labels.hpp"
#include "backends/interpreter/program.hpp"
#include "backends/interpreter/trail.hpp"
#include "backends/interpreter/visited.hpp"

namespace rgtrans::interpreter {

template <class Cell>
class VisitMemory {
 public:
  explicit VisitMemory(const MachineProgram& program)
      : program_(program),
        stamps_(program.stamps, 0),
        sets_(program.visits.size()),
        rows_(program.visits.size()),
        arrivals_(program.visits.size()) {
    for (const VisitSpec& spec : program.visits) {
      listed_.resize(std::max(listed_.size(), spec.member.size()), 0);
      for (std::size_t cell = 0; cell < spec.member.size(); ++cell) listed_[cell] |= spec.member[cell] ? 1 : 0;
    }
    marks_.resize(listed_.size(), 0);
  }

  // The number of a new exploration.
  std::uint32_t next_epoch() {
    if (++epoch_ == 0) {
      std::fill(stamps_.begin(), stamps_.end(), 0U);
      for (KeySet& set : sets_) set.forget();
      for (PrefixRows& rows : rows_) rows.forget();
      for (Changed& changed : changed_) changed.epoch = 0;
      std::fill(arrivals_.begin(), arrivals_.end(), Arrivals{});
      epoch_ = 1;
    }
    return epoch_;
  }

  // True while a late visit does not record arrivals yet.
  [[gnu::always_inline]] bool early(const Instruction& visit, std::uint32_t epoch) {
    if (visit.k == 0) return false;
    Arrivals& arrivals = arrivals_[visit.a];
    if (arrivals.epoch != epoch) arrivals = {epoch, 0};
    return ++arrivals.count < kLateVisits;
  }
  // Whether this is the first arrival with its key. `base`: the size of the trail at the start of the exploration;
  // `depth`: the number of enclosing explorations.
  bool arrive(const Cell* s, std::uint32_t index, std::uint32_t epoch, Trail<Cell>& trail, std::uint32_t base,
              std::size_t depth, Labels& labels) {
    const VisitSpec& spec = program_.visits[index];
    if (spec.exact) {
      std::uint64_t code = 0;
      for (const VisitSpec::Part& part : spec.parts) code = code * part.range + (s[part.cell] - part.low);
      if (spec.small) {
        std::uint32_t& stamp = stamps_[spec.direct + code];
        if (stamp == epoch) return false;
        stamp = epoch;
        return true;
      }
      if (spec.codes <= PrefixRows::kMostCodes) {
        return rows_[index].insert(epoch, labels.prefix(), static_cast<std::size_t>(code), spec.codes);
      }
      return sets_[index].insert(epoch, spec.tags ? labels.prefix() : 0, code);
    }
    if (spec.member.empty()) {
      pack(s, spec);
    } else {
      list_changes(s, spec, epoch, trail, base, depth);
      return sets_[index].insert_any_order(epoch, spec.tags ? labels.prefix() : 0, words_, [s](std::uint64_t word) {
        return s[word >> 32U] == static_cast<Cell>(word);
      });
    }
    return sets_[index].insert(epoch, spec.tags ? labels.prefix() : 0, words_.data(), words_.size());
  }

 private:
  struct Arrivals {
    std::uint32_t epoch = 0;
    std::uint32_t count = 0;
  };

  // The cells of large keys that have changed since an exploration began, in the order of their first changes.
  struct Changed {
    struct First {
      std::uint32_t cell;
      std::uint32_t step;  // index on the trail
      Cell old;
    };
    std::uint32_t epoch = 0;
    std::size_t seen = 0;  // number of processed steps of the trail
    Stack<First> cells;
    std::vector<std::uint8_t> open;  // by cell: it has not changed yet
  };

  // Lists the key's cells that differ from the start of the exploration, with their values. This list identifies the
  // key and is usually short. A short trail is scanned completely.
  void list_changes(const Cell* s, const VisitSpec& spec, std::uint32_t epoch, Trail<Cell>& trail, std::uint32_t base,
                    std::size_t depth) {
    constexpr std::size_t kShort = 24;
    words_.clear();
    const auto list = [&](std::uint32_t cell, Cell old) {
      if (s[cell] != old) words_.push_back(std::uint64_t{cell} << 32U | s[cell]);
    };
    if (trail.size() - base > kShort) {
      const Stack<typename Changed::First>& cells = changed_cells(epoch, trail, base, depth);
      for (std::size_t i = 0; i < cells.size(); ++i) {
        if (spec.member[cells[i].cell]) list(cells[i].cell, cells[i].old);
      }
      return;
    }
    ++mark_;
    for (std::size_t i = base; i < trail.size(); ++i) {
      const std::uint32_t cell = trail[i].cell;
      if (!spec.member[cell] || marks_[cell] == mark_) continue;
      marks_[cell] = mark_;  // the first entry of a cell has its initial value
      list(cell, trail[i].old);
    }
  }

  // Updates the list of changed cells; only the new part of the trail is scanned.
  const Stack<typename Changed::First>& changed_cells(std::uint32_t epoch, Trail<Cell>& trail, std::uint32_t base,
                                                      std::size_t depth) {
    while (changed_.size() <= depth) changed_.push_back({0, 0, {}, listed_});
    Changed& changed = changed_[depth];
    Stack<typename Changed::First>& cells = changed.cells;
    const std::size_t stands = changed.epoch == epoch ? std::min(changed.seen, trail.low()) : 0;
    while (!cells.empty() && (stands == 0 || cells.top().step >= stands)) {
      changed.open[cells.top().cell] = 1;
      cells.pop();
    }
    const std::uint32_t size = trail.size();
    for (auto i = std::max(base, static_cast<std::uint32_t>(stands)); i < size; ++i) {
      const std::uint32_t cell = trail[i].cell;
      if (changed.open[cell] == 0) continue;
      changed.open[cell] = 0;
      cells.push({cell, i, trail[i].old});
    }
    changed.epoch = epoch;
    changed.seen = size;
    trail.set_low(size);
    return cells;
  }

  // Packs all parts of the key, several per word.
  void pack(const Cell* s, const VisitSpec& spec) {
    constexpr std::size_t kCells = sizeof(std::uint64_t) / sizeof(Cell);
    const std::size_t count = spec.parts.size();
    words_.resize((count + kCells - 1) / kCells);
    for (std::size_t i = 0; i < count; i += kCells) {
      std::uint64_t word = 0;
      for (std::size_t k = i; k < std::min(count, i + kCells); ++k) {
        word = word << (8 * sizeof(Cell)) | s[spec.parts[k].cell];
      }
      words_[i / kCells] = word;
    }
  }

  const MachineProgram& program_;
  std::vector<std::uint32_t> stamps_;
  std::vector<KeySet> sets_;
  std::vector<PrefixRows> rows_;
  std::vector<Arrivals> arrivals_;
  std::vector<std::uint64_t> marks_;  // by cell: the last list of changes that contains it
  std::uint64_t mark_ = 0;
  std::vector<std::uint8_t> listed_;  // by cell: it is in some large key
  std::vector<Changed> changed_;      // by number of enclosing explorations
  std::vector<std::uint64_t> words_;  // words of a visit's key
  std::uint32_t epoch_ = 0;
};

}  // namespace rgtrans::interpreter
