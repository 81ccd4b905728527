// Straight code: applying a move that is known to be legal, and the system's own move. See writer.hpp.
//
// As long as no decision was taken that could turn out wrong, the rest of a legal move must go through here: then
// conditions with no alternative hold and are not tested, alternatives are told apart by the next tag or by
// conditions that exclude each other, and only what is left is searched.
#include <fmt/format.h>

#include <algorithm>
#include <boost/pending/disjoint_sets.hpp>
#include <functional>
#include <set>

#include "backends/cpp/writer.hpp"

namespace rgtrans::cpp {

namespace {
constexpr int kDeepest = 24;
constexpr std::size_t kMostFirstBits = std::size_t{1} << 28U;
constexpr int kMostShownAfter = 4;
constexpr std::size_t kLongestPiece = 40'000;  // characters behind one label
constexpr std::size_t kManyNodes = 1500;   // beyond that code may become several functions, with a struct of variables
constexpr std::size_t kLongest = 150'000;  // of one function: a compiler's time grows faster than its size
constexpr std::size_t kFewestArms = 3;     // one of two ways is tried faster than looked up
constexpr std::size_t kMostArms = 250;
constexpr std::size_t kMostArmCells = 1U << 16U;
// Ways out of a node that are told apart one after the other; more of them by a switch, where that is possible.
constexpr std::size_t kMostPairs = 64;
}  // namespace

BitSet Writer::first_tags(const Step& step) const {
  BitSet tags(model_.tags.size());
  if (step.ends_move) {
    tags.set(0);
  } else if (step.kind == StepKind::tag) {
    tags.set(model_.tag_of.at(step.symbol.value));
  } else if (step.kind == StepKind::tag_variable) {
    const Universe& u = model_.universes[model_.variable_shape(step.variable).leaf];
    const BitSet& values = model_.variable_values[step.variable.value];
    for (std::size_t c = values.find_first(); c != BitSet::npos; c = values.find_next(c)) tags.set(u.tags[c]);
  } else if (context_.contains(step.to)) {
    return first_[context_.local.at(step.to)];
  }
  return tags;
}

// Which tags can come next, by node: a least fixed point against the steps. Number 0 is the end of the move.
void Writer::find_first_tags() {
  const std::size_t count = context_.nodes.size();
  if (context_.purpose != Purpose::apply || count * model_.tags.size() > kMostFirstBits) return;
  first_.assign(count, BitSet(model_.tags.size()));
  std::vector<std::vector<std::uint32_t>> users(count);
  std::vector<std::uint32_t> work(count);
  std::vector<bool> queued(count, true);
  for (std::uint32_t i = 0; i < count; ++i) {
    work[i] = i;
    for (const std::uint32_t s : context_.info[i].out) {
      const Step& step = model_.steps[s];
      if (!step.ends_move) users[context_.local.at(step.to)].push_back(i);
    }
  }
  while (!work.empty()) {
    const std::uint32_t i = work.back();
    work.pop_back();
    queued[i] = false;
    BitSet tags = first_[i];
    for (const std::uint32_t s : context_.info[i].out) tags |= first_tags(model_.steps[s]);
    if (tags == first_[i]) continue;
    first_[i] = std::move(tags);
    for (const std::uint32_t user : users[i]) {
      if (!queued[user]) {
        queued[user] = true;
        work.push_back(user);
      }
    }
  }
}

// On every way the value assigned here is shown, unchanged, by the k-th tag from here; the smallest such k.
int Writer::shown_after(const Step& step) const {
  constexpr std::size_t kMostNodes = 3000;
  if (!model_.scalar(step.variable)) return -1;
  for (int k = 0; k < kMostShownAfter; ++k) {
    std::set<std::pair<std::uint32_t, int>> seen;
    std::vector<std::pair<std::uint32_t, int>> work = {{step.to, 0}};
    bool good = true;
    while (good && !work.empty()) {
      const auto [node, passed] = work.back();
      work.pop_back();
      if (!seen.insert({node, passed}).second) continue;
      if (seen.size() > kMostNodes) good = false;
      for (const std::uint32_t s : context_.at(node).out) {
        const Step& next = model_.steps[s];
        int now = passed;
        if (next.ends_move) good = false;
        if (next.variable == step.variable && is_assignment(next)) {
          good = false;
        }
        if (is_tag(next)) {
          if (passed == k) {
            if (next.kind != StepKind::tag_variable || next.variable != step.variable) good = false;
            continue;
          }
          ++now;
        }
        if (good) work.emplace_back(next.to, now);
      }
    }
    if (good) return k;
  }
  return -1;
}

std::string Writer::tag_test(const BitSet& tags, const std::string& tag) {
  constexpr std::size_t kMostListed = 512;  // beyond that a bit for each tag
  const std::size_t first = tags.find_first();
  std::size_t last = first;
  for (std::size_t t = first; t != BitSet::npos; t = tags.find_next(t)) last = t;
  if (first == BitSet::npos) return "false";
  if (first == last) return fmt::format("{} == {}u", tag, first);
  if (last - first + 1 == tags.count()) return fmt::format("{} - {}u <= {}u", tag, first, last - first);
  if (tags.size() > kMostListed) {
    std::vector<std::uint64_t> words(tags.num_blocks());
    boost::to_block_range(tags, words.begin());
    const std::string table = shared_.number_table(words, {words.size()}, "std::uint64_t", "tags");
    return fmt::format("({}[{} / 64] >> {} % 64 & 1) != 0", table, tag, tag);
  }
  std::vector<std::uint64_t> member(tags.size(), 0);
  for (std::size_t t = first; t != BitSet::npos; t = tags.find_next(t)) member[t] = 1;
  return fmt::format("{}[{}] != 0", shared_.number_table(member, {member.size()}, "std::uint8_t", "tags"), tag);
}

// Entries from which common nodes can be reached belong to one function.
std::vector<std::vector<std::uint32_t>> Writer::separate_entries() const {
  std::vector<std::vector<std::uint32_t>> groups;
  std::vector<std::uint32_t> group_of(context_.nodes.size(), 0xffffffffU);
  std::vector<std::vector<std::uint32_t>> neighbours(context_.nodes.size());
  for (std::uint32_t i = 0; i < context_.nodes.size(); ++i) {
    for (const std::uint32_t s : context_.info[i].out) {
      if (model_.steps[s].ends_move) continue;
      const std::uint32_t to = context_.local.at(model_.steps[s].to);
      neighbours[i].push_back(to);
      neighbours[to].push_back(i);
    }
  }
  for (const std::uint32_t entry : context_.entries) {
    if (!context_.contains(entry)) continue;
    const std::uint32_t first = context_.local.at(entry);
    if (group_of[first] == 0xffffffffU) {
      const auto number = static_cast<std::uint32_t>(groups.size());
      groups.emplace_back();
      std::vector<std::uint32_t> work = {first};
      group_of[first] = number;
      while (!work.empty()) {
        const std::uint32_t node = work.back();
        work.pop_back();
        for (const std::uint32_t next : neighbours[node]) {
          if (group_of[next] != 0xffffffffU) continue;
          group_of[next] = number;
          work.push_back(next);
        }
      }
    }
    groups[group_of[first]].push_back(entry);
  }
  return groups;
}

void Writer::write_straight_entry() {
  constexpr std::size_t kFewNodes = 400;
  find_first_tags();
  const bool applying = context_.purpose == Purpose::apply;
  const std::string name = applying ? "apply_move" : "system_move";
  std::vector<std::vector<std::uint32_t>> groups;
  if (context_.nodes.size() > kFewNodes) groups = separate_entries();
  if (groups.size() <= 1) {
    write_straight_function(context_.entries, name);
    return;
  }
  const std::string parameters = applying ? "(State& s, Cache& c, Rest rest)" : "(State& s, Cache& c)";
  Text dispatch;
  shared_.declarations.push_back("bool " + name + parameters + ";");
  dispatch.open("bool " + name + parameters + " {");
  dispatch.open("switch (s.node) {");
  for (const std::vector<std::uint32_t>& group : groups) {
    const std::string part = shared_.unique(name + "_from_" + model_.node_names[group[0]]);
    write_straight_function(group, part);
    for (const std::uint32_t entry : group) dispatch.line(fmt::format("case {}:", shared_.entry_number(entry)));
    dispatch.line(fmt::format("  return {}(s, c{});", part, applying ? ", rest" : ""));
  }
  dispatch.line("default:");
  dispatch.line("  return false;");
  dispatch.close();
  dispatch.close();
  dispatch.line("");
  shared_.add_function(dispatch.take());
}

void Writer::write_straight_function(const std::vector<std::uint32_t>& entries, const std::string& name) {
  text = Text();
  text.set_indent(1);
  straight_ = true;
  straight_scratch_.clear();
  own_variables_ = context_.nodes.size() <= kManyNodes;
  locals_.clear();
  locals_["rest"] = locals_["moved"] = locals_["count"] = locals_["w"] = 1;
  rest_ = "rest";
  moved_ = "moved";
  count_ = "count";
  epoch_.clear();
  for (std::string& value : env_) value.clear();
  for (std::uint32_t v = 0; v < env_.size(); ++v) {
    if (analysis_.scratch(VarId(v)) && model_.assigned[v]) env_[v] = scratch_name(v);
  }
  text.open("switch (s.node) {");
  for (const std::uint32_t node : entries) {
    if (!context_.contains(node)) continue;
    text.line(fmt::format("case {}: goto at_{};", shared_.entry_number(node), node));
    if (labels_.insert(node).second) label_queue_.push_back(node);
  }
  text.line("default: return false;");
  text.close();
  const std::string dispatch = text.take();
  std::vector<Piece> pieces;
  while (!label_queue_.empty()) {
    const std::uint32_t node = label_queue_.back();
    label_queue_.pop_back();
    depth_ = 0;
    text.set_indent(0);
    text.line(fmt::format("at_{}:  // node {}", node, in_comment(model_.node_names[node])));
    text.set_indent(1);
    straight_out(node);
    pieces.push_back({node, text.take()});
    text = Text();
  }
  write_pieces(name, dispatch, pieces);
  write_pending();
}

// The variables that are no part of the state.
std::string Writer::scratch_name(std::uint32_t v) const {
  return own_variables_ ? model_.identifiers[v] : "w." + model_.identifiers[v];
}

// One function where it is short or has variables of its own; else several that end by calling each other.
void Writer::write_pieces(const std::string& name, const std::string& dispatch, const std::vector<Piece>& pieces) {
  std::size_t size = 0;
  for (const Piece& piece : pieces) size += piece.text.size();
  const bool split = size > kLongest && (straight_scratch_.empty() || !own_variables_);
  const bool applying = context_.purpose == Purpose::apply;
  const bool packed = shared_.layout.packed;
  std::string parameters = "State& s, Cache& c";
  std::string arguments = "s, c";
  if (applying) {
    parameters += ", Rest rest";
    arguments += ", rest";
  }
  text.open(straight_head(name, parameters));
  if (!applying && has_tags_) {
    if (packed) text.line("Packed moved = 0;");
    text.line("unsigned count = 0;");
    parameters += packed ? ", Packed moved, unsigned count" : ", unsigned count";
    arguments += packed ? ", moved, count" : ", count";
  }
  if (own_variables_) {
    for (const std::uint32_t v : straight_scratch_) text.line(fmt::format("unsigned {} = 0;", model_.identifiers[v]));
  } else if (!straight_scratch_.empty()) {
    const std::string type = shared_.unique("Variables of " + name);
    shared_.tables.line("struct " + type + " {");
    for (const std::uint32_t v : straight_scratch_) shared_.tables.line("  unsigned " + model_.identifiers[v] + ";");
    shared_.tables.line("};");
    text.line(type + " w = {};");
    parameters += ", " + type + "& w";
    arguments += ", w";
  }
  std::vector<StraightPart> parts(1);
  std::map<std::uint32_t, std::size_t> part_of;
  for (const Piece& piece : pieces) {
    if (split && (parts.size() == 1 || parts.back().body.size() > kLongest)) parts.emplace_back();
    parts.back().body += piece.text;
    part_of[piece.node] = parts.size() - 1;
  }
  parts[0].body = dispatch + parts[0].body;
  for (std::size_t i = 1; i < parts.size(); ++i) parts[i].name = shared_.unique(fmt::format("{}_part_{}", name, i));
  for (std::size_t i = 0; i < parts.size(); ++i) link_part(parts, i, part_of, arguments);
  text.raw(parts[0].body);
  text.close();
  text.line("");
  shared_.add_function(text.take());
  text = Text();
  for (std::size_t i = 1; i < parts.size(); ++i) {
    text.open(straight_head(parts[i].name, parameters + ", unsigned at"));
    text.open("switch (at) {");
    for (const std::uint32_t node : parts[i].entries) text.line(fmt::format("case {0}: goto at_{0};", node));
    text.line("default: return false;");
    text.close();
    text.raw(parts[i].body);
    text.close();
    text.line("");
    shared_.add_function(text.take());
    text = Text();
  }
}

std::string Writer::straight_head(const std::string& name, const std::string& parameters) {
  shared_.declarations.push_back(fmt::format("bool {}({});", name, parameters));
  return fmt::format("bool {}({}) {{", name, parameters);
}

// Where a piece goes on in another part, it calls that.
void Writer::link_part(std::vector<StraightPart>& parts, std::size_t index,
                       const std::map<std::uint32_t, std::size_t>& part_of, const std::string& arguments) {
  constexpr std::string_view kGoto = "goto at_";
  const std::string body = std::move(parts[index].body);
  std::string linked;
  std::size_t done = 0;
  for (std::size_t at; (at = body.find(kGoto, done)) != std::string::npos;) {
    const std::size_t end = body.find(';', at);
    const auto node = static_cast<std::uint32_t>(std::stoul(body.substr(at + kGoto.size(), end - at)));
    const std::size_t target = part_of.at(node);
    linked.append(body, done, at - done);
    if (target == index) {
      linked.append(body, at, end - at);
    } else {
      linked += fmt::format("return {}({}, {})", parts[target].name, arguments, node);
      parts[target].entries.insert(node);
    }
    done = end;
  }
  parts[index].body = linked + body.substr(done);
}

void Writer::straight_node(std::uint32_t node) {
  const bool entry = std::find(context_.entries.begin(), context_.entries.end(), node) != context_.entries.end();
  if (!entry && context_.at(node).in_degree < 2 && depth_ < kDeepest && text.str().size() < kLongestPiece) {
    straight_out(node);
    return;
  }
  if (labels_.insert(node).second) label_queue_.push_back(node);
  text.line(fmt::format("goto at_{};", node));
}

void Writer::straight_out(std::uint32_t node) {
  ++depth_;
  const std::vector<std::uint32_t>& out = context_.at(node).out;
  const bool test = context_.purpose != Purpose::apply;
  if (out.size() == 1) {
    straight_step(model_.steps[out[0]], test);
  } else if (context_.purpose == Purpose::apply && !first_.empty()) {
    straight_by_tag(groups_by_tag(out));
  } else {
    straight_choice(out);
  }
  --depth_;
}

// Groups that the next tag tells apart, in the order of the last step of each.
std::vector<std::vector<std::uint32_t>> Writer::groups_by_tag(const std::vector<std::uint32_t>& steps) const {
  boost::disjoint_sets_with_storage<> sets(steps.size());
  std::vector<std::size_t> first(model_.tags.size(), steps.size());  // step that has the tag
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const BitSet tags = first_tags(model_.steps[steps[i]]);
    for (std::size_t t = tags.find_first(); t != BitSet::npos; t = tags.find_next(t)) {
      if (first[t] == steps.size()) first[t] = i;
      sets.union_set(first[t], i);
    }
  }
  std::vector<std::size_t> last(steps.size());
  for (std::size_t i = 0; i < steps.size(); ++i) last[sets.find_set(i)] = i;
  std::map<std::size_t, std::vector<std::uint32_t>> groups;
  for (std::size_t i = 0; i < steps.size(); ++i) groups[last[sets.find_set(i)]].push_back(steps[i]);
  std::vector<std::vector<std::uint32_t>> result;
  for (auto& [position, group] : groups) result.push_back(std::move(group));
  return result;
}

