// The encoder of binaries; the whole modules are tested in Node by wasm_test.cpp.
#include "backends/wasm/module.hpp"

#include <gmock/gmock.h>

namespace rgtrans::wasm {
namespace {

Bytes unsigned_of(std::uint64_t value) {
  Bytes out;
  put_unsigned(out, value);
  return out;
}
Bytes signed_of(std::int64_t value) {
  Bytes out;
  put_signed(out, value);
  return out;
}

TEST(WasmModule, NumbersHaveTheirShortestForm) {
  EXPECT_EQ(unsigned_of(0), Bytes("\0", 1));
  EXPECT_EQ(unsigned_of(127), "\x7f");
  EXPECT_EQ(unsigned_of(624485), "\xe5\x8e\x26");
  EXPECT_EQ(signed_of(63), "\x3f");
  EXPECT_EQ(signed_of(64), Bytes("\xc0\0", 2));
  EXPECT_EQ(signed_of(-64), "\x40");
  EXPECT_EQ(signed_of(-123456), "\xc0\xbb\x78");
}

TEST(WasmModule, ReleasedLocalsAreUsedAgain) {
  Body body(2);
  const Local kept = body.add_kept_local(WasmType::i32);
  const std::size_t before = body.in_use();
  const Local first = body.add_local(WasmType::i32);
  EXPECT_EQ(kept, 2U);
  EXPECT_EQ(first, 3U);
  body.release_locals(before);
  EXPECT_EQ(body.add_local(WasmType::i64), 4U);
  EXPECT_EQ(body.add_local(WasmType::i32), first);
}

TEST(WasmModule, AFunctionIsWrittenWithItsSections) {
  Module module;
  const Function answer = module.declare(module.type({}, {WasmType::i32}));
  Body body;
  body.i32(42);
  module.define(answer, body);
  module.export_function("f", answer);
  EXPECT_EQ(module.bytes(), Bytes("\0asm\1\0\0\0"                // version 1
                                  "\1\5\1\x60\0\1\x7f"           // a type without parameters
                                  "\3\2\1\0"                     // a function
                                  "\5\3\1\0\1"                   // a memory of one page
                                  "\7\x0e\2\1f\0\0\6memory\2\0"  // exports
                                  "\x0a\6\1\4\0\x41\x2a\x0b",    // the body
                                  8 + 7 + 4 + 5 + 16 + 8));
}

}  // namespace
}  // namespace rgtrans::wasm
