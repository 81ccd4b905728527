// rgtrans page: a game as one file that a browser plays.
#include "backends/page/page.hpp"

#include "cli/command.hpp"
#include "core/support/support.hpp"
#include "ide/bundle/bundle.hpp"

namespace rgtrans::cli {

namespace {

struct PageArguments {
  GameArguments game;
  std::string output = "-";
  std::string title;
};

int run(const PageArguments& options) {
  options.game.files().writes(options.output, "-o");
  const ir::Game game = options.game.load();
  std::string title = options.title;
  if (title.empty()) title = page::title_of(game, std::filesystem::path(options.game.path).stem().string());
  write_file(options.output, page::write(game, title, ide::bundle::kGamePage));
  return kSuccess;
}

}  // namespace

const Command kPage = {"page", "write one file that plays the game in any browser",
                       "rgtrans page -o chess.html games/hrg/chess.hrg", [](OptionSet& app) -> std::function<int()> {
                         auto options = std::make_shared<PageArguments>();
                         options->game.add_to(app);
                         app.add_option("--title", options->title, "title of the page; by default the name of the file")
                             ->type_name("TEXT");
                         add_output(app, options->output);
                         return [options] { return run(*options); };
                       }};

}  // namespace rgtrans::cli