void Writer::straight_by_tag(const std::vector<std::vector<std::uint32_t>>& groups) {
  if (groups.size() == 1) {
    straight_choice(groups[0]);
    return;
  }
  text.open("{");
  const std::string tag = fresh("tag");
  text.line(fmt::format("const unsigned {} = tag_at(rest, 0);", tag));
  const bool many = groups.size() > kMostPairs;
  if (many) text.open(fmt::format("switch ({}) {{", tag));
  for (std::size_t g = 0; g < groups.size(); ++g) {
    BitSet tags(model_.tags.size());
    for (const std::uint32_t s : groups[g]) tags |= first_tags(model_.steps[s]);
    if (many) {
      for (std::size_t t = tags.find_first(); t != BitSet::npos; t = tags.find_next(t))
        text.line(fmt::format("case {}u:", t));
      text.open("{");
      straight_choice(groups[g]);
      text.close();
      continue;
    }
    if (g + 1 < groups.size())
      text.open(fmt::format("{}if ({}) {{", g == 0 ? "" : "else ", tag_test(tags, tag)));
    else
      text.open("else {");
    straight_choice(groups[g]);
    text.close();
  }
  if (many) {
    text.line("default:");
    text.line("  return false;");
    text.close();
  }
  text.close();
}

// Ways that the next tag tells apart once the value of some variable is known.
bool Writer::straight_by_value(const std::vector<std::uint32_t>& steps) {
  const std::uint32_t node = model_.steps[steps[0]].from;
  if (!next_tags_.may_try(node)) return false;
  std::vector<std::vector<std::uint32_t>> arms;  // steps that are one way under several conditions, or one step
  for (const std::uint32_t s : steps) {
    const auto guards_same = [&](const std::vector<std::uint32_t>& arm) {
      const Step& a = model_.steps[arm[0]];
      const Step& b = model_.steps[s];
      return is_condition(a) && is_condition(b) && a.to == b.to;
    };
    const auto it = std::find_if(arms.begin(), arms.end(), guards_same);
    if (it != arms.end()) {
      it->push_back(s);
    } else {
      arms.push_back({s});
    }
  }
  if (arms.size() < kFewestArms || arms.size() > kMostArms) return false;
  const Values::Codes row = model_.values->values_at(node);
  const std::size_t tags = model_.tags.size();
  for (const VarId base : next_tags_.candidates(node)) {
    const std::uint32_t universe = model_.variable_shape(base).leaf;
    const std::size_t size = model_.universes[universe].size();
    if (size * tags > kMostArmCells) continue;
    std::vector<std::uint64_t> arm_of(size * tags, arms.size());
    const auto codes = model_.values->codes_of(row, base);
    const bool apart = std::all_of(codes.begin(), codes.end(), [&](std::uint32_t code) {
      if (!next_tags_.may_try(node)) return false;
      Values::Codes fixed = row;
      model_.values->fix(fixed, base, code);
      for (std::size_t arm = 0; arm < arms.size(); ++arm) {
        for (const std::uint32_t s : arms[arm]) {
          for (const auto& [tag, front] : next_tags_.behind(model_.steps[s], fixed)) {
            std::uint64_t& known = arm_of[code * tags + tag];
            if (known != arms.size() && known != arm) return false;
            known = arm;
          }
        }
      }
      return true;
    });
    if (!apart) continue;
    const std::string table = shared_.number_table(arm_of, {size, tags}, "std::uint8_t", "ways");
    text.open(
        fmt::format("switch ({}[{}][tag_at(rest, 0)]) {{", table, value(model_.game.variable_ref(base), universe)));
    for (std::size_t arm = 0; arm < arms.size(); ++arm) {
      text.open(fmt::format("case {}: {{", arm));
      straight_step(model_.steps[arms[arm][0]], false);
      text.close();
    }
    text.line("default: return false;");
    text.close();
    return true;
  }
  return false;
}

