// What a long conversion is doing, and whether anybody still wants it. A supervisor that ends it from outside can say
// how far it came; an editor ends it from inside with the next key.
#pragma once

#include <functional>
#include <string>

#include "core/support/source.hpp"

namespace rgtrans {

// Gets each phase in words ("grounding, 3000000 rules so far") and, where there is one, the place in the text that is
// being worked on.
using PhaseListener = std::function<void(const std::string& phase, Range where)>;

// Who listens on this thread; nobody at first.
void listen_to_phases(PhaseListener listener);
void tell_phase(const std::string& phase, Range where = {});

// Long work calls this every few milliseconds, at a place where it may be given up by an exception: nothing that it
// has made so far is looked at again. It costs next to nothing where nobody asks.
void check_wanted();

// As long as this lives, check_wanted() on this thread calls `check`, which throws when the work is not wanted.
class WhileWanted {
 public:
  explicit WhileWanted(std::function<void()> check);
  ~WhileWanted();
  WhileWanted(const WhileWanted&) = delete;
  WhileWanted& operator=(const WhileWanted&) = delete;

 private:
  std::function<void()> check_;
  const std::function<void()>* outer_;
};

}  // namespace rgtrans
