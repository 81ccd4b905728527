// Grammar actions as overloaded functions. When a rule matches, the parser calls the overload of act() for that rule
// and the parser's state, with or without the matched text:
//
//     void act(On<grammar::number>, std::string_view text, Builder& builder) { … }
//     void act(On<grammar::sum>, Builder& builder) { … }
#pragma once

#include <string_view>

namespace rgtrans {

template <class Rule>
struct On {};

// Adapter for PEGTL's action interface. A rule without act() has no action.
template <class Rule>
struct RuleAction {
  template <class State>
  static auto apply0(State& state) -> decltype(act(On<Rule>(), state)) {
    act(On<Rule>(), state);
  }
  template <class Input, class State>
  static auto apply(const Input& in, State& state) -> decltype(act(On<Rule>(), std::string_view(), state)) {
    act(On<Rule>(), in.string_view(), state);
  }
};

}  // namespace rgtrans
