#include "backends/wasm/module.hpp"

#include <algorithm>
#include <bit>

namespace rgtrans::wasm {

void put_unsigned(Bytes& out, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7U) out += static_cast<char>(value | 0x80U);
  out += static_cast<char>(value);
}

void put_signed(Bytes& out, std::int64_t value) {
  for (;;) {
    const auto low = static_cast<std::uint8_t>(value & 0x7f);
    value >>= 7;
    const bool done = (value == 0 && (low & 0x40U) == 0) || (value == -1 && (low & 0x40U) != 0);
    out += static_cast<char>(done ? low : low | 0x80U);
    if (done) return;
  }
}

namespace {

void put_text(Bytes& out, std::string_view text) {
  put_unsigned(out, text.size());
  out += text;
}

void put_section(Bytes& out, std::uint8_t id, const Bytes& content) {
  out += static_cast<char>(id);
  put_text(out, content);
}

// A section that is a list; `put` appends one item.
template <class List, class Put>
void put_list(Bytes& out, std::uint8_t id, const List& list, Put&& put) {
  if (list.empty()) return;
  Bytes content;
  put_unsigned(content, list.size());
  for (const auto& item : list) put(content, item);
  put_section(out, id, content);
}

}  // namespace

// --- Bodies. ---

Local Body::add_local(WasmType type) {
  const auto at = std::ranges::find(released_, type, &std::pair<Local, WasmType>::second);
  Local local = 0;
  if (at != released_.end()) {
    local = at->first;
    released_.erase(at);
  } else {
    local = add_kept_local(type);
  }
  in_use_.emplace_back(local, type);
  return local;
}

void Body::release_locals(std::size_t count) {
  while (in_use_.size() > count) {
    released_.push_back(in_use_.back());
    in_use_.pop_back();
  }
}

Local Body::add_kept_local(WasmType type) {
  if (locals_.empty() || locals_.back().second != type) locals_.emplace_back(0, type);
  ++locals_.back().first;
  return parameters_ + local_count_++;
}

Body& Body::op(Plain plain) {
  code_ += static_cast<char>(plain);
  return *this;
}
Body& Body::i32(std::uint32_t value) {
  code_ += static_cast<char>(0x41);
  put_signed(code_, static_cast<std::int32_t>(value));
  return *this;
}
Body& Body::i64(std::uint64_t value) {
  code_ += static_cast<char>(0x42);
  put_signed(code_, static_cast<std::int64_t>(value));
  return *this;
}
Body& Body::f64(double value) {
  code_ += static_cast<char>(0x44);
  const auto bits = std::bit_cast<std::uint64_t>(value);
  for (unsigned i = 0; i < 64; i += 8) code_ += static_cast<char>(bits >> i);
  return *this;
}
Body& Body::numbered(std::uint8_t opcode, std::uint64_t number) {
  code_ += static_cast<char>(opcode);
  put_unsigned(code_, number);
  return *this;
}
Body& Body::access(std::uint8_t opcode, std::uint32_t offset) {
  code_ += static_cast<char>(opcode);
  code_ += '\0';  // any alignment
  put_unsigned(code_, offset);
  return *this;
}
Body& Body::copy_memory() {
  code_ += std::string_view("\xfc\x0a\0\0", 4);
  return *this;
}
Body& Body::fill_memory() {
  code_ += std::string_view("\xfc\x0b\0", 3);
  return *this;
}
Body& Body::open(std::uint8_t opcode, WasmType result) {
  ++depth_;
  code_ += static_cast<char>(opcode);
  code_ += static_cast<char>(result);
  return *this;
}
Body& Body::begin_else() {
  code_ += static_cast<char>(0x05);
  return *this;
}
Body& Body::end() {
  --depth_;
  code_ += static_cast<char>(0x0b);
  return *this;
}
Body& Body::br_table(const std::vector<std::uint32_t>& labels, std::uint32_t otherwise) {
  code_ += static_cast<char>(0x0e);
  put_unsigned(code_, labels.size());
  for (const std::uint32_t label : labels) put_unsigned(code_, label);
  put_unsigned(code_, otherwise);
  return *this;
}
Body& Body::call_indirect(std::uint32_t type) {
  numbered(0x11, type);
  code_ += '\0';
  return *this;
}

