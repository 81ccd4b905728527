// The conditions under which steps are possible, as literals over atoms. An atom is the position of the cursor, the
// piece at a place, the value of a variable, the order of two values, or the existence of a walk of a pattern.
#pragma once

#include <cstdint>
#include <vector>

#include "frontends/rbg/flow/arithmetic.hpp"
#include "frontends/rbg/flow/flow.hpp"
#include "frontends/rbg/proofs/cases.hpp"
#include "frontends/rbg/proofs/knowledge.hpp"

namespace rgtrans::rbg {

class StepConditions {
 public:
  // `sure`: nodes from which a pattern certainly has a walk; more may be added later. All arguments must outlive this
  // object.
  StepConditions(const Description& description, const Relations& relations, const FlowGraph& flow,
                 const Knowledge& knowledge, const ByNode<char>& sure);

  // The condition of a step in the states that can reach the node.
  [[nodiscard]] Condition of(NodeId node, const FlowStep& step) const;

 private:
  [[nodiscard]] Condition cursor(NodeId node, Bits inside) const;
  [[nodiscard]] Condition on(NodeId node, const FlowStep& step) const;
  [[nodiscard]] Condition among(NodeId node, const FlowStep& step) const;
  [[nodiscard]] Condition compare(const FlowStep& step) const;
  [[nodiscard]] Condition assign(const FlowStep& step) const;
  [[nodiscard]] Condition check(const FlowStep& step) const;
  // A condition on the value of one variable or counter, given as a predicate on values.
  template <class Test>
  [[nodiscard]] Condition value(ArithId leaf, Test&& test) const;
  [[nodiscard]] bool few_values(ArithId leaf) const;
  [[nodiscard]] std::int64_t largest(ArithId leaf) const { return arithmetic_.interval(leaf)->high; }
  // The expression that consists of this variable.
  [[nodiscard]] ArithId variable_leaf(std::uint32_t variable) const;

  const Description& d_;
  const Relations& r_;
  const FlowGraph& f_;
  const Knowledge& known_;
  const ByNode<char>& sure_;
  Arithmetic arithmetic_;
};

}  // namespace rgtrans::rbg
