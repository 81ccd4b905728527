// The formatter: normalized parts, preserved parts, and idempotence.
#include <gtest/gtest.h>

#include "frontends/hrg/hrg.hpp"

namespace rgtrans::hrg {
namespace {

std::string formatted(const std::string& text) {
  Diagnostics diagnostics;
  const std::string out = frontend().format(diagnostics.sources()->add("test.hrg", text), diagnostics);
  EXPECT_FALSE(diagnostics.has_errors()) << render(diagnostics.all(), *diagnostics.sources());
  return out;
}

void expect_layout(const std::string& text, const std::string& expected) {
  const std::string once = formatted(text);
  EXPECT_EQ(once, expected);
  EXPECT_EQ(formatted(once), once);
}

TEST(HrgFormat, Declarations) {
  expect_layout(
      "domain Player=x|o\n\n\n\ndomain P=P( I,J )where I in 0 .. 2,J in{a,b}\n"
      "f:A->B f(x)=y f(_)=if x==1 then P(X+1,Y)else z m:A->B={:e;P(X)=t where X in 0..1}",
      "domain Player = x | o\n"
      "\n"
      "domain P = P(I, J) where I in 0..2, J in { a, b }\n"
      "f : A -> B\n"
      "f(x) = y\n"
      "f(_) = if x == 1 then P(X + 1, Y) else z\n"
      "m : A -> B = { : e; P(X) = t where X in 0..1 }\n");
}

TEST(HrgFormat, MapsKeepTheirLines) {
  expect_layout("m : A -> B = {\n:e; a=b;\n  c={d=e;f=g}\n}\nn : A -> B = { a=b\n}",
                "m : A -> B = {\n"
                "  : e; a = b;\n"
                "  c = { d = e; f = g }\n"
                "}\n"
                "n : A -> B = {\n"
                "  a = b\n"
                "}\n");
}

TEST(HrgFormat, Statements) {
  expect_layout(
      "graph rules(){player=x branch{$a}or{$_ b}\nor\n{ } if(a==b){end()}else if a==c{x={a,b}( * "
      ")}\nelse\n{m[a][b]=f(c)(d)} "
      "loop{} repeat 3{break()} while !(a==b)&&c!=d{$$ v $(a b)}}\nreusable graph g(a:T,b:A->B){}",
      "graph rules() {\n"
      "  player = x\n"
      "  branch {\n"
      "    $ a\n"
      "  } or {\n"
      "    $_b\n"
      "  } or {}\n"
      "  if (a == b) {\n"
      "    end()\n"
      "  } else if a == c {\n"
      "    x = { a, b }(*)\n"
      "  } else {\n"
      "    m[a][b] = f(c)(d)\n"
      "  }\n"
      "  loop {}\n"
      "  repeat 3 {\n"
      "    break()\n"
      "  }\n"
      "  while !(a == b) && c != d {\n"
      "    $$ v\n"
      "    $ (a b)\n"
      "  }\n"
      "}\n"
      "\n"
      "reusable graph g(a : T, b : A -> B) {}\n");
}

TEST(HrgFormat, CommentsStay) {
  expect_layout(
      "// head\n\n// rules\n//more  \ngraph rules() {// first\n// own\n\n\nend() // tail\n// last\n}// after\n"
      "v : A // type\n= b\n// end",
      "// head\n"
      "\n"
      "// rules\n"
      "//more\n"
      "graph rules() {  // first\n"
      "  // own\n"
      "\n"
      "  end()  // tail\n"
      "  // last\n"
      "}  // after\n"
      "v : A  // type\n"
      "    = b\n"
      "// end\n");
}

TEST(HrgFormat, LinesWithinExpressionsStay) {
  expect_layout("f : A -> B\nf(x) = if x == 1\nthen 2\n   else 3\ndomain A = a |\nb\n| c",
                "f : A -> B\n"
                "f(x) = if x == 1\n"
                "    then 2\n"
                "    else 3\n"
                "domain A = a |\n"
                "    b\n"
                "    | c\n");
}

TEST(HrgFormat, RefusesWhatItCannotRead) {
  Diagnostics diagnostics;
  EXPECT_EQ(frontend().format(diagnostics.sources()->add("test.hrg", "graph ("), diagnostics), "");
  EXPECT_TRUE(diagnostics.has_errors());
}

}  // namespace
}  // namespace rgtrans::hrg
