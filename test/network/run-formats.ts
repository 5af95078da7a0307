// Ledgers of many seeds, each in every format: prints the tables that differ, and ends with 1 if any does.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { differingRows, formatNames, importFormat, writeFormats } from '../support/tables/format-tables.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '20' },
    first: { type: 'string', default: '1' },
    blocks: { type: 'string', default: '40' },
    transactions: { type: 'string', default: '20' },
  },
});

let failures = 0;
for (let seed = Number(values.first); seed < Number(values.first) + Number(values.seeds); seed++) {
  const root = mkdtempSync(join(tmpdir(), 'formats-'));
  try {
    const start = 1_750_000_000_000_000_000n + BigInt(seed) * 86_400_000_000_000n;
    const size = { blocks: Number(values.blocks), transactions: Number(values.transactions) };
    await writeFormats(root, { seed: `formats ${seed}`, ...size, start });
    const { dump: expected } = await importFormat(join(root, formatNames[0]!));
    for (const name of formatNames.slice(1)) {
      const { dump, problems } = await importFormat(
        join(root, name),
        name === 'always-partial' ? { maxBlocksAtATime: 7 } : {},
      );
      const differing = differingRows(expected, dump);
      const isSame = Object.keys(differing).length === 0 && problems.length === 0;
      console.log(`seed ${seed}, ${name}: ${isSame ? 'the same tables' : JSON.stringify({ differing, problems })}`);
      if (!isSame) failures += 1;
    }
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}
process.exitCode = failures > 0 ? 1 : 0;