void Body::make_loop(const Body& start, WasmType result) {
  Bytes head = start.code_;
  head += static_cast<char>(0x03);
  head += static_cast<char>(result);
  code_ = head + code_ + static_cast<char>(0x0b);
}

Bytes Body::bytes() const {
  Bytes out;
  put_unsigned(out, locals_.size());
  for (const auto& [count, type] : locals_) {
    put_unsigned(out, count);
    out += static_cast<char>(type);
  }
  return out + code_ + static_cast<char>(0x0b);
}

// --- Modules. ---

std::uint32_t Module::type(const std::vector<WasmType>& parameters, const std::vector<WasmType>& results) {
  Bytes row(1, static_cast<char>(0x60));
  for (const std::vector<WasmType>* list : {&parameters, &results}) {
    put_unsigned(row, list->size());
    for (const WasmType type : *list) row += static_cast<char>(type);
  }
  const auto at = std::ranges::find(types_, row);
  if (at != types_.end()) return static_cast<std::uint32_t>(at - types_.begin());
  types_.push_back(row);
  return static_cast<std::uint32_t>(types_.size() - 1);
}

Function Module::declare(std::uint32_t type) {
  functions_.push_back(type);
  bodies_.emplace_back();
  return static_cast<Function>(functions_.size() - 1);
}

Global Module::add_global(WasmType type, std::uint64_t initial) {
  globals_.push_back({type, true, initial});
  return static_cast<Global>(globals_.size() - 1);
}

void Module::export_constant(std::string_view name, std::uint32_t value) {
  const Global global = add_global(WasmType::i32, value);
  globals_[global].changes = false;
  export_global(name, global);
}

void Module::add_custom(std::string_view name, std::string_view content) {
  Bytes section;
  put_text(section, name);
  section += content;
  put_section(custom_, 0, section);
}

Bytes Module::bytes() const {
  Bytes out("\0asm\1\0\0\0", 8);
  put_list(out, 1, types_, [](Bytes& to, const Bytes& type) { to += type; });
  put_list(out, 3, functions_, [](Bytes& to, std::uint32_t type) { put_unsigned(to, type); });
  if (!table_.empty()) {
    Bytes table("\1\x70\0", 3);  // one table of functions
    put_unsigned(table, table_.size());
    put_section(out, 4, table);
  }
  Bytes memory("\1\0", 2);  // one memory without a maximum
  put_unsigned(memory, pages_);
  put_section(out, 5, memory);
  put_list(out, 6, globals_, [](Bytes& to, const GlobalRow& global) {
    to += static_cast<char>(global.type);
    to += static_cast<char>(global.changes ? 1 : 0);
    to += static_cast<char>(global.type == WasmType::i64 ? 0x42 : 0x41);
    put_signed(to, global.type == WasmType::i64 ? static_cast<std::int64_t>(global.initial)
                                                : static_cast<std::int32_t>(global.initial));
    to += static_cast<char>(0x0b);
  });
  std::vector<Export> exports = exports_;
  exports.push_back({"memory", 2, 0});
  put_list(out, 7, exports, [](Bytes& to, const Export& row) {
    put_text(to, row.name);
    to += static_cast<char>(row.kind);
    put_unsigned(to, row.index);
  });
  if (!table_.empty()) {
    Bytes elements("\1\0\x41\0\x0b", 5);  // one segment at 0
    put_unsigned(elements, table_.size());
    for (const Function function : table_) put_unsigned(elements, function);
    put_section(out, 9, elements);
  }
  put_list(out, 10, bodies_, [](Bytes& to, const Bytes& body) { put_text(to, body); });
  put_list(out, 11, data_, [](Bytes& to, const auto& segment) {
    to += '\0';
    to += static_cast<char>(0x41);
    put_signed(to, static_cast<std::int32_t>(segment.first));
    to += static_cast<char>(0x0b);
    put_text(to, segment.second);
  });
  return out + custom_;
}

}  // namespace rgtrans::wasm
