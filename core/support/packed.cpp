#include "core/support/packed.hpp"

#include <boost/beast/core/detail/base64.hpp>
#include <boost/beast/zlib/deflate_stream.hpp>

namespace rgtrans {

namespace {

std::string deflated(std::string_view text) {
  namespace zlib = boost::beast::zlib;
  zlib::deflate_stream stream;
  stream.reset(9, 15, 8, zlib::Strategy::normal);
  std::string out(stream.upper_bound(text.size()) + 64, '\0');
  zlib::z_params params;
  params.next_in = text.data();
  params.avail_in = text.size();
  params.next_out = out.data();
  params.avail_out = out.size();
  boost::system::error_code problem;
  stream.write(params, zlib::Flush::finish, problem);
  out.resize(params.total_out);
  return out;
}

}  // namespace

std::string packed(std::string_view text) {
  namespace base64 = boost::beast::detail::base64;
  const std::string bytes = deflated(text);
  std::string out(base64::encoded_size(bytes.size()), '\0');
  out.resize(base64::encode(out.data(), bytes.data(), bytes.size()));
  return out;
}

}  // namespace rgtrans
