#include <cmath>
#include <cstring>
#include <memory>
#include <new>
#include <random>

#include "backends/env/env.hpp"

namespace rgtrans::env {

namespace {

// Memory at stable addresses with the alignment of records. clear() keeps it for reuse.
class Records {
 public:
  std::byte* add(std::size_t size) {
    const std::size_t block = used_ / kTogether;
    if (block == blocks_.size()) blocks_.emplace_back(static_cast<std::byte*>(::operator new(size* kTogether, kAlign)));
    return blocks_[block].get() + used_++ % kTogether * size;
  }
  [[nodiscard]] std::byte* at(std::size_t index, std::size_t size) const {
    return blocks_[index / kTogether].get() + index % kTogether * size;
  }
  void clear() { used_ = 0; }

 private:
  static constexpr std::align_val_t kAlign{64};
  static constexpr std::size_t kTogether = 64;
  struct Free {
    void operator()(std::byte* memory) const { ::operator delete(memory, kAlign); }
  };
  std::vector<std::unique_ptr<std::byte, Free>> blocks_;
  std::size_t used_ = 0;
};

}  // namespace

// Nodes store their position, so that descending makes no moves.
struct Search::Tree {
  struct Edge {
    std::int32_t action;
    float prior;
    std::uint32_t child = kNone;
    std::uint32_t visits = 0;
    double value = 0;  // sum of values for the mover at the node
  };
  struct Node {
    std::uint32_t first = 0, last = 0;  // its edges
    std::int32_t mover = -1;            // -1: the play is over
    std::uint32_t visits = 0;
    bool expanded = false;
    std::vector<float> result;  // values by player, if the position is final
    std::vector<std::uint64_t> legal;
  };

