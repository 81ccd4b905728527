// Formulas over the cells of a state: each atom says that a cell holds a symbol. Equal formulas have equal ids.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <unordered_map>
#include <vector>

#include "core/ir/ir.hpp"

namespace rgtrans::proper {

class CellFormulas {
 public:
  using Id = std::uint32_t;
  static constexpr Id kFalse = 0, kTrue = 1;
  enum class Kind : std::uint8_t { constant, unknown, atom, negation, all, any };

  CellFormulas();
  Id atom(std::uint32_t cell, SymbolId symbol);
  // A truth of its own.
  Id unknown() { return intern({Kind::unknown, static_cast<std::uint32_t>(rows_.size()), {}, {}}); }
  Id negation(Id part);
  Id all(std::vector<Id> parts) { return join(Kind::all, std::move(parts)); }
  Id any(std::vector<Id> parts) { return join(Kind::any, std::move(parts)); }
  Id both(Id a, Id b) { return all({a, b}); }

  [[nodiscard]] std::size_t size() const { return rows_.size(); }

  // Whether `required` formulas cannot all hold, if each cell holds exactly one symbol of domain(cell).
  using Domain = std::function<std::vector<SymbolId>(std::uint32_t cell)>;
  [[nodiscard]] bool contradict(std::span<const Id> required, const Domain& domain, double seconds) const;

 private:
  struct Row {
    Kind kind;
    std::uint32_t cell = 0;
    SymbolId symbol;
    std::vector<Id> parts;
  };
  struct KeyHash {
    std::size_t operator()(const std::vector<std::uint32_t>& key) const {
      std::uint64_t hash = key.size();
      for (const std::uint32_t part : key) hash = combine_hash(hash, part);
      return hash;
    }
  };

  Id join(Kind kind, std::vector<Id> parts);
  Id intern(Row row);

  std::vector<Row> rows_;
  std::unordered_map<std::vector<std::uint32_t>, Id, KeyHash> index_;
};

}  // namespace rgtrans::proper
