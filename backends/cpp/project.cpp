// Texts of generated projects that do not depend on their form.
#include "backends/cpp/project.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/algorithm/string/erase.hpp>
#include <boost/algorithm/string/replace.hpp>
#include <iterator>
#include <set>
#include <stdexcept>
#include <utility>

namespace rgtrans::cpp {

namespace {

constexpr std::string_view kHeaderStart = "Generated from ";
constexpr std::string_view kProgramMark = "compiled by rgtrans build";  // in the driver

}  // namespace

std::string_view embedded_text(std::string_view name) {
  static const std::pair<std::string_view, std::string_view> kTexts[] = {
#include "embedded/carried.inc"
  };
  const auto it = std::ranges::find(kTexts, name, &std::pair<std::string_view, std::string_view>::first);
  if (it == std::end(kTexts)) throw std::logic_error(fmt::format("no text is called {}", name));
  return it->second;
}

GeneratedFile embedded_file(const std::string& name) { return {name, std::string(embedded_text(name))}; }

GeneratedFile carried(const std::string& header) {
  std::string text =
      boost::algorithm::erase_all_copy(std::string(embedded_text("interpreter/" + header)), "backends/interpreter/");
  boost::algorithm::replace_all(text, "rgtrans::interpreter", "reasoner::interpreter");
  return {header, std::move(text)};
}

void add_common_files(std::vector<GeneratedFile>& files, bool for_device) {
  constexpr std::string_view kOnce = "#pragma once\n";
  std::string basics(embedded_text("basics.hpp"));
  if (for_device) basics.insert(basics.find(kOnce) + kOnce.size(), "#define REASONER_FOR_DEVICE 1\n");
  files.push_back({"basics.hpp", std::move(basics)});
  files.push_back(embedded_file("support.hpp"));
  files.push_back(carried("state_graph.hpp"));
  files.push_back(embedded_file("playing.hpp"));
  files.push_back(embedded_file("driver.cpp"));
  files.push_back({"interface.h", std::string(embedded_text("cpp/interface.h"))});
  files.push_back(embedded_file("library.cpp"));
  files.push_back(embedded_file("CMakeLists.txt"));
}

void add_search_files(std::vector<GeneratedFile>& files) {
  files.push_back({"search.h", std::string(embedded_text("cpp/search.h"))});
  // All files of a reasoner lie in one folder.
  for (const std::string name : {"tree_interface.hpp", "nodes.hpp", "choosing.hpp", "tree.hpp"})
    files.push_back(
        {name, boost::replace_all_copy(std::string(embedded_text("search/" + name)), "backends/search/", "")});
  files.push_back(embedded_file("search.cpp"));
}

// What stands between the files that are included and the first namespace, at a place where no condition is open; npos
// where there is none.
static std::size_t place_behind_includes(std::string_view text) {
  std::size_t place = std::string_view::npos;
  int open = 0;
  bool included = false;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    const std::string_view line = text.substr(at, end - at);
    if (line.starts_with("namespace ")) return place == std::string_view::npos && open == 0 ? at : place;
    open += line.starts_with("#if") ? 1 : line.starts_with("#endif") ? -1 : 0;
    included = included || line.starts_with("#include");
    if (included && open == 0) {
      place = end;
      included = false;
    }
    at = end;
  }
  return std::string_view::npos;
}

void hide_names(std::vector<GeneratedFile>& files, bool for_device) {
  for (GeneratedFile& file : files) {
    const std::size_t place = place_behind_includes(file.text);
    if (place == std::string_view::npos) continue;
    std::string begin = "#pragma GCC visibility push(hidden)\n", end = "#pragma GCC visibility pop\n";
    for (std::string* const pragma : {&begin, &end}) {
      if (for_device) *pragma = "#if !defined(__CUDACC__)\n" + *pragma + "#endif\n";
    }
    // What is included behind the code hides itself.
    if (const std::size_t next = file.text.find("\n#include", place); next != std::string::npos) {
      file.text.insert(next + 1, end + "\n");
    } else {
      file.text += "\n" + end;
    }
    file.text.insert(place, (place > 0 && file.text[place] == '\n' ? "\n" : "") + begin);
  }
}

std::string_view common_headers() { return embedded_text("headers.hpp"); }

// Each variant has names of its own for what the game's files define. What they read of the standard library comes
// before, so that its functions, which all variants share, are those of the oldest processor.
std::vector<GeneratedFile> portable_files([[maybe_unused]] const std::vector<GeneratedFile>& files,
                                          [[maybe_unused]] const ProjectNames& names) {
#if defined(__x86_64__)
  constexpr std::string_view kInclude = "#include <";
  std::set<std::string> headers;
  for (const GeneratedFile& file : files) {
    for (std::size_t at = file.text.find(kInclude); at != std::string::npos; at = file.text.find(kInclude, at + 1))
      headers.insert(file.text.substr(at, file.text.find('\n', at) - at));
  }
  constexpr std::string_view kThird = "avx,avx2,bmi,bmi2,fma,f16c,lzcnt,movbe";
  constexpr std::string_view kFourth = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512vbmi,avx512vbmi2";
  const auto variant = [&](const std::string& name, const std::string& features) {
    std::string text = "// Read before the files of the reasoner, for processors of the level x86-64-" + name + ".\n";
    text += "#pragma once\n";
    for (const std::string& header : headers) text += header + "\n";
    if (!features.empty()) text += "#pragma GCC target(\"" + features + "\")\n";
    for (const std::string_view word : {std::string_view(names.space), std::string_view("main"), kGetter})
      text += fmt::format("#define {0} {0}_{1}\n", word, name);
    if (names.getter != kGetter) text += fmt::format("#define {0} {0}_{1}\n", names.getter, name);
    return GeneratedFile{name + ".hpp", text};
  };
  return {variant("v2", ""),
          variant("v3", std::string(kThird)),
          variant("v4", fmt::format("{},{}", kThird, kFourth)),
          {"dispatch.cpp", with_getter(std::string(embedded_text("dispatch.cpp")), names)}};
#else
  return {};
#endif
}

