// Real data that is not part of the repository: stream files of public networks, specifications of the Hiero mirror
// node, verification cases. They are in `../shared/data` beside it; CONTRIBUTING.md says where. A clone without them
// skips what needs them; CI has them, so their absence is a failure there.
import { existsSync } from 'node:fs';
import { join } from 'node:path';

export type RealData = {
  path: string;
  isAbsent: boolean;
  /** For the name of what is skipped. */
  hint: string;
};

/** `path` within the folder. Throws where `CI` is set and it is not there. */
export function findRealData(path: string, isCi = Boolean(process.env.CI)): RealData {
  const full = join(import.meta.dirname, '../../../../shared/data', path);
  const isAbsent = !existsSync(full);
  if (isAbsent && isCi) {
    throw new Error(`CI needs the real data in ${full}; CONTRIBUTING.md, "Real data", says where to get it`);
  }
  return { path: full, isAbsent, hint: isAbsent ? ` (skipped: no ../shared/data/${path}, see CONTRIBUTING.md)` : '' };
}
