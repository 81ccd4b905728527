// Graph functions: generators such as (square 8), and operators such as (merge A B).
#pragma once

#include "frontends/ludii/board/graph.hpp"
#include "frontends/ludii/text/arguments.hpp"

namespace rgtrans::ludii {

// The graph that the clause describes. Throws Refused.
Graph make_graph(const Node& clause, SiteType use);

// The generators, one group a file, and the operators.
Graph square(Arguments& arguments, SiteType use);
Graph rectangle(Arguments& arguments, SiteType use);
Graph hexagons(Arguments& arguments, SiteType use);
Graph triangles(Arguments& arguments, SiteType use);
Graph tiling(Arguments& arguments, SiteType use);
Graph concentric(Arguments& arguments, SiteType use);
Graph regular(Arguments& arguments, SiteType use);
Graph wedge(Arguments& arguments, SiteType use);
Graph spiral(Arguments& arguments, SiteType use);
Graph repeated(Arguments& arguments, SiteType use);
Graph listed(Arguments& arguments, SiteType use);
// (mancalaBoard …) and (boardless …) are items of equipment; the functions take their first arguments.
Graph mancala(Arguments& arguments);
Graph boardless(Arguments& arguments);

}  // namespace rgtrans::ludii
