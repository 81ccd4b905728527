// Texts inside other texts: how each form of output writes a text of the user's, and lists in arguments.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rgtrans {

// Between two tags or in an attribute of XML and HTML. Control characters, which XML forbids, are left out; only those
// that lay out a text stay.
std::string xml_escaped(std::string_view text);

// As a string of Graphviz, with its quotes, that shows the text in one line.
std::string dot_quoted(std::string_view text);

// For terminals, which a hostile name must not steer: control characters, marks that change the direction of writing
// and bytes that are no UTF-8 become '?'. printable() gives one line, with a blank for a tab; terminal_text() keeps
// line ends and tabs.
std::string printable(std::string_view text);
std::string terminal_text(std::string_view text);

// "a,,b" -> a, b. Each of the separators parts.
std::vector<std::string> split_list(std::string_view text, std::string_view separators = ",");

// Character by character, runs of digits by their value: below 0 when a comes first, 0 when they are equal.
int compare_natural(std::string_view a, std::string_view b);

// For addresses: all but letters, digits and these characters as %XX; and back.
std::string percent_encoded(std::string_view text, std::string_view plain);
std::string percent_decoded(std::string_view text);

// All lines, without their ends; empty ones, too.
std::vector<std::string> split_lines(std::string_view text);

// The lines that only one of two texts has, in order: "- " before those that vanish, "+ " before those that are new.
std::string line_difference(std::string_view before, std::string_view after);

}  // namespace rgtrans
