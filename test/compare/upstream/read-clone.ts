// The files of a checkout that say what a network writes and what a mirror answers: protos, and the API document.
// Tests, builds and dependencies are left out.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

export type SourceFile = { path: string; text: string };

export type Clone = {
  protos: SourceFile[];
  /** Documents of REST, in YAML or JSON. */
  documents: SourceFile[];
  /** What was too large to be read. */
  skipped: string[];
};

/** `src/test` is a folder of tests; `testkit` and `attestation` are none. */
const leftOut =
  /^(\.git|node_modules|build|target|out|dist|tests?|testFixtures|test-.*|.*-test|__tests__|hammer|yahcli)$/;
const maxFiles = 200_000;
const maxBytes = 4 * 2 ** 20;

/** Throws if it is no folder, or has too many files. */
export function readClone(folder: string): Clone {
  const clone: Clone = { protos: [], documents: [], skipped: [] };
  let seen = 0;
  const visit = (path: string): void => {
    for (const entry of readdirSync(path, { withFileTypes: true })) {
      seen += 1;
      if (seen > maxFiles) throw new Error(`${folder} has more than ${maxFiles} files.`);
      const full = join(path, entry.name);
      if (entry.isDirectory() && !leftOut.test(entry.name)) visit(full);
      if (!entry.isFile()) continue;
      const list = /\.proto$/.test(entry.name)
        ? clone.protos
        : /^openapi.*\.(ya?ml|json)$/i.test(entry.name)
          ? clone.documents
          : null;
      if (!list) continue;
      const name = relative(folder, full).split(sep).join('/');
      if (statSync(full).size > maxBytes) clone.skipped.push(name);
      else list.push({ path: name, text: readFileSync(full, 'utf8') });
    }
  };
  visit(folder);
  for (const list of [clone.protos, clone.documents]) list.sort((one, other) => (one.path < other.path ? -1 : 1));
  return clone;
}
