#include "ide/server/guard.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <random>

#include "core/support/letters.hpp"

namespace rgtrans::ide {

namespace {

constexpr std::string_view kNames[] = {"127.0.0.1", "localhost"};

bool plain(char c) { return is_word(c) || c == '/' || c == '.' || c == '-'; }

}  // namespace

bool Guard::host_allowed(std::string_view host) const {
  return std::ranges::any_of(kNames, [&](std::string_view name) { return host == fmt::format("{}:{}", name, port_); });
}

bool Guard::origin_allowed(std::string_view origin) const {
  constexpr std::string_view kScheme = "http://";
  return origin.starts_with(kScheme) && host_allowed(origin.substr(kScheme.size()));
}

bool Guard::token_allowed(std::string_view token) const {
  unsigned difference = token.size() == token_.size() ? 0 : 1;
  for (std::size_t i = 0; i < token_.size(); ++i) {
    const char given = i < token.size() ? token[i] : '\0';
    difference |= static_cast<unsigned char>(given) ^ static_cast<unsigned char>(token_[i]);
  }
  return difference == 0 && !token_.empty();
}

std::optional<RequestTarget> read_target(std::string_view text) {
  constexpr std::size_t kLongest = 512;
  if (text.empty() || text.front() != '/' || text.size() > kLongest) return std::nullopt;
  RequestTarget target;
  const std::size_t query = text.find('?');
  target.path = text.substr(0, query);
  if (!std::ranges::all_of(target.path, plain) || target.path.find("..") != std::string::npos) return std::nullopt;
  if (query == std::string_view::npos) return target;
  constexpr std::string_view kToken = "token=";
  for (std::string_view rest = text.substr(query + 1); !rest.empty();) {
    const std::size_t end = std::min(rest.find('&'), rest.size());
    const std::string_view part = rest.substr(0, end);
    if (part.starts_with(kToken)) target.token = part.substr(kToken.size());
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return target;
}

std::string random_token() {
  std::random_device device;
  std::string token;
  for (int i = 0; i < 4; ++i) token += fmt::format("{:08x}", device());
  return token;
}

}  // namespace rgtrans::ide
