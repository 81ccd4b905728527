#include "backends/proper/solver.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>

#if __has_include(<z3.h>)
#include <z3.h>
#define RGTRANS_WITH_Z3 1
#else
#define RGTRANS_WITH_Z3 0
#endif

namespace rgtrans::proper {

#if RGTRANS_WITH_Z3

namespace {

// The functions of Z3 that are called, by their names without Z3_.
struct SolverLibrary {
  bool whole = true;  // all functions were found; the first member, because the others set it

  // NOLINTBEGIN(bugprone-macro-parentheses): the macro declares a name, which has no parentheses.
#define RGTRANS_Z3_FUNCTION(name) decltype(&Z3_##name) name = find<decltype(&Z3_##name)>("Z3_" #name)
  // NOLINTEND(bugprone-macro-parentheses)
  RGTRANS_Z3_FUNCTION(mk_config);
  RGTRANS_Z3_FUNCTION(del_config);
  RGTRANS_Z3_FUNCTION(mk_context);
  RGTRANS_Z3_FUNCTION(del_context);
  RGTRANS_Z3_FUNCTION(set_error_handler);
  RGTRANS_Z3_FUNCTION(mk_bool_sort);
  RGTRANS_Z3_FUNCTION(mk_real_sort);
  RGTRANS_Z3_FUNCTION(mk_int_symbol);
  RGTRANS_Z3_FUNCTION(mk_string_symbol);
  RGTRANS_Z3_FUNCTION(mk_const);
  RGTRANS_Z3_FUNCTION(mk_true);
  RGTRANS_Z3_FUNCTION(mk_false);
  RGTRANS_Z3_FUNCTION(mk_not);
  RGTRANS_Z3_FUNCTION(mk_and);
  RGTRANS_Z3_FUNCTION(mk_or);
  RGTRANS_Z3_FUNCTION(mk_real);
  RGTRANS_Z3_FUNCTION(mk_add);
  RGTRANS_Z3_FUNCTION(mk_mul);
  RGTRANS_Z3_FUNCTION(mk_le);
  RGTRANS_Z3_FUNCTION(mk_params);
  RGTRANS_Z3_FUNCTION(params_inc_ref);
  RGTRANS_Z3_FUNCTION(params_dec_ref);
  RGTRANS_Z3_FUNCTION(params_set_uint);
  RGTRANS_Z3_FUNCTION(mk_solver);
  RGTRANS_Z3_FUNCTION(solver_inc_ref);
  RGTRANS_Z3_FUNCTION(solver_dec_ref);
  RGTRANS_Z3_FUNCTION(solver_set_params);
  RGTRANS_Z3_FUNCTION(solver_assert);
  RGTRANS_Z3_FUNCTION(solver_check);
  RGTRANS_Z3_FUNCTION(mk_optimize);
  RGTRANS_Z3_FUNCTION(optimize_inc_ref);
  RGTRANS_Z3_FUNCTION(optimize_dec_ref);
  RGTRANS_Z3_FUNCTION(optimize_set_params);
  RGTRANS_Z3_FUNCTION(optimize_assert);
  RGTRANS_Z3_FUNCTION(optimize_maximize);
  RGTRANS_Z3_FUNCTION(optimize_check);
  RGTRANS_Z3_FUNCTION(optimize_get_model);
  RGTRANS_Z3_FUNCTION(model_inc_ref);
  RGTRANS_Z3_FUNCTION(model_dec_ref);
  RGTRANS_Z3_FUNCTION(model_eval);
  RGTRANS_Z3_FUNCTION(get_numeral_string);
#undef RGTRANS_Z3_FUNCTION

