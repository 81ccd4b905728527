// How deep a recursion is.
#pragma once

#include <cstddef>

namespace rgtrans {

// One level deeper as long as this lives.
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
