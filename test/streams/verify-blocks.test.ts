// `verify` on blocks of real networks: each folder as a whole, and single files.
import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findRealData } from '../../packages/test-support/streams/real-data.ts';
import { runMirror } from '../support/program/run-mirror.ts';

const data = findRealData('blocks');
const records = findRealData('streams/mainnet-2025-07-23/recordstreams/record0.0.3');

test.skipIf(data.isAbsent).each([
  ['consensus-node-0.73', 0, ['5 files are whole and in order.', 'signed block: not verified']],
  ['consensus-node-0.78', 0, ['6 files are whole and in order.', 'state proof: not verified']],
  ['wrapped-mainnet', 1, ['2 files', 'MISSING blocks 1 to 82297470', 'Blocks are missing at 1 place']],
  ['wrapped-mainnet/0000000000082297471.blk.zstd', 0, ['block 82297471', '1 file is whole and in order.']],
  ['wrapped-mainnet-genesis', 0, ['1 file is whole and in order.']],
  ['consensus-node-0.78/1.blk.gz', 0, ['block 1,', '1 file is whole and in order.']],
] as const)(
  `verify --source %s: exit code %i${data.hint}`,
  async (path, code, texts) => {
    const mirror = runMirror(['verify', '--source', `${data.path}/${path}`]);
    const ended = await mirror.ended;
    expect([ended, mirror.output()]).toEqual([code, expect.stringContaining(texts[0])]);
    for (const text of texts) expect(mirror.output()).toContain(text);
    const asked = 'no address book was given (--address-book)';
    expect(mirror.output().includes(asked)).toBe(path.startsWith('wrapped-'));
  },
  60_000,
);

test.skipIf(records.isAbsent)(
  `one record file with the signatures of all nodes${records.hint}`,
  async () => {
    const [name] = readdirSync(records.path)
      .filter((file) => file.endsWith('.rcd.gz'))
      .sort();
    const book = findRealData('books/mainnet-2025-07-23.bin').path;
    const mirror = runMirror(['verify', '--source', `${records.path}/${name}`, '--address-book', book]);
    expect([await mirror.ended, mirror.output()]).toEqual([0, expect.stringContaining('1 file is proved.')]);
  },
  60_000,
);