void Writer::straight_choice(const std::vector<std::uint32_t>& steps) {
  const bool applying = context_.purpose == Purpose::apply;
  const bool guarded = std::all_of(steps.begin(), steps.end(), [&](std::uint32_t s) {
    return model_.steps[s].kind == StepKind::compare || model_.steps[s].kind == StepKind::check;
  });
  // One way under several conditions.
  if (applying && guarded && std::all_of(steps.begin(), steps.end(), [&](std::uint32_t s) {
        return model_.steps[s].to == model_.steps[steps[0]].to;
      })) {
    straight_node(model_.steps[steps[0]].to);
    return;
  }
  if (guarded && steps.size() > kMostPairs &&
      write_switch(
          arms_of(steps), [&](std::uint32_t target) { straight_node(target); }, "return false;"))
    return;
  bool exclusive = guarded && steps.size() <= kMostPairs;
  for (std::size_t i = 0; exclusive && i < steps.size(); ++i) {
    for (std::size_t k = i + 1; exclusive && k < steps.size(); ++k) {
      const Step& a = model_.steps[steps[i]];
      const Step& b = model_.steps[steps[k]];
      exclusive = a.to == b.to || analysis_.conditions_exclude(a, b);
    }
  }
  if (exclusive) {
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const Step& step = model_.steps[steps[i]];
      const bool last = i + 1 == steps.size();
      const bool sure =
          last && i > 0 && (applying || (steps.size() == 2 && analysis_.complementary(model_.steps[steps[0]], step)));
      comment_step(step);
      text.open(sure ? "else {" : fmt::format("{}if ({}) {{", i == 0 ? "" : "else ", condition(step)));
      straight_node(step.to);
      text.close();
      if (last && !sure) text.line("return false;");
    }
    return;
  }
  if (applying && straight_by_value(steps)) return;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Step& step = model_.steps[steps[i]];
    comment_step(step);
    if (i + 1 == steps.size()) {
      straight_step(step, !applying);
    } else {
      text.open("{");
      walk_step(step);
      text.close();
    }
  }
}

