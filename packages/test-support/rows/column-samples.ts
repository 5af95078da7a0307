// Values for the columns of any table, few of each kind, so that random rows often agree and often conflict.
import type { ColumnType } from '../../schema/table.ts';

export function columnSamples(type: ColumnType): unknown[] {
  const samples = samplesByType[type];
  if (!samples) throw new Error(`No samples for ${type}`);
  return samples;
}

const samplesByType: Partial<Record<ColumnType, unknown[]>> = {
  int8: [7n, -3n, 0n],
  int4: [1, 2, 0],
  int2: [1, 2, 0],
  bool: [false, true],
  bytea: [Buffer.from('a'), Buffer.from([0, 255]), Buffer.alloc(0)],
  text: ['one', "t'w\\o\n", ''],
  jsonb: [[{ amount: 5 }], { a: ['"', null] }, []],
  'int8[]': [[1n, 2n], [], [-1n]],
  'int4[]': [[1, 70_000], []],
  'int2[]': [[1, 4], [], [2]],
  'bytea[]': [[Buffer.from('a'), Buffer.alloc(0)], []],
  entity_type: ['ACCOUNT', 'CONTRACT'],
  token_type: ['FUNGIBLE_COMMON', 'NON_FUNGIBLE_UNIQUE'],
  token_supply_type: ['INFINITE', 'FINITE'],
  token_pause_status: ['PAUSED', 'UNPAUSED'],
  hook_extension_point: ['ACCOUNT_ALLOWANCE_HOOK'],
  hook_type: ['EVM'],
  airdrop_state: ['PENDING', 'CLAIMED'],
  errata_type: ['INSERT', 'DELETE'],
};
