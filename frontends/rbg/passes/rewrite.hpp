// Local improvements of a flow graph.
#pragma once

#include "frontends/rbg/flow/flow.hpp"

namespace rgtrans::rbg {

// Tests look ahead instead of walking: "go up; is it empty?" becomes "is it empty above?; go up", so that steps of the
// cursor meet and are combined, and disappear where the cursor is not needed any more. True when something changed.
bool look_ahead(const Description& description, Relations& relations, Flow& flow);

// Where several steps of the cursor arrive at one test, after which the cursor is not needed, each tests for itself.
bool test_before_meeting(const Description& description, Relations& relations, Flow& flow);

// At the end of a keeper's move that left the cursor, unused from then on, at one of several places, it is put back;
// so is the scratch variable. Equal positions are equal states then.
void reset_unused(const Description& description, Relations& relations, Flow& flow);

// Alternatives that differ only in a constant become one step with a table: of the piece below the cursor, or of a
// variable. True when something changed.
bool tabulate_choices(const Description& description, Flow& flow);

// Parallel tests of one place become one test; patterns that are a few plain tests are put where they are asked.
bool flatten_tests(const Description& description, Expressions& sets, Flow& flow);

// Of alternatives behind "not X" and "X" and further ones that lead to the same place as "not X", the latter are
// asked only when X holds, so that nothing is asked twice.
bool order_questions(Flow& flow);

// Marks steps off the board that the next test notices anyway.
void rely_on_tests(Flow& flow);

}  // namespace rgtrans::rbg
