// Writes certificates. Nothing here is trusted: the checker refuses a wrong certificate.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "core/certificate/certificate.hpp"
#include "core/ir/ir.hpp"

namespace rgtrans::certificate {

// Derives a record from the edges that both versions have. `after` was copied from `before` and changed.
[[nodiscard]] PassRecord derive_record(const ir::Game& before, const ir::Game& after);

// Writes a certificate: the first game, and for each pass the differences that it made and its record.
class Writer {
 public:
  explicit Writer(const ir::Game& first);
  ~Writer();

  void add(std::string_view pass, std::size_t changes, const ir::Game& after);
  // The certificate, after all passes.
  [[nodiscard]] std::string text() const;

 private:
  std::unique_ptr<ir::Game> last_;
  std::string text_;
};

}  // namespace rgtrans::certificate
