// The JSON Schema, composed of a few shapes, so that each object of the form takes one line here.
#include <nlohmann/json.hpp>

#include "backends/json/json.hpp"

namespace rgtrans::json {

namespace {

using nlohmann::json;

json ref(const char* name) { return {{"$ref", std::string("#/definitions/") + name}}; }
json array_of(json items) { return {{"type", "array"}, {"items", std::move(items)}}; }
json string() { return {{"type", "string"}}; }
json boolean() { return {{"type", "boolean"}}; }
json natural() { return {{"type", "integer"}, {"minimum", 0}}; }

// An object with all of these keys, and with `kind` if given.
json object(const char* kind, json properties) {
  if (kind != nullptr) properties["kind"] = {{"type", "string"}, {"enum", {kind}}};
  json required = json::array();
  for (const auto& [key, ignored] : properties.items()) required.push_back(key);
  return {{"type", "object"}, {"properties", std::move(properties)}, {"required", std::move(required)}};
}

json pragmas() {
  const json nodes = array_of(ref("Node"));
  const json strings = array_of(string());
  const json apply{{"lhs", ref("Node")},
                   {"rhs", ref("Node")},
                   {"tags", array_of(ref("ApplyTag"))},
                   {"assignments", array_of(ref("ApplyAssignment"))}};
  return {
      {"oneOf",
       {object("ArtificialTag", {{"tags", strings}}), object("Disjoint", {{"node", ref("Node")}, {"nodes", nodes}}),
        object("DisjointExhaustive", {{"node", ref("Node")}, {"nodes", nodes}}),
        object("Integer", {{"offset", natural()}, {"identifiers", strings}}),
        object("Iterator",
               {{"node_a", ref("Node")}, {"node_b", ref("Node")}, {"node_c", ref("Node")}, {"variable", string()}}),
        object("Repeat", {{"nodes", nodes}, {"identifiers", strings}}), object("SimpleApply", apply),
        object("SimpleApplyExhaustive", apply), object("TagIndex", {{"index", natural()}, {"nodes", nodes}}),
        object("TagMaxIndex", {{"index", natural()}, {"nodes", nodes}}), object("TranslatedFromRbg", json::object()),
        object("Unique", {{"nodes", nodes}}), object("Unknown", {{"content", string()}})}}};
}

json labels() {
  const json expression = ref("Expression");
  return {{"oneOf",
           {object("Skip", json::object()), object("Assignment", {{"lhs", expression}, {"rhs", expression}}),
            object("AssignmentAny", {{"lhs", expression}, {"rhs", ref("Type")}}),
            object("Comparison", {{"lhs", expression}, {"rhs", expression}, {"negated", boolean()}}),
            object("Reachability", {{"lhs", ref("Node")}, {"rhs", ref("Node")}, {"negated", boolean()}}),
            object("Tag", {{"symbol", string()}}), object("TagVariable", {{"identifier", string()}})}}};
}

json definitions() {
  const json type = ref("Type");
  const json value = ref("Value");
  const json expression = ref("Expression");
  return {
      {"Type",
       {{"oneOf",
         {object("Set", {{"identifiers", array_of(string())}}), object("Arrow", {{"lhs", type}, {"rhs", type}}),
          object("TypeReference", {{"identifier", string()}})}}}},
      {"Value",
       {{"oneOf",
         {object("Element", {{"identifier", string()}}), object("Map", {{"entries", array_of(ref("ValueEntry"))}})}}}},
      {"ValueEntry", object("ValueEntry", {{"identifier", {{"type", {"string", "null"}}}}, {"value", value}})},
      {"Expression",
       {{"oneOf",
         {object("Reference", {{"identifier", string()}}), object("Access", {{"lhs", expression}, {"rhs", expression}}),
          object("Cast", {{"lhs", type}, {"rhs", expression}})}}}},
      {"Node", object("Node", {{"identifier", string()}})},
      {"Label", labels()},
      {"Pragma", pragmas()},
      {"ApplyTag",
       {{"oneOf",
         {object(nullptr, {{"Symbol", object(nullptr, {{"symbol", string()}})}}),
          object(nullptr, {{"Variable", object(nullptr, {{"identifier", string()}, {"type", type}})}})}}}},
      {"ApplyAssignment", object(nullptr, {{"lhs", expression}, {"rhs", expression}})},
      {"TypeDeclaration", object("TypeDeclaration", {{"identifier", string()}, {"type", type}})},
      {"ConstantDeclaration",
       object("ConstantDeclaration", {{"identifier", string()}, {"type", type}, {"value", value}})},
      {"VariableDeclaration",
       object("VariableDeclaration", {{"identifier", string()}, {"type", type}, {"defaultValue", value}})},
      {"EdgeDeclaration",
       object("EdgeDeclaration", {{"lhs", ref("Node")}, {"rhs", ref("Node")}, {"label", ref("Label")}})},
  };
}

}  // namespace

std::string schema() {
  json root = object("GameDeclaration", {{"constants", array_of(ref("ConstantDeclaration"))},
                                         {"edges", array_of(ref("EdgeDeclaration"))},
                                         {"pragmas", array_of(ref("Pragma"))},
                                         {"types", array_of(ref("TypeDeclaration"))},
                                         {"variables", array_of(ref("VariableDeclaration"))}});
  root["properties"]["words"] = {{"type", "object"}, {"additionalProperties", string()}};
  root["$schema"] = "http://json-schema.org/draft-07/schema#";
  root["title"] = "GameDeclaration";
  root["definitions"] = definitions();
  return root.dump(2) + "\n";
}

}  // namespace rgtrans::json
