// The functions behind the table of verbs, one file for each group of them.
#pragma once

#include "ide/workbench/workbench.hpp"

namespace rgtrans::ide {

template <class Progress>
using Tell = std::function<void(const Progress& progress)>;

// documents.cpp
HelloReply hello(Bench& bench, const Nothing& request, const Stop& stop);
TextReply read_text(Bench& bench, const ReadRequest& request, const Stop& stop);
Nothing save_text(Bench& bench, const SaveRequest& request, const Stop& stop);
OpenReply open_text(Bench& bench, const OpenRequest& request, const Stop& stop);

// automata.cpp
TextReply translate(Bench& bench, const TranslateRequest& request, const Stop& stop);
OptimizeReply optimize(Bench& bench, const OptimizeRequest& request, const Stop& stop);
PassReply show_pass(Bench& bench, const PassRequest& request, const Stop& stop);
TextReply explain(Bench& bench, const ExplainRequest& request, const Stop& stop);
AutomatonReply draw_automaton(Bench& bench, const AutomatonRequest& request, const Stop& stop);
DrawingReply draw_pieces(Bench& bench, const DrawingRequest& request, const Stop& stop);
NodesReply nodes_of_line(Bench& bench, const NodesRequest& request, const Stop& stop);
SourceReply source_of_node(Bench& bench, const SourceRequest& request, const Stop& stop);

// plays.cpp
MovesReply moves(Bench& bench, const MovesRequest& request, const Stop& stop);
BoardReply board(Bench& bench, const BoardRequest& request, const Stop& stop);
PlayReply show_play(Bench& bench, const PlayRequest& request, const Stop& stop);
PerftReply count_leaves(const Errand& errand, const PerftRequest& request, const Tell<PerftProgress>& tell);
PlayoutsReply play_out(const Errand& errand, const PlayoutsRequest& request, const Tell<PlayoutsProgress>& tell);
EnginesReply measure_engines(const Errand& errand, const EnginesRequest& request, const Tell<EnginesProgress>& tell);
CompareReply compare(const Errand& errand, const CompareRequest& request, const Tell<CompareProgress>& tell);

// setup.cpp
ArrangeReply arrange(Bench& bench, const ArrangeRequest& request, const Stop& stop);

// thinking.cpp
Thoughts think(const Errand& errand, const ThinkRequest& request, const Tell<Thoughts>& tell);
PlayerReply choose_move(const Errand& errand, const PlayerRequest& request, const Tell<Nothing>& tell);
SolveReply solve(const Errand& errand, const SolveRequest& request, const Tell<Nothing>& tell);
AnalyzeReply analyze(const Errand& errand, const AnalyzeRequest& request, const Tell<Nothing>& tell);

}  // namespace rgtrans::ide
