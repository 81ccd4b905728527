// Do two ways out of a node begin with different tags? The tags that can come next are compared for each value of some
// variables: rays in different directions lead to different squares, from each square.
#pragma once

#include <map>
#include <vector>

#include "backends/cpp/next_tags.hpp"

namespace rgtrans::cpp {

class WayTags {
 public:
  WayTags(NumberedGame& model, const CodeContext& context);
  // Ways are compared that part at this node.
  void go_to(std::uint32_t node) {
    node_ = node;
    known_tags_.clear();
  }
  // For each value of some variables the two ways begin with different tags.
  [[nodiscard]] bool show_branch(const Step& a, const Step& b) const;
  // Different choices begin with different tags, for each value of some other variables.
  [[nodiscard]] bool show_choice(const Step& any) const;

 private:
  using Fronts = NextTags::Fronts;
  using Bases = std::vector<VarId>;
  // A comparison of two variables, and where it need not hold.
  struct Related {
    const Step* step;
    VarId first, second;
    std::vector<bool> open;  // by local node
  };

  [[nodiscard]] bool differ(const Fronts& a, const Fronts& b, int depth) const;
  [[nodiscard]] bool may_try() const;
  void find_related();
  [[nodiscard]] std::vector<bool> find_open(const Related& related) const;
  [[nodiscard]] std::vector<Bases> bases_here() const;
  [[nodiscard]] bool excluded(const Bases& bases, const std::vector<std::uint32_t>& codes) const;
  [[nodiscard]] const Fronts& known_tags(const Step& step, const Bases& bases, const std::vector<std::uint32_t>& codes,
                                         const PossibleValues::Codes& row) const;
  [[nodiscard]] bool choices_differ(const Step& any, const PossibleValues::Codes& row) const;
  [[nodiscard]] bool all_differ(const std::vector<NextTags::Front>& fronts, int depth) const;
  // Each of the values of the variables with what else can be then, until one does not do.
  template <class Does>
  bool all_values(const Bases& bases, const Does& does) const {
    std::vector<std::uint32_t> codes;
    return all_values(bases, codes, model_.values->values_at(node_), does);
  }
  template <class Does>
  bool all_values(const Bases& bases, std::vector<std::uint32_t>& codes, const PossibleValues::Codes& row,
                  const Does& does) const {
    if (!may_try()) return false;
    if (codes.size() == bases.size()) return excluded(bases, codes) || does(codes, row);
    const VarId base = bases[codes.size()];
    const std::vector<std::uint32_t> values = model_.values->codes_of(row, base);
    return std::ranges::all_of(values, [&](std::uint32_t code) {
      PossibleValues::Codes fixed = row;
      model_.values->fix(fixed, base, code);
      codes.push_back(code);
      const bool result = all_values(bases, codes, fixed, does);
      codes.pop_back();
      return result;
    });
  }

  NumberedGame& model_;
  const CodeContext& context_;
  NextTags next_;
  std::uint32_t node_ = 0;
  mutable std::map<std::vector<std::uint32_t>, Fronts> known_tags_;  // of the node
  std::vector<Related> related_;
};

}  // namespace rgtrans::cpp
