import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Paths of the files in a folder, and in all below it, whose names end so; in order. */
export function filesBelow(folder: string, ending: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith(ending))
    .sort()
    .map((path) => join(folder, path));
}
