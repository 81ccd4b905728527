// The additions to the standard library (ide/web/standard), tried in Node by standard_test.mjs: each function returns
// whether it found what the standard demands.
#include <exception>
#include <filesystem>
#include <memory>
#include <mutex>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#define CHECK_IN_NODE(name) extern "C" __attribute__((export_name(#name))) bool name()

namespace {

struct First {
  virtual ~First() = default;
  int first = 1;
};
struct Second {
  virtual ~Second() = default;
  int second = 2;
};
struct Both : First, Second {
  Both() { ++alive; }
  Both(const Both& other) : First(other), Second(other) { ++alive; }
  ~Both() override { --alive; }
  static int alive;
};
int Both::alive = 0;

int cleaned = 0;
struct Cleaning {
  ~Cleaning() { ++cleaned; }
};

}  // namespace

CHECK_IN_NODE(a_base_that_is_not_the_first_catches) {
  try {
    throw Both();
  } catch (int) {
    return false;
  } catch (const Second& caught) {
    return caught.second == 2 && Both::alive == 1;
  }
}

CHECK_IN_NODE(caught_objects_are_destroyed) {
  try {
    throw Both();
  } catch (...) {
  }
  return Both::alive == 0;
}

CHECK_IN_NODE(destructors_run_on_the_way) {
  cleaned = 0;
  try {
    const Cleaning outer;
    try {
      const Cleaning inner;
      throw std::runtime_error("a");
    } catch (const std::logic_error&) {
      return false;
    }
  } catch (const std::exception& caught) {
    return std::string(caught.what()) == "a" && cleaned == 2;
  }
  return false;
}

CHECK_IN_NODE(rethrown_objects_are_the_same) {
  const void* object = nullptr;
  try {
    try {
      throw Both();
    } catch (const First& caught) {
      object = &caught;
      throw;
    }
  } catch (const First& caught) {
    return object == &caught && Both::alive == 1;
  }
  return false;
}

CHECK_IN_NODE(a_handler_may_throw_and_catch_others) {
  try {
    try {
      throw 5;
    } catch (int) {
      try {
        throw 6.5;
      } catch (double other) {
        if (other != 6.5) return false;
      }
      throw;
    }
  } catch (int caught) {
    return caught == 5 && std::uncaught_exceptions() == 0;
  }
  return false;
}

CHECK_IN_NODE(pointers_are_caught_by_value) {
  Both thrown;
  try {
    throw &thrown;
  } catch (Second* caught) {
    return caught == &thrown;
  }
}

CHECK_IN_NODE(exception_pointers_keep_the_object) {
  {
    std::exception_ptr kept;
    try {
      throw Both();
    } catch (...) {
      kept = std::current_exception();
    }
    if (Both::alive != 1) return false;
    for (int i = 0; i < 2; ++i) {
      try {
        std::rethrow_exception(kept);
      } catch (const Both& caught) {
        if (caught.first != 1) return false;
      }
    }
  }
  return Both::alive == 0;
}

CHECK_IN_NODE(templates_of_the_library_throw) {
  try {
    static_cast<void>(std::vector<int>().at(3));
  } catch (const std::out_of_range&) {
    return true;
  }
  return false;
}

CHECK_IN_NODE(memory_ends_with_an_exception) {
  std::vector<std::unique_ptr<char[]>> taken;
  try {
    for (;;) taken.emplace_back(new char[100'000'000]);
  } catch (const std::bad_alloc&) {
    return !taken.empty();
  }
}

CHECK_IN_NODE(threads_are_refused_and_locks_hold_nothing_up) {
  std::mutex mutex;
  const std::lock_guard outer(mutex);
  try {
    const std::thread thread([] {});
  } catch (const std::system_error&) {
    return true;
  }
  return false;
}

CHECK_IN_NODE(there_are_paths_but_no_files) {
  std::error_code problem;
  return std::filesystem::path("a/b.c").stem() == "b" && !std::filesystem::is_directory("/", problem) && !problem;
}
