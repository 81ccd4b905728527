// Escapes texts for each output format, and splits lists in arguments.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rgtrans {

// Escapes text for an element or attribute of XML and HTML. XML forbids most control characters; they are removed, and
// only tabs and line ends remain.
std::string xml_escaped(std::string_view text);

// A quoted string of Graphviz that shows the text on one line.
std::string dot_quoted(std::string_view text);

// Protects terminals from hostile names: replaces control characters, marks that change the direction of writing and
// invalid UTF-8 by '?'. printable() returns one line, with a space for a tab; terminal_text() keeps line ends and tabs.
std::string printable(std::string_view text);
std::string terminal_text(std::string_view text);

// Splits at each of the separators and drops empty parts: "a,,b" -> a, b.
std::vector<std::string> split_list(std::string_view text, std::string_view separators = ",");

// Compares by characters, and runs of digits by value. Negative if a precedes b, 0 if they are equal.
int compare_natural(std::string_view a, std::string_view b);

// Percent-encoding for addresses: encodes all characters except letters, digits and those in `plain`.
std::string percent_encoded(std::string_view text, std::string_view plain);
std::string percent_decoded(std::string_view text);

// All lines without their ends, including empty lines.
std::vector<std::string> split_lines(std::string_view text);

// The lines that occur in only one of the two texts, in order: "- " marks removed lines, "+ " marks added lines.
std::string line_difference(std::string_view before, std::string_view after);

}  // namespace rgtrans
