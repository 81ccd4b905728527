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
      : program_(program), stamps_(program.stamps, 0), sets_(program.visits.size()), arrivals_(program.visits.size()) {}

  // The number of a new exploration.
  std::uint32_t next_epoch() {
    if (++epoch_ == 0) {
      std::fill(stamps_.begin(), stamps_.end(), 0U);
      for (KeySet& set : sets_) set.forget();
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
  // True at the first arrival. The exploration began where the trail had the size `base`.
  bool arrive(const Cell* s, std::uint32_t index, std::uint32_t epoch, const Trail<Cell>& trail, std::uint32_t base,
              Labels& labels) {
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
      return sets_[index].insert(epoch, spec.tags ? labels.prefix() : 0, code);
    }
    if (spec.member.empty()) {
      pack(s, spec);
    } else {
      list_changes(s, spec, trail, base);
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

  // The cells of interest that differ from the start of the exploration, each with its value: as telling as all cells,
  // and usually few.
  void list_changes(const Cell* s, const VisitSpec& spec, const Trail<Cell>& trail, std::uint32_t base) {
    words_.clear();
    marks_.resize(spec.member.size());
    ++mark_;
    for (std::size_t i = base; i < trail.size(); ++i) {
      const std::uint32_t cell = trail[i].cell;
      if (!spec.member[cell] || marks_[cell] == mark_) continue;
      marks_[cell] = mark_;  // the first of several entries for a cell has its value at the start
      if (s[cell] != trail[i].old) words_.push_back(std::uint64_t{cell} << 32U | s[cell]);
    }
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
  std::vector<Arrivals> arrivals_;
  std::vector<std::uint64_t> words_;  // of the key of a visit
  std::vector<std::uint64_t> marks_;  // by cell: the last list of changes that has it
  std::uint64_t mark_ = 0;
  std::uint32_t epoch_ = 0;
};

}  // namespace rgtrans::interpreter
