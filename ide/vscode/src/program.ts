// Which program is the server.
import { existsSync } from "node:fs";
import { join } from "node:path";

/** The one of the setting, else the one in the extension's folder, else the one on the PATH. */
export function chosenProgram(setting: string | undefined, extension: string): string {
  if (setting) return setting;
  const bundled = join(extension, "bin", process.platform === "win32" ? "rgtrans.exe" : "rgtrans");
  return existsSync(bundled) ? bundled : "rgtrans";
}
