// How TypeScript and JavaScript are read here and in ide/studio, which has no linter of its own:
//     cd ide/studio && ../vscode/node_modules/.bin/eslint --config ../vscode/eslint.config.mjs src tests build.mjs
import js from "@eslint/js";
import ts from "typescript-eslint";

const ofNode = ["process", "Buffer", "console", "URL", "setTimeout", "clearTimeout", "fetch", "performance"];
// Tests of pages hand functions to a browser.
const ofBrowsers = [
  "window",
  "document",
  "addEventListener",
  "requestAnimationFrame",
  "MouseEvent",
  "MutationObserver",
  "getComputedStyle",
];
const known = (names) => Object.fromEntries(names.map((name) => [name, "readonly"]));

export default ts.config(
  js.configs.recommended,
  ...ts.configs.recommended,
  {
    languageOptions: { globals: known(ofNode) },
    rules: {
      "max-len": ["error", { code: 120 }],
      "@typescript-eslint/no-explicit-any": "error",
      "@typescript-eslint/no-non-null-assertion": "off",
    },
  },
  // Texts from outside become elements; no page reads them as HTML.
  {
    files: ["src/**"],
    rules: {
      "no-restricted-syntax": [
        "error",
        "MemberExpression[property.name=/^(innerHTML|outerHTML|insertAdjacentHTML)$/]",
      ],
    },
  },
  { files: ["**/tests/*.mjs", "test/panel.test.mjs"], languageOptions: { globals: known(ofBrowsers) } },
);
