// The canonical order of the vertices, as nauty and bliss find it. Refinement orders most vertices. While a cell has
// several members, each of them in turn is put first, and the search continues below. The order whose trace of
// refinements is least counts, and among equal ones that whose graph is the least text. Two orders with equal texts are
// an automorphism, and a member that an automorphism maps to an earlier one needs no search of its own.
#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "core/form/form.hpp"
#include "core/form/partition.hpp"
#include "core/support/digest.hpp"

namespace rgtrans::form {

namespace {

using Vertex = PartGraph::Vertex;

void append_number(std::string& text, std::uint32_t number) {
  for (; number >= 128; number /= 128) text += static_cast<char>(number % 128 + 128);
  text += static_cast<char>(number);
}

class LabelSearch {
 public:
  LabelSearch(const PartGraph& graph, std::uint64_t most_work)
      : graph_(graph), refiner_(graph), most_work_(most_work) {}

  CanonicalForm run() {
    Partition partition(graph_);
    refiner_.refine_all(partition);
    descend(partition, true);
    return {std::move(best_), complete_};
  }

 private:
  static constexpr std::size_t kSearch = SIZE_MAX;  // go on with the next member

  // Returns the depth to return to, or kSearch. `equal`: the trace so far is that of the best order.
  std::size_t descend(const Partition& partition, bool equal) {
    if (partition.discrete()) return leaf(partition, equal);
    const std::size_t depth = path_.size();
    std::vector<Vertex> tried;
    Orbits orbits(graph_.size());
    for (const Vertex v : partition.smallest_cell()) {
      work_ += orbits.add(automorphisms_, path_);
      if (!best_.empty() && work_ + refiner_.work() > most_work_) {
        complete_ = false;
        return kSearch;
      }
      if (std::ranges::any_of(tried, [&](Vertex x) { return orbits.find(x) == orbits.find(v); })) continue;
      tried.push_back(v);
      Partition next = partition;
      const std::uint64_t trace = refiner_.refine(next, next.separate(v));
      bool below = equal && !best_.empty();
      if (below && depth < best_trace_.size()) {
        if (trace > best_trace_[depth]) continue;
        below = trace == best_trace_[depth];
      }
      path_.push_back(v);
      trace_.push_back(trace);
      const std::size_t to = descend(next, below);
      path_.pop_back();
      trace_.pop_back();
      if (to < depth) return to;
      // A better order may have been found below, whose trace begins like the present one.
      equal = std::equal(trace_.begin(), trace_.end(), best_trace_.begin(),
                         best_trace_.begin() + static_cast<std::ptrdiff_t>(std::min(depth, best_trace_.size())));
    }
    return kSearch;
  }

  std::size_t leaf(const Partition& partition, bool equal) {
    std::string text = write(partition);
    const bool first = best_.empty();
    if (!first && equal && text == best_) {
      std::vector<Vertex> image(graph_.size());
      for (Vertex v = 0; v < image.size(); ++v) image[v] = best_order_[partition.place(v)];
      automorphisms_.push_back(std::move(image));
      const auto parted = std::ranges::mismatch(path_, best_path_).in1;
      return static_cast<std::size_t>(parted - path_.begin());
    }
    if (first || !equal || text < best_) {
      best_ = std::move(text);
      best_order_ = partition.order();
      best_path_ = path_;
      best_trace_ = trace_;
    }
    return kSearch;
  }

  // The sets of vertices that automorphisms map to each other without moving the vertices of the path.
  class Orbits {
   public:
    explicit Orbits(std::size_t size) : root_(size) { std::iota(root_.begin(), root_.end(), 0U); }

    // Returns the work.
    std::size_t add(const std::vector<std::vector<Vertex>>& automorphisms, const std::vector<Vertex>& path) {
      const std::size_t before = added_;
      for (; added_ < automorphisms.size(); ++added_) {
        const std::vector<Vertex>& image = automorphisms[added_];
        if (!std::ranges::all_of(path, [&](Vertex x) { return image[x] == x; })) continue;
        for (Vertex x = 0; x < image.size(); ++x) {
          if (image[x] != x) root_[find(x)] = find(image[x]);
        }
      }
      return (added_ - before) * root_.size();
    }
    Vertex find(Vertex x) {
      while (root_[x] != x) x = root_[x] = root_[root_[x]];
      return x;
    }

   private:
    std::vector<Vertex> root_;
    std::size_t added_ = 0;
  };

  [[nodiscard]] std::string write(const Partition& partition) const {
    std::string text;
    append_number(text, static_cast<std::uint32_t>(graph_.size()));
    std::vector<std::pair<std::uint32_t, std::uint32_t>> arcs;
    for (const Vertex v : partition.order()) {
      append_number(text, graph_.sort(v));
      const std::string name = graph_.kept_name(v);
      append_number(text, static_cast<std::uint32_t>(name.size()));
      text += name;
      arcs.clear();
      for (const PartGraph::Arc& arc : graph_.arcs(v)) arcs.emplace_back(arc.role, partition.place(arc.to));
      std::ranges::sort(arcs);
      append_number(text, static_cast<std::uint32_t>(arcs.size()));
      for (const auto& [role, to] : arcs) {
        append_number(text, role);
        append_number(text, to);
      }
    }
    return text;
  }

  const PartGraph& graph_;
  Refiner refiner_;
  std::uint64_t most_work_;
  std::uint64_t work_ = 0;  // besides the refiner's
  bool complete_ = true;
  std::vector<Vertex> path_;  // put first, from the root of the search
  std::vector<std::uint64_t> trace_;
  std::string best_;
  std::vector<Vertex> best_order_, best_path_;
  std::vector<std::uint64_t> best_trace_;
  std::vector<std::vector<Vertex>> automorphisms_;
};

}  // namespace

CanonicalForm canonical_form(const ir::Game& game, std::uint64_t most_work) {
  return LabelSearch(PartGraph(game, PartGraph::Names::meanings), most_work).run();
}

std::string CanonicalForm::hash() const { return Digest().add(text).hex().substr(0, 32); }

}  // namespace rgtrans::form
