// All ways in which a body holds, one after the other: loops of keeper over the variables that have to be chosen, and
// tests with an edge for either outcome. What is chosen next is what is expected to cost least.
#pragma once

#include <functional>

#include "frontends/gdl/lifted/chains.hpp"

namespace rgtrans::gdl::lifted {

class Solutions {
 public:
  // Goes on where the body can hold, to `out` where it cannot; `done` makes what happens there, from the one node to
  // the other. In a loop these are the turns of the loop.
  using Done = std::function<void(Walks::Frame&, ir::NodeId, ir::NodeId)>;

  Solutions(Model& model, Tables& tables, Walks& walks, ir::Game& game)
      : m_(model), t_(tables), w_(walks), game_(game), chains_(model, walks) {}

  // `done` comes at least once for each way in which the wanted variables can be chosen so that the body holds.
  void each(Walks::Frame& f, ir::NodeId at, ir::NodeId out, const Done& done);
  // The same where arguments of a literal about the frame's variables have these values, as far as they are known.
  using Values = std::vector<std::optional<Value>>;
  void each_with(Walks::Frame& f, const EngineLiteral& literal, const Values& values, ir::NodeId at, ir::NodeId out,
                 const Done& done);
  // What that is expected to cost in all.
  [[nodiscard]] double expected_steps(const Walks::Frame& f);
  // The same where the literals, which are part of the body, are done first: to `elsewhere` where these are not certain
  // to hold.
  void each_behind(Walks::Frame& f, const std::vector<std::uint32_t>& literals, ir::NodeId at, ir::NodeId elsewhere,
                   ir::NodeId out, const Done& done);
  // Only the roles whose moves matter are chosen.
  void with_role(Walks::Frame& f, ir::NodeId at, ir::NodeId out, const Done& done);

 private:
  // What is made from one node on; the node behind, or none where that can never hold.
  using Line = std::function<ir::NodeId(Walks::Frame&, ir::NodeId)>;

  void other_outcomes(ir::NodeId first, ir::NodeId last, ir::NodeId out);
  void line(Walks::Frame& f, ir::NodeId at, ir::NodeId out, const Line& make, const Done& done);
  void certain(Walks::Frame& f, ir::NodeId at, ir::NodeId out, const Done& done);
  void loop(Walks::Frame& f, std::uint32_t variable, ir::NodeId at, ir::NodeId out, const Done& done);
  [[nodiscard]] std::optional<std::uint32_t> unknown_role(const Walks::Frame& f) const;
  // What is chosen next: a variable, or all arguments of a relation that is followed.
  struct Next {
    std::optional<std::uint32_t> variable, followed;
    double steps = 0;
  };
  [[nodiscard]] Next next(const Walks::Frame& f);

  // --- Relations that are followed. ---
  [[nodiscard]] std::optional<std::uint32_t> followed(const Walks::Frame& f);
  [[nodiscard]] double steps_following(const Walks::Frame& f, std::uint32_t literal);
  using Places = std::vector<std::pair<std::size_t, const Register*>>;
  void follow(Walks::Frame& f, std::uint32_t literal, ir::NodeId at, ir::NodeId out, const Done& done);
  ir::NodeId put(const Walks::Frame& f, const std::vector<Pattern>& head, const Places& places, ir::NodeId at);

  Model& m_;
  Tables& t_;
  Walks& w_;
  ir::Game& game_;
  Chains chains_;
};

}  // namespace rgtrans::gdl::lifted