bool is_reasoner(const std::filesystem::path& folder) {
  std::error_code ignored;
  const std::filesystem::path header = folder / "reasoner.hpp";
  return std::filesystem::is_regular_file(header, ignored) &&
         read_file(header).starts_with("// " + std::string(kHeaderStart));
}

bool is_library(const std::filesystem::path& file) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(file, ignored) && read_file(file).find("_get_reasoner") != std::string::npos;
}

GeneratedFile library_header(const GenerateOptions& options) {
  std::vector<GeneratedFile> files = {{"interface.h", std::string(embedded_text("cpp/interface.h"))}};
  name_files(files, options);
  return {names_of(options).game + ".h", files[0].text};
}

bool is_program(const std::filesystem::path& file) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(file, ignored) && read_file(file).find(kProgramMark) != std::string::npos;
}

void write_head(Text& text, const std::vector<std::string>& says, const std::vector<std::string_view>& includes) {
  for (const std::string& line : says) text.line("// " + line);
  text.raw("#pragma once\n\n");
  for (const std::string_view name : includes)
    text.line(name.starts_with('<') ? fmt::format("#include {}", name) : fmt::format("#include \"{}\"", name));
  text.raw("\nnamespace reasoner {\n\n");
}

void write_header_start(Text& text, const std::string& title, std::string_view remark,
                        const std::vector<std::string_view>& includes) {
  std::vector<std::string> says = {
      "The inside of one game: the memory of states and moves. reasoner.hpp has the interface."};
  if (!remark.empty()) says.emplace_back(remark);
  write_head(text, says, includes);
  write_game_constants(text, title);
}

void write_game_constants(Text& text, const std::string& title) {
  text.line("inline constexpr const char* kGameName = " + literal(title) + ";");
  text.line("inline constexpr std::uint64_t kGameId = 0x@GAME_ID@;  // of these texts, in saved states");
}

void write_move_constants(Text& text, const MoveLayout& layout, std::size_t tags, const MoveForms& forms) {
  const auto define = [&](std::string_view name, bool value) {
    text.line("#define REASONER_{} {}", name, value ? 1 : 0);
  };
  text.line("inline constexpr unsigned kTagCount = {};  // tags are numbered from 1", tags);
  text.line("inline constexpr unsigned kTagBits = {};", layout.bits);
  text.line("inline constexpr unsigned kMostTags = {};  // of one move", layout.capacity);
  text.line("inline constexpr bool kDuplicates = {};  // two walks may have one labeling", forms.duplicates);
  define("PACKED_MOVES", layout.packed);
  define("WIDE_MOVES", layout.wide);
  define("SETS", forms.draws || forms.candidates);
  define("DRAWS", forms.draws);
  define("CANDIDATES", forms.candidates);
  define("GUESSES", forms.guesses);
  define("STORES", forms.stores);
  define("MARKS", forms.marks);
  text.line("inline constexpr bool kDraws = {};  // from sets or candidates", forms.draws || forms.candidates);
  text.line("inline constexpr bool kDrawsSets = {};", forms.draws);
  text.line("inline constexpr bool kGuesses = {};  // picked before anything is asked", forms.guesses);
  text.line("inline constexpr bool kCandidates = {};  // drawn before it is asked whether they are possible",
            forms.candidates);
  text.line("inline constexpr bool kWaits = {};  // … or before their walk was walked to its end", forms.waits);
  text.line("inline constexpr bool kRemembers = {};  // playouts remember states", forms.remembers);
  text.line("inline constexpr bool kTogether = {};  // … and go on side by side", forms.together);
  text.line("inline constexpr bool kAsksTargets = {};  // … where the cells that they need do not tell it", forms.asks);
  text.line(layout.wide ? "__extension__ typedef unsigned __int128 Packed;" : "using Packed = std::uint64_t;");
  text.line("using Tag = std::uint{}_t;", tags <= 256 ? 8 : tags <= 65536 ? 16 : 32);
  text.line("extern const char* const kTagNames[kTagCount];");
  text.line("");
}

void write_scores(Text& text, const std::vector<std::string>& scores, std::string_view table_head) {
  std::string names, values;
  for (const std::string& score : scores) {
    names += literal(score) + ", ";
    values += fmt::format("{}, ", score_value(score));
  }
  const bool numbers = std::ranges::all_of(scores, [](const std::string& s) { return score_number(s).has_value(); });
  text.line("inline constexpr const char* kScoreNames[{}] = {{{}}};", scores.size(), names);
  text.line("{} double kScoreValues[{}] = {{{}}};", table_head, scores.size(), values);
  text.line("inline constexpr bool kScoresAreNumbers = {};", numbers);
}

std::vector<std::string> literals_of(const std::vector<std::string>& names) {
  std::vector<std::string> result;
  for (const std::string& name : names) result.push_back(literal(name));
  return result;
}

void write_list(Text& text, const std::string& head, const std::vector<std::string>& items, std::size_t width) {
  text.open(head + " = {");
  std::string line;
  for (const std::string& item : items) {
    line += item + ", ";
    if (line.size() > width) text.line(std::exchange(line, {}));
  }
  text.line(line);
  text.close("};");
}

void write_tag_names(Text& text, const std::vector<std::string>& names) {
  write_list(text, "const char* const kTagNames[kTagCount]", literals_of(names), 90);
  text.line("");
}

}  // namespace rgtrans::cpp
