// The editor is libedit. It is opened when somebody plays at a terminal, so other commands need not load it, and the
// program works without it.
#include "cli/line_editor.hpp"

#if __has_include(<histedit.h>)

#include <dlfcn.h>
#include <histedit.h>
#include <unistd.h>

#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace rgtrans::cli {

namespace {

// The functions of libedit that the editor calls, by their names without el_.
struct EditLibrary {
  void* handle = dlopen("libedit.so.2", RTLD_NOW | RTLD_LOCAL);
  bool complete = true;  // all functions were found
  // NOLINTBEGIN(bugprone-macro-parentheses): the macro declares a name, which has no parentheses.
#define RGTRANS_EDIT_FUNCTION(name, symbol) decltype(&symbol) name = find<decltype(&symbol)>(#symbol)
  // NOLINTEND(bugprone-macro-parentheses)
  RGTRANS_EDIT_FUNCTION(init, el_init);
  RGTRANS_EDIT_FUNCTION(end, el_end);
  RGTRANS_EDIT_FUNCTION(set, el_set);
  RGTRANS_EDIT_FUNCTION(get, el_get);
  RGTRANS_EDIT_FUNCTION(gets, el_gets);
  RGTRANS_EDIT_FUNCTION(line, el_line);
  RGTRANS_EDIT_FUNCTION(insert, el_insertstr);
  RGTRANS_EDIT_FUNCTION(source, el_source);
  RGTRANS_EDIT_FUNCTION(history_begin, history_init);
  RGTRANS_EDIT_FUNCTION(history_over, history_end);
  RGTRANS_EDIT_FUNCTION(history_do, history);
#undef RGTRANS_EDIT_FUNCTION

 private:
  template <class Function>
  Function find(const char* name) {
    void* const symbol = handle == nullptr ? nullptr : dlsym(handle, name);
    complete = complete && symbol != nullptr;
    return reinterpret_cast<Function>(symbol);
  }
};

const EditLibrary& edit() {
  static const EditLibrary all;
  return all;
}

class Editor : public terminal::TypedLines {
 public:
  Editor() : editor_(edit().init("rgtrans", stdin, stdout, stderr)), history_(edit().history_begin()) {
    constexpr int kLines = 500;
    HistEvent event;
    edit().history_do(history_, &event, H_SETSIZE, kLines);
    edit().history_do(history_, &event, H_SETUNIQUE, 1);
    edit().set(editor_, EL_CLIENTDATA, this);
    edit().set(editor_, EL_PROMPT, &Editor::prompt);
    edit().set(editor_, EL_EDITOR, "emacs");
    edit().set(editor_, EL_HIST, edit().history_do, history_);
    // Ctrl-C leaves the terminal as it was.
    edit().set(editor_, EL_SIGNAL, 1);
    edit().set(editor_, EL_ADDFN, "complete-move", "Complete the move", &Editor::complete);
    edit().set(editor_, EL_BIND, "^I", "complete-move", nullptr);
    edit().set(editor_, EL_BIND, "^R", "em-inc-search-prev", nullptr);
    edit().source(editor_, nullptr);
  }
  Editor(const Editor&) = delete;
  Editor& operator=(const Editor&) = delete;
  ~Editor() override {
    edit().end(editor_);
    edit().history_over(history_);
  }

  std::optional<std::string> next(const std::string& prompt, const std::vector<std::string>& offered) override {
    prompt_ = prompt;
    offered_ = &offered;
    int length = 0;
    const char* const text = edit().gets(editor_, &length);
    offered_ = nullptr;
    if (text == nullptr || length <= 0) return std::nullopt;
    std::string line(text, static_cast<std::size_t>(length));
    while (!line.empty() && (line.back() == '\n' || line.back() == '\r')) line.pop_back();
    HistEvent event;
    if (!line.empty()) edit().history_do(history_, &event, H_ENTER, line.c_str());
    return line;
  }

 private:
  static Editor* of(EditLine* editor) {
    Editor* self = nullptr;
    edit().get(editor, EL_CLIENTDATA, &self);
    return self;
  }
  static char* prompt(EditLine* editor) { return of(editor)->prompt_.data(); }

  // Inserts the part that all fitting texts share. If there is none, lists them.
  static unsigned char complete(EditLine* editor, int /*key*/) {
    constexpr std::size_t kMaxShown = 60;
    constexpr std::size_t kWindow = 80;  // columns of the terminal
    const Editor& self = *of(editor);
    const LineInfo* const line = edit().line(editor);
    const std::string_view begun(line->buffer, static_cast<std::size_t>(line->cursor - line->buffer));
    if (self.offered_ == nullptr) return CC_ERROR;
    terminal::Completion found = terminal::complete(begun, *self.offered_);
    if (!found.rest.empty()) {
      const bool inserted = edit().insert(editor, found.rest.c_str()) == 0;
      return inserted ? CC_REFRESH : CC_ERROR;
    }
    if (found.fitting.size() < 2) return CC_ERROR;
    if (found.fitting.size() > kMaxShown) {
      found.fitting.resize(kMaxShown);
      found.fitting.emplace_back("…");
    }
    std::fprintf(stdout, "\n%s", terminal::in_columns(found.fitting, kWindow).c_str());
    return CC_REDISPLAY;
  }

  EditLine* editor_;
  History* history_;
  std::string prompt_;
  const std::vector<std::string>* offered_ = nullptr;
};

}  // namespace

std::unique_ptr<terminal::TypedLines> line_editor() {
  const char* const kind = std::getenv("TERM");
  const bool able = kind != nullptr && std::string_view(kind) != "" && std::string_view(kind) != "dumb";
  if (!able || ::isatty(STDIN_FILENO) == 0 || ::isatty(STDOUT_FILENO) == 0 || !edit().complete) return nullptr;
  // All texts of the program are UTF-8.
  std::setlocale(LC_CTYPE, "C.UTF-8");
  return std::make_unique<Editor>();
}

}  // namespace rgtrans::cli

#else

namespace rgtrans::cli {

std::unique_ptr<terminal::TypedLines> line_editor() { return nullptr; }

}  // namespace rgtrans::cli

#endif
