// Every state test below a folder.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { filesBelow } from './files-below.ts';
import { intendedOfStateTests } from './intended-differences.ts';
import { runStateCase } from './run-state-case.ts';
import { readStateTests } from './state-test-file.ts';
import { count, createTally, type Tally } from './tally.ts';

export function runStateSuite(folder: string, { only = /./ } = {}): Tally {
  const tally = createTally();
  for (const path of filesBelow(folder, '.json')) {
    if (path.includes('.meta')) continue;
    const { cases, others } = readStateTests(JSON.parse(readFileSync(path, 'utf8')));
    tally.skipped += others;
    for (const one of cases) {
      const name = `${relative(folder, path)} ${one.name}`;
      if (!only.test(name)) continue;
      const { difference, isRefusedBefore } = runStateCase(one);
      count(tally, name, difference, intendedOfStateTests);
      if (isRefusedBefore) tally.aside += 1;
    }
  }
  return tally;
}
