// Which places of the code were met before in an exploration, with what they tell apart.
// Reasoners that are compiled from tables carry this text, so it stands on the standard library alone.
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

  // True as long as a late visit does not ask.
  [[gnu::always_inline]] bool early(const Instruction& visit, std::uint32_t epoch) {
    if (visit.k == 0) return false;
    Arrivals& arrivals = arrivals_[visit.a];
    if (arrivals.epoch != epoch) arrivals = {epoch, 0};
    return ++arrivals.count < kLateVisits;
  }
  // True at the first arrival. The exploration began where the trail had the size `base`, inside of so many others.
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

  // The cells that some key lists and that have changed since an exploration began, in the order of their first
  // changes.
  struct Changed {
    struct First {
      std::uint32_t cell;
      std::uint32_t step;  // on the trail
      Cell old;
    };
    std::uint32_t epoch = 0;
    std::size_t seen = 0;  // so many steps of the trail are accounted for
    Stack<First> cells;
    std::vector<std::uint8_t> open;  // by cell: a change of it would be the first one
  };

  // The cells of interest that differ from the start of the exploration, each with its value: as telling as all cells,
  // and usually few. Short trails are read as a whole.
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
      marks_[cell] = mark_;  // the first of several entries for a cell has its value at the start
      list(cell, trail[i].old);
    }
  }

  // Of the trail only what is new since the last question is looked at.
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

  // All parts of the key, several in a word.
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
  std::vector<std::uint64_t> marks_;  // by cell: the last list of changes that has it
  std::uint64_t mark_ = 0;
  std::vector<std::uint8_t> listed_;  // by cell: some key lists it
  std::vector<Changed> changed_;      // by the number of explorations around
  std::vector<std::uint64_t> words_;  // of the key of a visit
  std::uint32_t epoch_ = 0;
};

}  // namespace rgtrans::interpreter
