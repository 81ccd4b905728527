// Packs the extension under the version of CMakeLists.txt, which is the only place of it. Further words go to vsce:
//     npm run package -- --target linux-x64 -o FILE.vsix
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, readFileSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";

const place = fileURLToPath(new URL(".", import.meta.url));
const root = fileURLToPath(new URL("../../", import.meta.url));
const version = readFileSync(`${root}CMakeLists.txt`, "utf8").match(/project\(rgtrans VERSION ([0-9.]+)/)[1];
const words = process.argv.slice(2);
if (!words.includes("-o")) words.push("-o", "out/rgtrans.vsix");
// The licence, once the owner has chosen one.
const licence = existsSync(`${root}LICENSE`);
if (licence) copyFileSync(`${root}LICENSE`, `${place}LICENSE`);
const flags = ["--no-dependencies", "--allow-missing-repository", "--no-git-tag-version", "--no-update-package-json"];
const { status } = spawnSync(
  `${place}node_modules/.bin/vsce`,
  ["package", version, ...flags, ...(licence ? [] : ["--skip-license"]), ...words],
  { cwd: place, stdio: "inherit" },
);
if (licence) rmSync(`${place}LICENSE`);
process.exit(status ?? 1);
