// `verify` on blocks of real networks: each folder as a whole, and single files.
import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findRealData } from '../../packages/test-support/streams/real-data.ts';
import { runHere } from '../support/program/run-here.ts';
import { runMirror } from '../support/program/run-mirror.ts';

const data = findRealData('blocks');
const records = findRealData('streams/mainnet-2025-07-23/recordstreams/record0.0.3');

test.skipIf(data.isAbsent).each([
  ['consensus-node-0.73', 0, ['5 files are proved.', 'directly: weight 2 of 3', 'id of 5 blocks is self-declared']],
  ['consensus-node-0.78', 0, ['6 files are proved.', 'through block 5: weight 3 of 4', 'directly: weight 3 of 4']],
  ['consensus-node-0.78-settled', 1, ['2 files are proved.', 'directly: weight 3 of 4, key after 0 rotations']],
  ['wrapped-mainnet', 1, ['2 files', 'MISSING blocks 1 to 82297470', 'Blocks are missing at 1 place']],
  ['wrapped-mainnet/0000000000082297471.blk.zstd', 0, ['block 82297471', '1 file is whole and in order.']],
  ['wrapped-mainnet-genesis', 0, ['1 file is whole and in order.']],
  ['consensus-node-0.78/1.blk.gz', 0, ['block 1,', '1 file is whole and in order.', 'no ledger id is known']],
] as const)(
  `verify --source %s: exit code %i${data.hint}`,
  async (path, code, texts) => {
    const { code: ended, output } = await runHere(['verify', '--source', `${data.path}/${path}`]);
    expect([ended, output]).toEqual([code, expect.stringContaining(texts[0])]);
    for (const text of texts) expect(output).toContain(text);
    const asked = 'no address book was given (--address-book)';
    expect(output.includes(asked)).toBe(path.startsWith('wrapped-'));
  },
  60_000,
);

const [ofNewest, ofOlder] = [
  '2d342330e766b2bee6d8c147393aa697fc0f8c2d88e65260af9aee0be1bfb205',
  'febab1d43bdf8c3b545c0ea334d73330766d2d2446ce93cd98f07ef321215d0a',
];

test.skipIf(data.isAbsent).each([
  [ofNewest, 0, ['6 files are proved.', `ledger ${ofNewest} (which was given)`]],
  [
    ofOlder,
    1,
    [
      `a publication of ledger ${ofOlder}, which is pinned, or of a new id where its trusted keys have signed, found one of ledger ${ofNewest}`,
    ],
  ],
] as const)(
  `verify --ledger-id %s: exit code %i${data.hint}`,
  async (ledgerId, code, texts) => {
    const mirror = runMirror(['verify', '--source', `${data.path}/consensus-node-0.78`, '--ledger-id', ledgerId]);
    const ended = await mirror.ended;
    for (const text of texts) expect([ended, mirror.output()]).toEqual([code, expect.stringContaining(text)]);
    expect(mirror.output()).not.toContain('self-declared');
  },
  60_000,
);

const nothing = 'NOT VERIFIED: nothing could be verified with what was given';

test.skipIf(data.isAbsent).each([
  ['consensus-node-0.78/5.blk.gz', ['--ledger-id', ofNewest], 1, 'NOT VERIFIED: 1 block could not be verified'],
  ['consensus-node-0.78/5.blk.gz', ['--ledger-id', `0x${ofNewest.toUpperCase()}`], 1, 'NOT VERIFIED: 1 block'],
  ['consensus-node-0.78-settled/391.blk.gz', ['--ledger-id', ofNewest], 1, 'NOT VERIFIED: 1 block'],
  ['wrapped-mainnet/0000000000082297471.blk.zstd', ['--ledger-id', ofNewest], 1, `${nothing} (--ledger-id)`],
  ['consensus-node-0.78/5.blk.gz', ['--address-book', 'BOOK'], 1, `${nothing} (--address-book)`],
  [
    'wrapped-mainnet/0000000000082297471.blk.zstd',
    ['--address-book', 'BOOK', '--ledger-id', ofNewest],
    0,
    '1 file is proved.',
  ],
] as const)(
  `verify %s %j: exit code %i${data.hint}`,
  async (path, given, code, text) => {
    const book = findRealData('books/mainnet-2025-07-23.bin').path;
    const args = given.map((one) => (one === 'BOOK' ? book : one));
    const { code: ended, output } = await runHere(['verify', '--source', `${data.path}/${path}`, ...args]);
    expect([ended, output]).toEqual([code, expect.stringContaining(text)]);
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
