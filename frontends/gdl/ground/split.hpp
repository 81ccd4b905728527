// Rule splitting. A tree decomposition of a body's variables splits a large rule: a subset of literals is projected to
// the variables that the rest uses and becomes an auxiliary relation. The number of ground rules then follows the
// largest part, not the product of all.
//
//   p(x) <- q(x, y), r(y, z), s(z)      becomes      p(x) <- q(x, y), a(y)      a(y) <- r(y, z), s(z)
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "frontends/gdl/datalog/engine.hpp"
#include "frontends/gdl/ground/demand.hpp"

namespace rgtrans::gdl {

class Splitter {
 public:
  Splitter(Engine& engine, const Domains& domains, DomainRelations& domain_relations)
      : engine_(engine), domains_(domains), domain_relations_(domain_relations) {}

  // Plans the decomposition of `rule`. False if it saves too little.
  bool plan(const EngineRule& rule);
  // Appends the rules that replace the planned one, parts before their users. Parts without dynamic literals define
  // static relations. `cyclic`: the head may depend on itself.
  void apply(bool cyclic, std::vector<EngineRule>& out);

 private:
  // A node of the decomposition: literals of the rule, and projections of its children.
  struct Bag {
    std::vector<std::uint32_t> literals;
    std::vector<std::uint32_t> children;
    std::uint32_t parent = 0;
  };
  // Statistics of a literal or of a bag's projection.
  struct Item {
    double rows = 1;
    std::vector<std::uint32_t> variables;
    std::vector<double> distinct;  // per variable
    bool binds = true;
    bool dynamic = false;
  };
  struct Estimate {
    double rows = 1;  // matches of all items
    double work = 0;  // partial matches before that
  };

  [[nodiscard]] Item item_of(const EngineLiteral& literal) const;
  [[nodiscard]] double values(std::uint32_t variable) const { return values_[variable].size(); }
  [[nodiscard]] double product(std::span<const std::uint32_t> variables) const;
  [[nodiscard]] Estimate join(std::span<const Item* const> items) const;
  [[nodiscard]] double cost(Estimate estimate, std::span<const Item* const> items,
                            std::span<const std::uint32_t> shown) const;
  void decompose();
  void merge_bags();
  void merge_into_parent(std::uint32_t bag);
  double measure(std::uint32_t bag);
  [[nodiscard]] std::vector<std::uint32_t> interface_of(std::uint32_t bag) const;
  void mark_subtree(std::uint32_t bag, std::vector<bool>& literals) const;
  EngineLiteral emit(std::uint32_t bag, bool cyclic, std::vector<EngineRule>& out);
  [[nodiscard]] EngineRule rule_of(std::uint32_t bag, bool cyclic, std::vector<EngineRule>& out);
  void bind_open(EngineRule& rule);
  void encode(Pattern pattern, std::vector<std::uint32_t>& number, std::uint32_t& next,
              std::vector<std::uint32_t>& key) const;

  Engine& engine_;
  const Domains& domains_;
  DomainRelations& domain_relations_;
  // The rule to split.
  EngineRule rule_;
  std::vector<Domain> values_;
  std::vector<std::uint32_t> head_variables_;
  std::vector<Item> items_;     // its literals
  std::vector<Bag> bags_;       // bag 0 is the rule itself; merged bags are empty
  std::vector<Item> messages_;  // the projections of the bags
  // The parts created so far, by a canonical encoding of their bodies.
  std::map<std::vector<std::uint32_t>, RelId> known_;
};

}  // namespace rgtrans::gdl