 private:
  template <class Function>
  Function find(const char* name) {
    static void* const handle = dlopen("libz3.so.4", RTLD_NOW | RTLD_LOCAL);
    void* const symbol = handle == nullptr ? nullptr : dlsym(handle, name);
    whole = whole && symbol != nullptr;
    return reinterpret_cast<Function>(symbol);
  }
};

const SolverLibrary& z3() {
  static const SolverLibrary all;
  return all;
}

Rational rational_of(const std::string& text) {
  const std::size_t slash = text.find('/');
  const boost::multiprecision::cpp_int above(text.substr(0, slash));
  return slash == std::string::npos ? Rational(above)
                                    : Rational(above, boost::multiprecision::cpp_int(text.substr(slash + 1)));
}

}  // namespace

bool solver_found() { return z3().whole; }

class SolverContext {
 public:
  // The library measures elapsed time, of which a busy machine needs more.
  explicit SolverContext(double seconds)
      : milliseconds_(static_cast<unsigned>(std::clamp(seconds, 0.001, 1e6) * 2000)) {
    const Z3_config config = z3().mk_config();
    raw_ = z3().mk_context(config);
    z3().del_config(config);
    z3().set_error_handler(raw_, [](Z3_context, Z3_error_code) {});
  }
  ~SolverContext() {
    if (solver_ != nullptr) z3().solver_dec_ref(raw_, solver_);
    if (optimize_ != nullptr) z3().optimize_dec_ref(raw_, optimize_);
    z3().del_context(raw_);
  }
  SolverContext(const SolverContext&) = delete;
  SolverContext& operator=(const SolverContext&) = delete;

  [[nodiscard]] Z3_context raw() const { return raw_; }
  Z3_solver solver() {
    if (solver_ == nullptr) {
      solver_ = z3().mk_solver(raw_);
      z3().solver_inc_ref(raw_, solver_);
      with_time([&](Z3_params params) { z3().solver_set_params(raw_, solver_, params); });
    }
    return solver_;
  }
  Z3_optimize optimize() {
    if (optimize_ == nullptr) {
      optimize_ = z3().mk_optimize(raw_);
      z3().optimize_inc_ref(raw_, optimize_);
      with_time([&](Z3_params params) { z3().optimize_set_params(raw_, optimize_, params); });
    }
    return optimize_;
  }
  Z3_ast constant(Z3_sort sort) { return z3().mk_const(raw_, z3().mk_int_symbol(raw_, next_++), sort); }

 private:
  template <class Set>
  void with_time(const Set& set) {
    const Z3_params params = z3().mk_params(raw_);
    z3().params_inc_ref(raw_, params);
    z3().params_set_uint(raw_, params, z3().mk_string_symbol(raw_, "timeout"), milliseconds_);
    set(params);
    z3().params_dec_ref(raw_, params);
  }

