// Counts the depth of a recursion.
#pragma once

#include <cstddef>

namespace rgtrans {

// Increments the depth for the lifetime of this object.
class Deeper {
 public:
  explicit Deeper(std::size_t& depth) : depth_(depth) { ++depth_; }
  ~Deeper() { --depth_; }
  Deeper(const Deeper&) = delete;
  Deeper& operator=(const Deeper&) = delete;

 private:
  std::size_t& depth_;
};

}  // namespace rgtrans
