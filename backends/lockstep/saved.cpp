#include "backends/lockstep/saved.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "core/support/support.hpp"

namespace rgtrans::lockstep {

SavedWriter::SavedWriter(const std::string& path)
    : path_(path), part_(path + ".part"), file_(part_, std::ios::binary | std::ios::trunc) {
  if (!file_) throw Error(fmt::format("cannot write {}", part_));
}

void SavedWriter::number(std::uint64_t value) { bytes(std::as_bytes(std::span(&value, 1))); }

void SavedWriter::text(std::string_view value) {
  number(value.size());
  bytes(std::as_bytes(std::span(value)));
}

void SavedWriter::bytes(std::span<const std::byte> value) {
  const std::string_view raw(reinterpret_cast<const char*>(value.data()), value.size());
  digest_.add(raw);
  file_.write(raw.data(), static_cast<std::streamsize>(raw.size()));
}

void SavedWriter::numbers(const std::vector<std::uint64_t>& values) {
  number(values.size());
  bytes(std::as_bytes(std::span(values)));
}

void SavedWriter::close() {
  const Digest::Bytes sum = digest_.bytes();
  file_.write(reinterpret_cast<const char*>(sum.data()), sum.size());
  file_.close();
  std::error_code failure;
  if (file_) std::filesystem::rename(part_, path_, failure);
  if (!file_ || failure) throw Error(fmt::format("cannot write {}", path_));
}

SavedReader::SavedReader(const std::string& path) : path_(path), file_(path, std::ios::binary) {
  std::error_code failure;
  const std::uintmax_t size = std::filesystem::file_size(path, failure);
  if (!file_ || failure) throw Error(fmt::format("cannot read {}", path));
  left_ = size < sizeof(Digest::Bytes) ? 0 : size - sizeof(Digest::Bytes);
}

std::uint64_t SavedReader::number() {
  std::uint64_t value = 0;
  bytes(std::as_writable_bytes(std::span(&value, 1)));
  return value;
}

std::string SavedReader::text() {
  const std::uint64_t size = number();
  if (size > left_) throw Error(fmt::format("{} is damaged", path_));
  std::string value(size, '\0');
  bytes(std::as_writable_bytes(std::span(value)));
  return value;
}

void SavedReader::bytes(std::span<std::byte> value) {
  if (value.size() > left_) throw Error(fmt::format("{} is damaged", path_));
  left_ -= value.size();
  char* const raw = reinterpret_cast<char*>(value.data());
  file_.read(raw, static_cast<std::streamsize>(value.size()));
  if (!file_) throw Error(fmt::format("cannot read {}", path_));
  digest_.add({raw, value.size()});
}

std::vector<std::uint64_t> SavedReader::numbers() {
  const std::uint64_t count = number();
  if (count > left_ / sizeof(std::uint64_t)) throw Error(fmt::format("{} is damaged", path_));
  std::vector<std::uint64_t> values(count);
  bytes(std::as_writable_bytes(std::span(values)));
  return values;
}

void SavedReader::close() {
  Digest::Bytes sum{};
  file_.read(reinterpret_cast<char*>(sum.data()), sum.size());
  if (!file_ || left_ != 0 || sum != digest_.bytes()) throw Error(fmt::format("{} is damaged", path_));
}

}  // namespace rgtrans::lockstep
