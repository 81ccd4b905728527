// normalize-types: moves arrow types into type definitions, one arrow each, for tools that support no others.
//
//   var m: C -> C -> C = …;      =>      type Type1 = C -> C;   type Type2 = C -> Type1;   var m: Type2 = …;
#include "core/passes/list.hpp"
#include "core/passes/tools.hpp"

namespace rgtrans::passes {

using ir::TypeId;

namespace {

class NormalizeTypes {
 public:
  explicit NormalizeTypes(ir::Game& game) : game_(game) {}

  std::size_t run() {
    for (std::uint32_t i = 0; i < game_.type_defs().size(); ++i) {
      if (!game_.type_defs()[i].alive) continue;
      const TypeId type = game_.type_defs()[i].type;
      const TypeId flat = flattened(type);
      if (flat == type) continue;
      game_.type_defs()[i].type = flat;
      ++changes_;
    }
    for (std::uint32_t i = 0; i < game_.constants().size(); ++i) {
      ir::Constant& c = game_.constant(ir::ConstId(i));
      if (c.alive) c.type = name(c.type);
    }
    for (std::uint32_t i = 0; i < game_.variables().size(); ++i) {
      ir::Variable& v = game_.variable(ir::VarId(i));
      if (v.alive) v.type = name(v.type);
    }
    if (changes_ > 0) game_.retype_expressions();
    return changes_;
  }

 private:
  // An arrow whose source and target are names.
  TypeId flattened(TypeId type) {
    if (game_.types.kind(type) != ir::TypeKind::arrow) return type;
    const TypeId from = game_.types.from(type);
    const TypeId to = game_.types.to(type);
    return game_.types.arrow(name(from), name(to));
  }

  TypeId name(TypeId type) {
    if (game_.types.kind(type) == ir::TypeKind::alias) return type;
    type = flattened(type);
    ++changes_;
    for (const ir::TypeDef& def : game_.type_defs()) {
      if (def.alive && def.type == type) return game_.types.alias(def.name);
    }
    for (std::size_t i = 1;; ++i) {
      const SymbolId fresh = game_.symbols.intern("Type" + std::to_string(i));
      if (game_.find_type(fresh) != nullptr) continue;
      game_.define_type(fresh, type);
      return game_.types.alias(fresh);
    }
  }

  ir::Game& game_;
  std::size_t changes_ = 0;
};

}  // namespace

std::size_t normalize_types(ir::Game& game, const PassContext&) { return NormalizeTypes(game).run(); }

}  // namespace rgtrans::passes
