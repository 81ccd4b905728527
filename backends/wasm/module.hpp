// A small encoder of WebAssembly binaries: function bodies with structured control, and the sections of a module. It
// knows nothing about games.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace rgtrans::wasm {

enum class WasmType : std::uint8_t { none = 0x40, i32 = 0x7f, i64 = 0x7e, f64 = 0x7c };

// Instructions without immediate operands.
enum class Plain : std::uint8_t {
  unreachable = 0x00,
  give_back = 0x0f,  // return
  drop = 0x1a,
  select = 0x1b,
  i32_eqz = 0x45,
  i32_eq = 0x46,
  i32_ne = 0x47,
  i32_lt_u = 0x49,
  i32_gt_u = 0x4b,
  i32_ge_u = 0x4f,
  i64_eqz = 0x50,
  i64_eq = 0x51,
  i64_ne = 0x52,
  i64_lt_u = 0x54,
  i64_gt_u = 0x56,
  i64_ge_u = 0x5a,
  f64_gt = 0x64,
  i32_add = 0x6a,
  i32_sub = 0x6b,
  i32_mul = 0x6c,
  i32_rem_u = 0x70,
  i32_and = 0x71,
  i32_or = 0x72,
  i32_shl = 0x74,
  i32_shr_u = 0x76,
  i64_add = 0x7c,
  i64_mul = 0x7e,
  i64_div_u = 0x80,
  i64_rem_u = 0x82,
  i64_and = 0x83,
  i64_or = 0x84,
  i64_xor = 0x85,
  i64_shl = 0x86,
  i64_shr_u = 0x88,
  i64_rotl = 0x89,
  f64_add = 0xa0,
  f64_mul = 0xa2,
  i32_wrap = 0xa7,
  i64_extend = 0xad,  // unsigned
};
enum class Load : std::uint8_t { i32 = 0x28, i64 = 0x29, f64 = 0x2b, byte = 0x2d, half = 0x2f };
enum class Store : std::uint8_t { i32 = 0x36, i64 = 0x37, f64 = 0x39, byte = 0x3a, half = 0x3b };

using Bytes = std::string;
void put_unsigned(Bytes& out, std::uint64_t value);  // LEB128
void put_signed(Bytes& out, std::int64_t value);

using Local = std::uint32_t;
using Global = std::uint32_t;
using Function = std::uint32_t;

// A body. Functions append one instruction each and return the body, so that calls chain in the order of execution.
class Body {
 public:
  explicit Body(std::uint32_t parameters = 0) : parameters_(parameters) {}

  // A new local, or one that was released; then its value is undefined.
  Local add_local(WasmType type);
  Local add_kept_local(WasmType type);  // never released
  // Releases all locals that were added since the number of them was `count`.
  [[nodiscard]] std::size_t in_use() const { return in_use_.size(); }
  void release_locals(std::size_t count);

  Body& op(Plain plain);
  Body& i32(std::uint32_t value);
  Body& i64(std::uint64_t value);
  Body& f64(double value);
  Body& get(Local local) { return numbered(0x20, local); }
  Body& set(Local local) { return numbered(0x21, local); }
  Body& tee(Local local) { return numbered(0x22, local); }
  Body& get_global(Global global) { return numbered(0x23, global); }
  Body& set_global(Global global) { return numbered(0x24, global); }
  Body& load(Load kind, std::uint32_t offset) { return access(static_cast<std::uint8_t>(kind), offset); }
  Body& store(Store kind, std::uint32_t offset) { return access(static_cast<std::uint8_t>(kind), offset); }
  Body& copy_memory();
  Body& fill_memory();
  Body& memory_size() { return numbered(0x3f, 0); }
  Body& memory_grow() { return numbered(0x40, 0); }

  Body& block(WasmType result = WasmType::none) { return open(0x02, result); }
  Body& loop() { return open(0x03, WasmType::none); }
  Body& begin_if(WasmType result = WasmType::none) { return open(0x04, result); }
  Body& begin_else();
  Body& end();
  // The number of open blocks, for branches to one of them: br(depth() - depth inside of that block).
  [[nodiscard]] std::uint32_t depth() const { return depth_; }
  Body& br(std::uint32_t label) { return numbered(0x0c, label); }
  Body& br_if(std::uint32_t label) { return numbered(0x0d, label); }
  Body& br_table(const std::vector<std::uint32_t>& labels, std::uint32_t otherwise);
  Body& call(Function function) { return numbered(0x10, function); }
  Body& call_indirect(std::uint32_t type);

  [[nodiscard]] std::size_t size() const { return code_.size(); }
  // Puts a loop with a result around the code, and before it the code of `start`, which uses the same locals. Branches
  // to a label past all blocks then lead to the loop.
  void make_loop(const Body& start, WasmType result);
  [[nodiscard]] Bytes bytes() const;

 private:
  Body& numbered(std::uint8_t opcode, std::uint64_t number);
  Body& access(std::uint8_t opcode, std::uint32_t offset);
  Body& open(std::uint8_t opcode, WasmType result);

  std::uint32_t parameters_;
  std::vector<std::pair<std::uint32_t, WasmType>> locals_;  // runs
  std::uint32_t local_count_ = 0;
  std::vector<std::pair<Local, WasmType>> in_use_, released_;
  std::uint32_t depth_ = 0;
  Bytes code_;
};

class Module {
 public:
  std::uint32_t type(const std::vector<WasmType>& parameters, const std::vector<WasmType>& results);
  Function declare(std::uint32_t type);
  void define(Function function, const Body& body) { bodies_[function] = body.bytes(); }
  Global add_global(WasmType type, std::uint64_t initial);
  // A constant that hosts read.
  void export_constant(std::string_view name, std::uint32_t value);
  void export_function(std::string_view name, Function function) {
    exports_.push_back({std::string(name), 0, function});
  }
  void export_global(std::string_view name, Global global) { exports_.push_back({std::string(name), 3, global}); }
  void add_data(std::uint32_t address, Bytes bytes) { data_.emplace_back(address, std::move(bytes)); }
  // The functions that indirect calls can reach, by number.
  void set_table(std::vector<Function> functions) { table_ = std::move(functions); }
  void set_memory(std::uint32_t pages) { pages_ = pages; }
  void add_custom(std::string_view name, std::string_view content);
  [[nodiscard]] Bytes bytes() const;

 private:
  struct Export {
    std::string name;
    std::uint8_t kind;
    std::uint32_t index;
  };
  struct GlobalRow {
    WasmType type;
    bool changes;
    std::uint64_t initial;
  };

  std::vector<Bytes> types_;
  std::vector<std::uint32_t> functions_;  // types
  std::vector<Bytes> bodies_;
  std::vector<GlobalRow> globals_;
  std::vector<Export> exports_;
  std::vector<Function> table_;
  std::vector<std::pair<std::uint32_t, Bytes>> data_;
  Bytes custom_;
  std::uint32_t pages_ = 1;
};

}  // namespace rgtrans::wasm