  Records records;
  std::vector<Node> nodes;
  std::vector<Edge> edges;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> path;  // node and edge
  std::uint32_t leaf = kNone;
  std::vector<double> root_value;
};

Search::Search(Batch& batch, const SearchOptions& options)
    : batch_(batch), options_(options), trees_(batch.options().count) {
  if (!batch.can_save()) throw Error("searches need compiled plays", "make the environment with engine=\"compiled\"");
}

Search::~Search() = default;

void Search::begin() {
  for (std::size_t i = 0; i < trees_.size(); ++i) {
    Tree& tree = trees_[i];
    tree.records.clear();
    tree.nodes.clear();
    tree.edges.clear();
    tree.root_value.assign(batch_.players(), 0);
    add_node(tree, batch_.record(i), -1);
  }
}

// Adds a copy of a position in which an action is made.
std::uint32_t Search::add_node(Tree& tree, const std::byte* from, std::int32_t action) {
  const rgtrans_env& functions = batch_.functions();
  const std::size_t size = batch_.record_size();
  const auto index = static_cast<std::uint32_t>(tree.nodes.size());
  std::byte* const record = tree.records.add(size);
  std::memcpy(record, from, size);
  Tree::Node& node = tree.nodes.emplace_back();
  node.legal.resize(batch_.words());
  node.result.resize(batch_.players());
  rgtrans_env_buffers buffers{};
  std::uint8_t terminated = 0;
  std::uint8_t truncated = 0;
  buffers.viewer = -1;
  buffers.stay = 1;
  buffers.player = &node.mover;
  buffers.mask_bits = node.legal.data();
  if (action < 0) {
    functions.write(batch_.engine(), batch_.workspace(), record, 0, 1, &buffers);
  } else {
    buffers.actions = &action;
    buffers.rewards = node.result.data();
    buffers.terminated = &terminated;
    buffers.truncated = &truncated;
    functions.step(batch_.engine(), batch_.workspace(), record, 0, 1, &buffers);
  }
  return index;
}

std::uint32_t Search::best_edge(const Tree& tree, std::uint32_t node) const {
  const Tree::Node& at = tree.nodes[node];
  const double scale = options_.exploration * std::sqrt(static_cast<double>(at.visits) + 1);
  double total = 0;
  std::uint32_t visits = 0;
  for (std::uint32_t e = at.first; e < at.last; ++e) {
    total += tree.edges[e].value;
    visits += tree.edges[e].visits;
  }
  const double untried = visits == 0 ? 0 : total / visits;
  std::uint32_t best = at.first;
  double most = -1e300;
  for (std::uint32_t e = at.first; e < at.last; ++e) {
    const Tree::Edge& edge = tree.edges[e];
    const double mean = edge.visits == 0 ? untried : edge.value / edge.visits;
    const double score = mean + scale * static_cast<double>(edge.prior) / (1 + edge.visits);
    if (score <= most) continue;
    most = score;
    best = e;
  }
  return best;
}

void Search::collect(void* observations, std::uint8_t* masks, std::int32_t* movers) {
  const std::size_t size = batch_.record_size();
  const std::size_t actions = batch_.actions().size();
  const std::size_t element = batch_.options().floats ? sizeof(float) : 1;
  const std::size_t width = batch_.observation().size() * element;
  std::memset(masks, 0, trees_.size() * actions);
  for (std::size_t i = 0; i < trees_.size(); ++i) {
    Tree& tree = trees_[i];
    tree.path.clear();
    tree.leaf = kNone;
    movers[i] = -1;
    if (tree.nodes.empty() || tree.nodes[0].mover < 0) continue;
    std::uint32_t node = 0;
    while (tree.nodes[node].expanded) {
      const std::uint32_t edge = best_edge(tree, node);
      tree.path.emplace_back(node, edge);
      if (tree.edges[edge].child == kNone) {
        const std::uint32_t child = add_node(tree, tree.records.at(node, size), tree.edges[edge].action);
        tree.edges[edge].child = child;
      }
      node = tree.edges[edge].child;
      if (tree.nodes[node].mover < 0) break;
    }
    if (tree.nodes[node].mover < 0) {
      back_up(tree, tree.nodes[node].result.data());
      continue;
    }
    tree.leaf = node;
    movers[i] = tree.nodes[node].mover;
    for (std::size_t a = 0; a < actions; ++a) {
      masks[i * actions + a] = static_cast<std::uint8_t>(tree.nodes[node].legal[a / 64] >> (a % 64) & 1U);
    }
    rgtrans_env_buffers buffers{};
    buffers.viewer = -1;
    buffers.observation = static_cast<std::byte*>(observations) + i * width;
    batch_.functions().write(batch_.engine(), batch_.workspace(), tree.records.at(node, size), 0, 1, &buffers);
  }
}

void Search::expand(const float* logits, const float* values) {
  const std::size_t actions = batch_.actions().size();
  for (std::size_t i = 0; i < trees_.size(); ++i) {
    Tree& tree = trees_[i];
    if (tree.leaf == kNone) continue;
    Tree::Node& node = tree.nodes[tree.leaf];
    const float* const own = logits + i * actions;
    float most = -1e30F;
    node.first = static_cast<std::uint32_t>(tree.edges.size());
    for (std::size_t a = 0; a < actions; ++a) {
      if ((node.legal[a / 64] >> (a % 64) & 1U) == 0) continue;
      tree.edges.push_back({static_cast<std::int32_t>(a), own[a]});
      if (own[a] > most) most = own[a];
    }
    node.last = static_cast<std::uint32_t>(tree.edges.size());
    double sum = 0;
    for (std::uint32_t e = node.first; e < node.last; ++e) {
      tree.edges[e].prior = std::exp(tree.edges[e].prior - most);
      sum += static_cast<double>(tree.edges[e].prior);
    }
    for (std::uint32_t e = node.first; e < node.last; ++e) {
      // If logits are not finite, all actions get the same prior.
      const double share = static_cast<double>(tree.edges[e].prior) / sum;
      tree.edges[e].prior = static_cast<float>(std::isfinite(share) ? share : 1.0 / (node.last - node.first));
    }
    node.expanded = true;
    if (tree.leaf == 0 && options_.noise > 0) add_noise(tree);
    back_up(tree, values + i * batch_.players());
    tree.leaf = kNone;
  }
}

void Search::add_noise(Tree& tree) {
  std::mt19937_64 random(options_.seed++);
  std::gamma_distribution<double> gamma(options_.alpha);
  const Tree::Node& root = tree.nodes[0];
  std::vector<double> noise(root.last - root.first);
  double sum = 0;
  for (double& each : noise) sum += each = gamma(random) + 1e-12;
  for (std::uint32_t e = root.first; e < root.last; ++e) {
    const double mixed =
        (1 - options_.noise) * static_cast<double>(tree.edges[e].prior) + options_.noise * noise[e - root.first] / sum;
    tree.edges[e].prior = static_cast<float>(mixed);
  }
}

void Search::back_up(Tree& tree, const float* values) {
  for (const auto& [node, edge] : tree.path) {
    ++tree.nodes[node].visits;
    ++tree.edges[edge].visits;
    tree.edges[edge].value += static_cast<double>(values[tree.nodes[node].mover]);
  }
  for (std::size_t p = 0; p < tree.root_value.size(); ++p) tree.root_value[p] += static_cast<double>(values[p]);
}

void Search::result(float* visits, float* values) const {
  const std::size_t actions = batch_.actions().size();
  std::memset(visits, 0, trees_.size() * actions * sizeof(float));
  for (std::size_t i = 0; i < trees_.size(); ++i) {
    const Tree& tree = trees_[i];
    std::uint32_t all = 1;  // the evaluation of the root itself
    if (!tree.nodes.empty()) {
      for (std::uint32_t e = tree.nodes[0].first; e < tree.nodes[0].last; ++e) {
        visits[i * actions + static_cast<std::size_t>(tree.edges[e].action)] = static_cast<float>(tree.edges[e].visits);
        all += tree.edges[e].visits;
      }
    }
    for (std::size_t p = 0; p < batch_.players(); ++p) {
      values[i * batch_.players() + p] = static_cast<float>(tree.root_value.empty() ? 0 : tree.root_value[p] / all);
    }
  }
}

}  // namespace rgtrans::env