  Z3_context raw_ = nullptr;
  Z3_solver solver_ = nullptr;
  Z3_optimize optimize_ = nullptr;
  unsigned milliseconds_;
  int next_ = 0;
};

TruthProblem::TruthProblem(double seconds) : context_(std::make_unique<SolverContext>(seconds)) {}
TruthProblem::~TruthProblem() = default;

TruthProblem::Term TruthProblem::fresh() { return context_->constant(z3().mk_bool_sort(context_->raw())); }
TruthProblem::Term TruthProblem::constant(bool value) {
  return value ? z3().mk_true(context_->raw()) : z3().mk_false(context_->raw());
}
TruthProblem::Term TruthProblem::negation(Term term) { return z3().mk_not(context_->raw(), static_cast<Z3_ast>(term)); }
TruthProblem::Term TruthProblem::all(std::span<const Term> terms) {
  std::vector<Z3_ast> parts;
  for (const Term term : terms) parts.push_back(static_cast<Z3_ast>(term));
  return z3().mk_and(context_->raw(), static_cast<unsigned>(parts.size()), parts.data());
}
TruthProblem::Term TruthProblem::any(std::span<const Term> terms) {
  std::vector<Z3_ast> parts;
  for (const Term term : terms) parts.push_back(static_cast<Z3_ast>(term));
  return z3().mk_or(context_->raw(), static_cast<unsigned>(parts.size()), parts.data());
}
void TruthProblem::require(Term term) {
  z3().solver_assert(context_->raw(), context_->solver(), static_cast<Z3_ast>(term));
}
bool TruthProblem::impossible() { return z3().solver_check(context_->raw(), context_->solver()) == Z3_L_FALSE; }

LinearProblem::LinearProblem(double seconds) : context_(std::make_unique<SolverContext>(seconds)) {}
LinearProblem::~LinearProblem() = default;

std::uint32_t LinearProblem::fresh() {
  variables_.push_back(context_->constant(z3().mk_real_sort(context_->raw())));
  return static_cast<std::uint32_t>(variables_.size() - 1);
}
void* LinearProblem::term(Sum sum) {
  const Z3_context raw = context_->raw();
  std::vector<Z3_ast> parts;
  for (const auto& [variable, factor] : sum) {
    auto* const value = static_cast<Z3_ast>(variables_[variable]);
    const std::array<Z3_ast, 2> product{z3().mk_real(raw, factor, 1), value};
    parts.push_back(factor == 1 ? value : z3().mk_mul(raw, 2, product.data()));
  }
  if (parts.empty()) return z3().mk_real(raw, 0, 1);
  return parts.size() == 1 ? parts[0] : z3().mk_add(raw, static_cast<unsigned>(parts.size()), parts.data());
}
void LinearProblem::at_most(Sum sum, int bound) {
  const Z3_context raw = context_->raw();
  z3().optimize_assert(raw, context_->optimize(),
                       z3().mk_le(raw, static_cast<Z3_ast>(term(sum)), z3().mk_real(raw, bound, 1)));
}
std::optional<std::vector<Rational>> LinearProblem::maximize(Sum sum) {
  const Z3_context raw = context_->raw();
  z3().optimize_maximize(raw, context_->optimize(), static_cast<Z3_ast>(term(sum)));
  if (z3().optimize_check(raw, context_->optimize(), 0, nullptr) != Z3_L_TRUE) return std::nullopt;
  const Z3_model model = z3().optimize_get_model(raw, context_->optimize());
  z3().model_inc_ref(raw, model);
  std::vector<Rational> values;
  for (void* const variable : variables_) {
    Z3_ast value = nullptr;
    if (!z3().model_eval(raw, model, static_cast<Z3_ast>(variable), true, &value)) break;
    values.push_back(rational_of(z3().get_numeral_string(raw, value)));
  }
  z3().model_dec_ref(raw, model);
  if (values.size() < variables_.size()) return std::nullopt;
  return values;
}

#else

bool solver_found() { return false; }

class SolverContext {};

TruthProblem::TruthProblem(double /*seconds*/) {}
TruthProblem::~TruthProblem() = default;
TruthProblem::Term TruthProblem::fresh() { return nullptr; }
TruthProblem::Term TruthProblem::constant(bool /*value*/) { return nullptr; }
TruthProblem::Term TruthProblem::negation(Term term) { return term; }
TruthProblem::Term TruthProblem::all(std::span<const Term> /*terms*/) { return nullptr; }
TruthProblem::Term TruthProblem::any(std::span<const Term> /*terms*/) { return nullptr; }
void TruthProblem::require(Term /*term*/) {}
bool TruthProblem::impossible() { return false; }

LinearProblem::LinearProblem(double /*seconds*/) {}
LinearProblem::~LinearProblem() = default;
std::uint32_t LinearProblem::fresh() {
  variables_.push_back(nullptr);
  return static_cast<std::uint32_t>(variables_.size() - 1);
}
void* LinearProblem::term(Sum /*sum*/) { return nullptr; }
void LinearProblem::at_most(Sum /*sum*/, int /*bound*/) {}
std::optional<std::vector<Rational>> LinearProblem::maximize(Sum /*sum*/) { return std::nullopt; }

#endif

}  // namespace rgtrans::proper
