// The data are compressed with deflate, because the JSON form is verbose: a board of 361 cells with its neighbours
// takes megabytes, and a fortieth of that after compression. Browsers can decompress it.
#include "backends/page/page.hpp"

#include <boost/algorithm/string/replace.hpp>
#include <nlohmann/json.hpp>
#include <set>

#include "backends/json/json.hpp"
#include "backends/scene/scene.hpp"
#include "core/analysis/analysis.hpp"
#include "core/passes/passes.hpp"
#include "core/support/packed.hpp"
#include "core/support/text.hpp"

namespace rgtrans::page {

namespace {

using Json = nlohmann::json;

std::string dump(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

// By start node of moves: the variables that can affect the rest of the play. Other variables only hold values within a
// move.
Json living_variables(const ir::Game& game) {
  // Liveness keeps what a move of random writes until the move ends, for the sake of passes. For the reader of a page
  // such a value matters only if something reads it, so random moves count as moves of the keeper here.
  ir::Game plain = game;
  for (const ir::EdgeId edge : game.graph.edges()) {
    const ir::Label& label = game.graph.label(edge);
    if (!game.is_player_assignment(label)) continue;
    ir::Assign assignment = std::get<ir::Assign>(label);
    assignment.rhs = plain.symbol(plain.keeper());
    plain.graph.set_label(edge, assignment);
  }
  const analysis::Flow flow(plain);
  const analysis::Liveness liveness(plain, flow);
  const std::vector<std::string> names = game.node_names();
  std::set<ir::NodeId> starts = {game.begin()};
  for (const ir::EdgeId edge : game.graph.edges()) {
    if (game.is_player_assignment(game.graph.label(edge))) starts.insert(game.graph.target(edge));
  }
  Json all = Json::object();
  for (const ir::NodeId node : starts) {
    if (!flow.reached(node) || node == game.end()) continue;
    Json& list = all[names[node.value]] = Json::array();
    for (const ir::VarId variable : game.living_variables()) {
      if (liveness.live(variable, node)) list.push_back(game.symbols.str(game.variable(variable).name));
    }
  }
  return all;
}

// Number of a cell's kind: 0 for a field, 1 and 2 for a horizontal and a vertical line.
int number_of(scene::Cell::Line line) { return static_cast<int>(line); }

// Each table maps values to their picture on a cell: [piece, text]; -1 means no piece.
Json boards(const ir::Game& game) {
  const scene::Blueprint blueprint = scene::Painter(game).blueprint();
  const scene::Sheet sheet = scene::sheet(blueprint);
  Json tables = Json::array();
  for (const scene::Blueprint::Table& table : blueprint.tables) {
    Json one = Json::object();
    for (const auto& [value, effect] : table)
      one[value] = {effect.piece ? static_cast<int>(*effect.piece) : -1, effect.text};
    tables.push_back(std::move(one));
  }
  Json cells = Json::array();
  for (std::size_t b = 0; b < blueprint.sources.size(); ++b) {
    for (std::size_t c = 0; c < blueprint.sources[b].size(); ++c) {
      Json sources = Json::array();
      for (const scene::Blueprint::Source& source : blueprint.sources[b][c]) {
        Json also = Json::array();
        for (const scene::CellSpot::Held& held : source.also) also.push_back({held.variable, held.key, held.value});
        sources.push_back({source.variable, source.key, source.table});
        if (!also.empty()) sources.back().push_back(std::move(also));
      }
      const ir::Words::Place at = sheet.places[b][c];
      const scene::Cell& cell = blueprint.empty.boards[b].cells[c];
      cells.push_back({{"name", cell.name},
                       {"second", cell.second},
                       {"x", at.x},
                       {"y", at.y},
                       {"line", number_of(blueprint.empty.boards[b].cells[c].line)},
                       {"sources", sources}});
    }
  }
  Json columns = Json::object();
  for (const scene::BoardPicture& board : blueprint.empty.boards) {
    for (const scene::Label& column : board.columns) {
      if (column.across) continue;
      Json& names = columns[column.text];
      for (const scene::Cell& cell : board.cells) {
        if (std::abs(cell.x - column.at) < 0.25) names.push_back(cell.name);
      }
    }
  }
  Json others = Json::array();
  for (const scene::Blueprint::Other& other : blueprint.others) {
    others.push_back({{"name", other.name},
                      {"bits", other.bits},
                      {"numbers", other.numbers},
                      {"wanted", other.wanted},
                      {"pictures", other.pictures}});
  }
  return {{"svg", blueprint.empty.boards.empty() ? "" : sheet.svg},
          {"pieces", sheet.pieces},
          {"strokes", sheet.strokes},
          {"tables", std::move(tables)},
          {"cells", std::move(cells)},
          {"columns", std::move(columns)},
          {"others", std::move(others)}};
}

// The text of the comment with which the description begins: its author's own words about the game.
std::string head_comment(const ir::Game& game) {
  const Sources::File* const file = game.sources()->file_of(1);
  if (file == nullptr) return "";
  std::string out;
  bool begun = false;
  for (const std::string& line : split_lines(file->text)) {
    const std::size_t at = line.find_first_not_of(" \t\r");
    if (at == std::string::npos) {
      if (begun) break;
      continue;
    }
    const std::string_view rest = std::string_view(line).substr(at);
    const bool slashes = rest.starts_with("//");
    if (!slashes && !rest.starts_with(";")) break;
    begun = true;
    const std::size_t from = rest.find_first_not_of("/; \t");
    std::string_view text = from == std::string_view::npos ? std::string_view() : rest.substr(from);
    while (!text.empty() && (text.back() == '\r' || text.back() == ' ')) text.remove_suffix(1);
    if (!text.starts_with("display:")) out += std::string(text) + "\n";
  }
  return out;
}

}  // namespace

// Where the comment at the head begins with a line of its own, that is the name of the game; a long remark in
// parentheses behind it is left out.
std::string title_of(const ir::Game& game, std::string_view file) {
  constexpr std::size_t kLongest = 60;
  const std::string comment = head_comment(game);
  std::string first = comment.substr(0, comment.find('\n'));
  const bool alone = first.size() + 1 >= comment.size() || comment[first.size() + 1] == '\n';
  if (const std::size_t remark = first.find(" ("); first.size() > kLongest && first.ends_with(')'))
    first.resize(std::min(remark, first.size()));
  return !first.empty() && first.size() <= kLongest && alone && !first.ends_with('.') ? first : std::string(file);
}

std::string data(const ir::Game& game, std::string_view title) {
  Json words = Json::object();
  Json asides = Json::array();
  if (game.words != nullptr) {
    for (const auto& [symbol, text] : game.words->texts) words[game.symbols.str(symbol)] = text;
    for (const SymbolId symbol : game.words->asides) asides.push_back(game.symbols.str(symbol));
  }
  const scene::Wording wording(game);
  // Passes that keep the variables as the author wrote them; they save the browser from analysing second visits.
  ir::Game marked = game;
  passes::optimize(marked, {.passes = std::vector<std::string>{"pragma-disjoint", "pragma-unique"}});
  marked.words = nullptr;  // they are written once
  const Json rest = {{"title", title},
                     {"boards", boards(game)},
                     {"words", words},
                     {"joint", std::string(1, game.words == nullptr ? ' ' : game.words->joint)},
                     {"asides", asides},
                     {"names", wording.all_names()},
                     {"passes", wording.all_passes()},
                     {"coordinates", wording.coordinates().names()},
                     {"rules", head_comment(game)},
                     {"alive", living_variables(marked)},
                     {"hides", ir::hides_moves(game)}};
  std::string text = dump(rest);
  text.pop_back();
  return text + ",\"game\":" + json::print(marked) + "}";
}

std::string write(const ir::Game& game, std::string_view title, std::string_view page) {
  std::string html(page);
  boost::algorithm::replace_all(html, "@TITLE@", xml_escaped(title));
  boost::algorithm::replace_first(html, "@DATA@", packed(data(game, title)));
  return html;
}

}  // namespace rgtrans::page
