import { expect, it } from 'vitest';
import { writeBlocks } from './write-blocks.ts';

const block = { name: '2023-11-14T22_13_20.000000000Z.rcd.gz', number: 7n };
const refusing = (error: object) => ({
  writeBlock: () => Promise.reject(Object.assign(new Error('refused'), error)),
  shiftBlockNumbers: async () => {},
  settle: async () => {},
  close: async () => {},
});

it.each([
  ['a full disk', { code: '53100' }, /Free space/],
  [
    'rows of another origin at the same moment',
    { code: '23505', table: 'transaction' },
    /\(table transaction\)\. The database holds rows/,
  ],
  ['a missing right', { code: '42501' }, /Give the role/],
  ['a missing table', { code: '42P01' }, /migrate/],
  ['a standby', { code: '25006' }, /primary/],
  ['a server that went away', { code: '57P01' }, /Check that PostgreSQL runs/],
  [
    'another writer',
    { cause: Object.assign(new Error('lock timeout'), { code: '55P03' }) },
    /Check that PostgreSQL runs/,
  ],
  ['anything else', { code: '22003' }, /defect of this program/],
  ['no code at all', {}, /defect of this program/],
])('a block that %s keeps from being written is named, with what to do', async (_name, error, nextStep) => {
  const failure: Error = await writeBlocks(refusing(error), [{ block, changes: { parts: [{}] } }], () =>
    expect.unreachable(),
  ).then(
    () => expect.unreachable(),
    (thrown) => thrown,
  );
  expect(failure.message).toMatch(/^2023-11-14T22_13_20\.000000000Z\.rcd\.gz: block 7 could not be written: refused/);
  expect(failure.message).toMatch(nextStep);
  expect(failure.cause).toMatchObject({ message: 'refused', ...error });
});

it('rows that repeat a key of their block are left out, and that is reported', async () => {
  const written: unknown[] = [];
  const writer = {
    ...refusing({}),
    async writeBlock(changes: unknown) {
      written.push(changes);
      if (written.length === 1) throw Object.assign(new Error('duplicate key'), { code: '23505' });
    },
  };
  const row = { account_id: 5n, consensus_timestamp: 9n, payer_account_id: 2n };
  const rows = [
    { ...row, amount: 1n },
    { ...row, amount: 2n },
    { ...row, account_id: 6n, amount: 3n },
  ];
  const told: unknown[] = [];
  const transfer = { consensus_timestamp: 9n, entity_id: 5n, payer_account_id: 2n, amount: 1n };
  const transfers = [transfer, { ...transfer, entity_id: 6n }];
  const changes = { parts: [{ staking_reward_transfer: rows, crypto_transfer: transfers }] };
  await writeBlocks(writer, [{ block, changes }], (_block, leftOut) => told.push(leftOut));
  expect(told).toEqual([
    ['1 row of staking_reward_transfer repeated a key of the block; the last one of each was kept'],
  ]);
  // A table without a key has nothing to repeat.
  const unique = { staking_reward_transfer: [rows[1], rows[2]], crypto_transfer: transfers };
  expect(written[1]).toEqual({ parts: [unique] });
});
