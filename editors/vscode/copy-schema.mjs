// Puts the schema of tollproof.yaml and the licenses into the extension: a package cannot name files above its folder.
import { copyFileSync } from "node:fs";

copyFileSync(new URL("../../schemas/config.schema.json", import.meta.url), new URL("config.schema.json", import.meta.url));
for (const name of ["LICENSE-APACHE", "LICENSE-MIT"]) {
  copyFileSync(new URL(`../../${name}`, import.meta.url), new URL(name, import.meta.url));
}
