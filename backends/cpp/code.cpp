// Generated code as data (code.hpp).
#include "backends/cpp/code.hpp"

#include <stdexcept>

namespace rgtrans::cpp {

std::string print_jump(std::uint32_t node) { return fmt::format("goto at_{}", node); }

Code Code::jump(std::uint32_t node) { return Code(Reference{0, Reference::Kind::jump, node}); }

Code& Code::operator+=(const Code& other) {
  for (Reference reference : other.references_) {
    reference.at += text_.size();
    references_.push_back(reference);
  }
  text_ += other.text_;
  return *this;
}

void Text::add_line(const Code& code, int deeper) {
  if (deeper < 0) --indent_;
  if (!code.empty()) {
    text_.append(static_cast<std::size_t>(indent_) * 2, ' ');
    ++lines_;
  }
  *this += code;
  text_ += '\n';
  if (deeper > 0) ++indent_;
}

void Text::add_comment(std::string_view text) {
  add_line("// " + std::string(text), 0);
  --lines_;
}

void Text::add(const Text& other) {
  *this += other;
  lines_ += other.lines_;
}

const std::string& Text::str() const {
  if (!references_.empty()) throw std::logic_error("code with references is printed without their names");
  return text_;
}

std::string Text::take() {
  std::string result = str();
  text_.clear();
  return result;
}

Text Text::with_jumps(const std::function<Code(std::uint32_t)>& code_for) const {
  Text result;
  result.indent_ = indent_;
  result.lines_ = lines_;
  std::size_t done = 0;
  for (Reference reference : references_) {
    result.text_.append(text_, done, reference.at - done);
    done = reference.at;
    if (reference.kind == Reference::Kind::jump) {
      result += code_for(reference.number);
    } else {
      reference.at = result.text_.size();
      result.references_.push_back(reference);
    }
  }
  result.text_.append(text_, done);
  return result;
}

WordCode& WordCode::operator+=(const WordCode& other) {
  if (other.empty()) return *this;
  if (empty()) return *this = other;
  parts_.back() += other.parts_.front();
  parts_.insert(parts_.end(), other.parts_.begin() + 1, other.parts_.end());
  return *this;
}

}  // namespace rgtrans::cpp