void Writer::straight_step(const Step& step, bool test) {
  switch (step.kind) {
    case StepKind::empty:
      straight_node(step.to);
      break;
    case StepKind::compare:
    case StepKind::check:
      if (test) {
        comment_step(step);
        text.line("if (!(" + condition(step) + ")) return false;");
      }
      straight_node(step.to);
      break;
    case StepKind::assign:
      comment_step(step);
      straight_assign(step);
      break;
    case StepKind::assign_any:
      comment_step(step);
      straight_any(step);
      break;
    case StepKind::tag:
    case StepKind::tag_variable:
      if (context_.purpose == Purpose::apply) {
        if (analysis_.hides) text.line("if (c.observing) c.note_rest(rest, seen_by(s));");
        text.line("rest = drop(rest);");
      } else if (has_tags_) {
        if (analysis_.hides) text.line("if (c.observing) c.note(count, seen_by(s));");
        std::string tag;
        if (step.kind == StepKind::tag)
          tag = fmt::format("{}u", model_.tag_of.at(step.symbol.value));
        else
          tag = encode(model_.variable_shape(step.variable).leaf,
                       value(model_.game.variable_ref(step.variable), model_.variable_shape(step.variable).leaf));
        if (shared_.layout.packed)
          text.line(fmt::format("moved |= with_tag({}, count);", tag));
        else
          text.line(fmt::format("c.add_tag(count, {});", tag));
        text.line("++count;");
      }
      straight_node(step.to);
      break;
  }
}

