#include "frontends/ludii/equipment/tracks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/support/text.hpp"

namespace rgtrans::ludii {

namespace {

// Fills the links; equal neighbours in the list become one element with a bump.
void link_track(Track& track, const std::vector<int>& sites) {
  for (const int site : sites) {
    if (!track.sites.empty() && track.sites.back() == site) {
      ++track.bumps.back();
      continue;
    }
    track.sites.push_back(site);
    track.bumps.push_back(0);
  }
  const int n = static_cast<int>(track.sites.size());
  for (int i = 0; i < n; ++i) {
    const bool first = i == 0, last = i + 1 == n;
    track.next.push_back(!last ? i + 1 : track.loop ? 0 : -1);
    track.previous.push_back(first ? (track.loop ? n - 1 : -1) : track.directed ? -1 : i - 1);
  }
  const bool bumped = std::ranges::any_of(track.bumps, [](int bump) { return bump > 0; });
  const std::set<int> distinct(track.sites.begin(), track.sites.end());
  track.has_inner_loop = !bumped && distinct.size() < track.sites.size();
}

// "1,E,N3,End"
std::vector<int> sites_of_text(const Node& text, const Statics& statics) {
  const Topology& topology = statics.topology();
  const SiteType type = statics.equipment().use;
  std::vector<int> sites;
  for (const std::string& item : split_list(text.text)) {
    const bool number = std::ranges::all_of(item, [](char c) { return c >= '0' && c <= '9'; });
    if (number && item.size() < 6) {
      sites.push_back(std::stoi(item));
    } else if (item == "End") {
      sites.push_back(kEnd);
    } else {
      const std::size_t digit = std::min(item.find_first_of("0123456789"), item.size());
      const auto direction = find_direction(item.substr(0, digit));
      if (!direction || sites.empty() || sites.back() < 0 || sites.back() >= topology.count(type) ||
          item.size() - digit > 4)
        throw Refused(text.where, fmt::format("`{}` is no step of a track here", item));
      const std::size_t steps = digit < item.size() ? std::stoul(item.substr(digit)) : SIZE_MAX;
      const int from = sites.back();
      for (const Radial& radial : topology.radials(type, *direction, from)) {
        for (std::size_t i = 1; i < radial.size() && i <= steps; ++i) sites.push_back(radial[i]);
      }
    }
  }
  return sites;
}

}  // namespace

Track read_track(const Node& clause, const Statics& statics) {
  if (!clause.is_clause("track")) refuse(clause);
  Arguments arguments(clause);
  Track track;
  track.loop = arguments.flag("loop");
  track.directed = arguments.flag("directed");
  track.name = arguments.need("a name").text;
  const Node& sites = arguments.need("sites");
  if (const Node* const owner = arguments.next()) {
    const auto number = owner->is_integer() ? std::optional(std::stoi(owner->text))
                                            : role_number(owner->text, statics.equipment().player_count());
    if (!number) refuse(*owner);
    track.owner = *number;
  }
  arguments.finish();
  std::vector<int> list;
  if (sites.is_string()) {
    list = sites_of_text(sites, statics);
  } else if (sites.is_array()) {
    for (const Node& item : sites.items) {
      const auto value = statics.integer(item, {});
      if (!value) refuse(item);
      list.push_back(*value);
    }
  } else {
    refuse(sites);
  }
  link_track(track, list);
  return track;
}

std::vector<Track> surakarta_tracks(const Topology& topology, int loops, int from) {
  const auto& sites = topology.sites(SiteType::vertex);
  int rows = 0, columns = 0;
  for (const auto& site : sites) {
    rows = std::max(rows, site.row + 1);
    columns = std::max(columns, site.column + 1);
  }
  if (loops == 0) loops = (std::min(rows, columns) - 2) / 2;
  std::vector<Track> tracks;
  for (int k = from; k < from + loops && 2 * k < std::min(rows, columns); ++k) {
    const auto at = [&](int row, int column) { return row * columns + column; };
    std::vector<std::vector<int>> lines(4);
    for (int c = 0; c < columns; ++c) lines[0].push_back(at(k, c));
    for (int r = 0; r < rows; ++r) lines[1].push_back(at(r, columns - 1 - k));
    for (int c = columns - 1; c >= 0; --c) lines[2].push_back(at(rows - 1 - k, c));
    for (int r = rows - 1; r >= 0; --r) lines[3].push_back(at(r, k));
    for (const char way : {'F', 'B'}) {
      Track track;
      track.name = fmt::format("Track{}{}", tracks.size() / 2 + 1, way);
      track.loop = track.directed = true;
      if (way == 'B') {
        std::ranges::reverse(lines);
        for (std::vector<int>& line : lines) std::ranges::reverse(line);
      }
      // The end of a line is entered twice, where a piece runs around the corner.
      std::vector<int> sites;
      for (const std::vector<int>& line : lines) {
        sites.insert(sites.end(), line.begin(), line.end());
        sites.push_back(line.back());
      }
      link_track(track, sites);
      tracks.push_back(std::move(track));
    }
  }
  return tracks;
}

}  // namespace rgtrans::ludii
