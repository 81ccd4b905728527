// Decides whether a client may use a server on this machine. Any page in any browser can send requests to 127.0.0.1,
// and names can be made to point there, so being local is no proof. A request must name this server as its host. If a
// browser names the origin, it must be a page of this server. For more than the page's files, the request must also
// have the token.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace rgtrans::ide {

class Guard {
 public:
  Guard(unsigned short port, std::string token) : port_(port), token_(std::move(token)) {}

  // The names under which browsers know this server; a name that only points to it (DNS rebinding) is none of them.
  [[nodiscard]] bool host_allowed(std::string_view host) const;
  // As browsers send it: "http://127.0.0.1:7474".
  [[nodiscard]] bool origin_allowed(std::string_view origin) const;
  // Takes as long whatever is wrong with it.
  [[nodiscard]] bool token_allowed(std::string_view token) const;

 private:
  unsigned short port_;
  std::string token_;
};

// The target of a request line: "/studio?token=abc".
struct RequestTarget {
  std::string path;
  std::string token;
};
// None unless the text is a plain path: nothing is decoded, so escapes cannot hide anything.
std::optional<RequestTarget> read_target(std::string_view text);

// 128 random bits in hexadecimal digits.
std::string random_token();

}  // namespace rgtrans::ide
