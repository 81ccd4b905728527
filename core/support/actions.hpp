// Actions of a grammar as functions. What is done where a rule matched is an overload of act() beside the state that
// it changes: with the text that matched, or without it.
//
//     void act(On<grammar::number>, std::string_view text, Builder& builder) { … }
//     void act(On<grammar::sum>, Builder& builder) { … }
#pragma once

#include <string_view>

namespace rgtrans {

template <class Rule>
struct On {};

// What PEGTL asks for. Rules without an act() have no action.
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
