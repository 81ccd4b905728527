// Figures as text, tables and one page; the page is self-contained, its charts are SVG.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "backends/search/search.hpp"
#include "core/support/text.hpp"

namespace rgtrans::search {

namespace {

std::string number(double value, bool share) {
  return share ? fmt::format("{:.1f}%", 100 * value) : fmt::format("{:.2f}", value);
}

}  // namespace

std::string verdict(const Analysis& analysis) {
  constexpr std::size_t kNamed = 2;
  const auto percent = [](double share) { return fmt::format("{:.0f} %", 100 * share); };
  std::vector<std::string> parts;
  if (const Figure* first = analysis.find("first")) {
    const Estimate& e = first->estimate;
    std::string part =
        fmt::format("{} is {} ({} to {})", first->title, percent(e.value), percent(e.low), percent(e.high));
    if (analysis.find("draws") != nullptr) {
      part += e.low <= 0.5 && e.high >= 0.5 ? ", which may be even"
              : e.value > 0.5               ? ", so the first player has the better game"
                                            : ", so the first player has the worse game";
    }
    parts.push_back(std::move(part));
  }
  if (const Figure* length = analysis.find("length")) {
    std::string part = fmt::format("a play takes {:.0f} turns", length->estimate.value);
    if (const Figure* choice = analysis.find("branching")) {
      part += fmt::format(", with {:.0f} moves to choose from", choice->estimate.value);
    }
    parts.push_back(std::move(part));
  }
  if (const Figure* draws = analysis.find("draws")) parts.push_back(percent(draws->estimate.value) + " are draws");
  if (!analysis.dead_rules.empty()) {
    std::vector<std::string> rules;
    for (const DeadRule& rule : analysis.dead_rules) {
      if (rules.size() < kNamed) rules.push_back(fmt::format("'{}'", rule.text));
    }
    const std::size_t more = analysis.dead_rules.size() - rules.size();
    parts.push_back(fmt::format("{}{} {} never used", fmt::join(rules, ", "),
                                more > 0 ? fmt::format(" and {} more lines", more) : "",
                                analysis.dead_rules.size() == 1 ? "is" : "are"));
  }
  return parts.empty() ? "These plays say nothing." : fmt::format("{}.", fmt::join(parts, "; "));
}

std::string text(const Analysis& analysis) {
  constexpr std::size_t kShown = 12;
  std::string out =
      fmt::format("{}: {} plays of equal players, {:.1f} s\n", analysis.game, analysis.plays, analysis.seconds);
  out += fmt::format("  {}\n", verdict(analysis));
  for (const Figure& f : analysis.figures) {
    out += fmt::format("  {:<38} {:>8}   {} … {}\n", f.title, number(f.estimate.value, f.share),
                       number(f.estimate.low, f.share), number(f.estimate.high, f.share));
  }
  if (!analysis.unused_tags.empty()) {
    const std::size_t count = analysis.unused_tags.size();
    const std::span shown(analysis.unused_tags.data(), std::min(count, kShown));
    out += fmt::format("  never legal: {}{}\n", fmt::join(shown, " "),
                       count > kShown ? fmt::format(" and {} more", count - kShown) : "");
  }
  if (!analysis.dead_rules.empty()) out += "  never used in these plays:\n";
  for (std::size_t i = 0; i < analysis.dead_rules.size() && i < kShown; ++i) {
    out += fmt::format("    {}: {}\n", analysis.dead_rules[i].place, analysis.dead_rules[i].text);
  }
  if (analysis.dead_rules.size() > kShown) {
    out += fmt::format("    and {} more lines\n", analysis.dead_rules.size() - kShown);
  }
  return out;
}

std::string json(std::span<const Analysis> games) {
  nlohmann::ordered_json out = nlohmann::ordered_json::array();
  for (const Analysis& a : games) {
    nlohmann::ordered_json one;
    one["game"] = a.game;
    one["plays"] = a.plays;
    one["seconds"] = a.seconds;
    for (const Figure& f : a.figures) {
      one["figures"][f.key] = {{"value", f.estimate.value}, {"low", f.estimate.low}, {"high", f.estimate.high}};
    }
    one["never_legal"] = a.unused_tags;
    one["dead_rules"] = nlohmann::ordered_json::array();
    for (const DeadRule& rule : a.dead_rules) {
      one["dead_rules"].push_back({{"place", rule.place}, {"text", rule.text}});
    }
    one["lengths"] = a.lengths;
    out.push_back(one);
  }
  return out.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

std::string csv(std::span<const Analysis> games) {
  std::vector<std::string> keys;
  for (const Analysis& a : games) {
    for (const Figure& f : a.figures) {
      if (std::ranges::find(keys, f.key) == keys.end()) keys.push_back(f.key);
    }
  }
  std::string out = "game";
  for (const std::string& key : keys) out += fmt::format(",{0},{0}_low,{0}_high", key);
  out += "\n";
  for (const Analysis& a : games) {
    std::string name = a.game;
    for (std::size_t at = 0; (at = name.find('"', at)) != std::string::npos; at += 2) name.insert(at, 1, '"');
    out += "\"" + name + "\"";
    for (const std::string& key : keys) {
      const Figure* f = a.find(key);
      out += f == nullptr ? ",,,"
                          : fmt::format(",{:.6g},{:.6g},{:.6g}", f->estimate.value, f->estimate.low, f->estimate.high);
    }
    out += "\n";
  }
  return out;
}

namespace {

constexpr double kWidth = 300, kHeight = 110, kMargin = 22;

std::string svg(const std::string& inside, const std::string& title) {
  return fmt::format(
      "<figure><svg viewBox=\"0 0 {} {}\" role=\"img\" "
      "aria-label=\"{}\">{}</svg><figcaption>{}</figcaption></figure>\n",
      kWidth, kHeight, title, inside, title);
}

std::string histogram(const std::vector<double>& values) {
  if (values.empty()) return "";
  constexpr int kBars = 15;
  const double low = std::ranges::min(values);
  const double step = std::max(1.0, std::ceil((std::ranges::max(values) - low + 1) / kBars));
  std::vector<int> bars(kBars, 0);
  for (const double v : values) ++bars[std::min<std::size_t>(kBars - 1, static_cast<std::size_t>((v - low) / step))];
  const int most = std::max(1, std::ranges::max(bars));
  std::string out;
  const double width = (kWidth - 2 * kMargin) / kBars;
  for (int i = 0; i < kBars; ++i) {
    const double height = (kHeight - 2 * kMargin) * bars[i] / most;
    out += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" class=\"bar\"/>",
                       kMargin + i * width, kHeight - kMargin - height, width - 1, height);
  }
  out += fmt::format("<text x=\"{}\" y=\"{}\">{:.0f}</text><text x=\"{}\" y=\"{}\" text-anchor=\"end\">{:.0f}</text>",
                     kMargin, kHeight - 6, low, kWidth - kMargin, kHeight - 6, low + kBars * step - 1);
  return svg(out, "turns of a play");
}

std::string lines(const std::vector<std::vector<double>>& leads) {
  std::size_t longest = 2;
  for (const auto& line : leads) longest = std::max(longest, line.size());
  std::string out = fmt::format("<line x1=\"{0}\" y1=\"{1}\" x2=\"{2}\" y2=\"{1}\" class=\"axis\"/>", kMargin,
                                kHeight / 2, kWidth - kMargin);
  for (const auto& line : leads) {
    std::string points;
    for (std::size_t i = 0; i < line.size(); ++i) {
      points +=
          fmt::format("{:.1f},{:.1f} ",
                      kMargin + (kWidth - 2 * kMargin) * static_cast<double>(i) / static_cast<double>(longest - 1),
                      kHeight - kMargin - (kHeight - 2 * kMargin) * line[i]);
    }
    out += fmt::format("<polyline points=\"{}\" class=\"lead\"/>", points);
  }
  return svg(out, "what the first player may expect, turn by turn");
}

// The figures that are shares, with their intervals.
std::string shares(const Analysis& a) {
  std::string out;
  double y = 12;
  for (const Figure& f : a.figures) {
    if (!f.share || y > kHeight) continue;
    const double left = 150, right = kWidth - 10;
    const auto x = [&](double v) { return left + (right - left) * std::clamp(v, 0.0, 1.0); };
    out += fmt::format(
        "<text x=\"{0}\" y=\"{1}\" text-anchor=\"end\" class=\"small\">{2}</text>"
        "<line x1=\"{3}\" y1=\"{4}\" x2=\"{5}\" y2=\"{4}\" class=\"axis\"/>"
        "<line x1=\"{6:.1f}\" y1=\"{4}\" x2=\"{7:.1f}\" y2=\"{4}\" class=\"range\"/>"
        "<circle cx=\"{8:.1f}\" cy=\"{4}\" r=\"3\" class=\"dot\"/>",
        left - 6, y + 3, xml_escaped(f.title), left, y, right, x(f.estimate.low), x(f.estimate.high),
        x(f.estimate.value));
    y += 15;
  }
  return svg(out, "shares with their 95 % intervals, from 0 to 100 %");
}

constexpr std::string_view kStyle = R"(
body{font:15px/1.45 system-ui,sans-serif;max-width:62rem;margin:2rem auto;padding:0 1rem;color:#1c2733;background:#fff}
h2{margin:2.2rem 0 .4rem;border-top:1px solid #d5dce3;padding-top:1rem}
table{border-collapse:collapse}td,th{padding:.15rem .8rem;text-align:right;border-bottom:1px solid #e6ebf0}
td:first-child,th:first-child{text-align:left}
.charts{display:flex;flex-wrap:wrap;gap:1rem;margin:.8rem 0}figure{margin:0;width:19rem}
figcaption{font-size:.8rem;color:#536471}svg{width:100%;background:#f6f8fa;border-radius:4px}
svg text{font-size:9px;fill:#536471}svg .small{font-size:8px}
.bar{fill:#3572a5}.axis{stroke:#c3ccd5}.lead{fill:none;stroke:#3572a5;stroke-opacity:.55}
.range{stroke:#e08a2e;stroke-width:4}.dot{fill:#8a4b08}
)";

}  // namespace

std::string html(std::span<const Analysis> games, const AnalyzeOptions& options) {
  std::string out = fmt::format(
      "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>Games analyzed</title><style>{}</style>\n"
      "<h1>Games analyzed</h1>\n<p>{} plays a game between equal players of {} simulations a move, seed {}. Each "
      "figure "
      "has the 95 % interval of its sample.</p>\n",
      kStyle, options.games, options.simulations, options.seed);
  for (const Analysis& a : games) {
    out += fmt::format(
        "<h2>{}</h2>\n<div class=\"charts\">{}{}{}</div>\n<table><tr><th>figure<th>value<th>from<th>to</tr>\n",
        xml_escaped(a.game), histogram(a.lengths), lines(a.leads), shares(a));
    for (const Figure& f : a.figures) {
      out += fmt::format("<tr><td>{}<td>{}<td>{}<td>{}</tr>\n", xml_escaped(f.title), number(f.estimate.value, f.share),
                         number(f.estimate.low, f.share), number(f.estimate.high, f.share));
    }
    out += "</table>\n";
    if (!a.unused_tags.empty()) {
      out += fmt::format("<p>Never legal in these plays: {}</p>\n",
                         xml_escaped(fmt::format("{}", fmt::join(a.unused_tags, " "))));
    }
    if (!a.dead_rules.empty()) {
      out += "<p>Nothing in these plays came by:</p>\n<pre>";
      for (const DeadRule& rule : a.dead_rules) {
        out += fmt::format("{}: {}\n", xml_escaped(rule.place), xml_escaped(rule.text));
      }
      out += "</pre>\n";
    }
  }
  return out + "</html>\n";
}

}  // namespace rgtrans::search
