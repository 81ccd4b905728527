#include "core/support/packed.hpp"

#include <boost/archive/iterators/base64_from_binary.hpp>
#include <boost/archive/iterators/transform_width.hpp>
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
  using namespace boost::archive::iterators;
  using Base64 = base64_from_binary<transform_width<std::string::const_iterator, 6, 8>>;
  const std::string bytes = deflated(text);
  std::string out(Base64(bytes.begin()), Base64(bytes.end()));
  out.append((4 - out.size() % 4) % 4, '=');
  return out;
}

}  // namespace rgtrans