void Writer::straight_assign(const Step& step) {
  if (step.ends_move) {
    straight_end(step);
    return;
  }
  if (analysis_.assignment_live(context_, step)) {
    const Shape shape = model_.shape(model_.game.expressions().type(step.lhs));
    const std::string new_value = value(step.rhs, shape.leaf);
    const std::uint32_t v = step.variable.value;
    if (analysis_.scratch(step.variable)) {
      straight_scratch_.insert(v);
      text.line(fmt::format("{} = {};", scratch_name(v), new_value));
    } else if (shape.scalar()) {
      const std::string target = place(step.lhs);
      text.line(fmt::format("{} = static_cast<{}>({});", target,
                            shared_.cell_type(model_.variable_shape(step.variable).leaf), new_value));
    } else {
      text.line(fmt::format("copy_map(&{}, &{}, {});", place(step.lhs), new_value, region_size(step.lhs)));
    }
  }
  straight_node(step.to);
}

void Writer::straight_any(const Step& step) {
  const std::uint32_t v = step.variable.value;
  if (!analysis_.assignment_live(context_, step)) {
    straight_node(step.to);
    return;
  }
  const int later = context_.purpose == Purpose::apply && model_.scalar(step.variable) ? shown_after(step) : -1;
  if (later >= 0) {
    const std::uint32_t universe = model_.variable_shape(step.variable).leaf;
    const std::string decoded = decode(universe, fmt::format("tag_at(rest, {})", later));
    if (analysis_.scratch(step.variable)) {
      straight_scratch_.insert(v);
      text.line(fmt::format("{} = {};", scratch_name(v), decoded));
    } else {
      text.line(fmt::format("s.{0} = static_cast<decltype(s.{0})>({1});", model_.identifiers[v], decoded));
    }
    straight_node(step.to);
    return;
  }
  text.open("{");
  walk_any(step);
  text.close();
  text.line("return false;");
}

void Writer::straight_end(const Step& step) {
  text.open("{");
  write_end_stores(step);
  if (context_.purpose == Purpose::system && has_tags_) {
    text.line(shared_.layout.packed ? "c.set_label(moved);" : "c.set_label(count);");
  }
  text.line("return true;");
  text.close();
}

}  // namespace rgtrans::cpp
