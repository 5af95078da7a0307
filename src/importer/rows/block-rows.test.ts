import { describe, expect, test } from 'vitest';
import type { TableChanges } from '../../../packages/store/write/block-changes.ts';
import { createBlockRows } from './block-rows.ts';

const range = (from: bigint, to: bigint | null = null) => ({ from, to });

function onlyPart(rows: ReturnType<typeof createBlockRows>): TableChanges {
  const [part, ...others] = rows.changes().parts;
  expect(others).toEqual([]);
  return part as TableChanges;
}

describe('versions of one key', () => {
  test('each later version closes the one before and inherits what it does not say', () => {
    const rows = createBlockRows();
    rows.version('entity', { id: 5n, memo: 'a', alias: Buffer.from([1]), timestamp_range: range(10n) });
    rows.version('entity', { id: 5n, receiver_sig_required: true, timestamp_range: range(20n) });
    rows.version('entity', { id: 5n, memo: 'c', alias: Buffer.from([2]), timestamp_range: range(30n) });
    expect(onlyPart(rows).entity).toEqual([
      { id: 5n, memo: 'a', alias: Buffer.from([1]), timestamp_range: range(10n, 20n) },
      { id: 5n, memo: 'a', alias: Buffer.from([1]), receiver_sig_required: true, timestamp_range: range(20n, 30n) },
      { id: 5n, memo: 'c', alias: Buffer.from([1]), receiver_sig_required: true, timestamp_range: range(30n) },
    ]);
  });

  test('two facts with one timestamp are one version', () => {
    const rows = createBlockRows();
    rows.version('entity', { id: 5n, memo: 'a', timestamp_range: range(10n) });
    rows.version('entity', { id: 5n, stake_period_start: 3n, timestamp_range: range(10n) });
    expect(onlyPart(rows).entity).toEqual([{ id: 5n, memo: 'a', stake_period_start: 3n, timestamp_range: range(10n) }]);
  });

  test('adjustments before a version become part of it, later ones change the latest version only', () => {
    const rows = createBlockRows();
    rows.adjustBalance(5n, 7n, 9n);
    rows.version('entity', { id: 5n, type: 'ACCOUNT', balance: 0n, timestamp_range: range(10n) });
    rows.adjustBalance(5n, -3n, 10n);
    rows.version('entity', { id: 5n, memo: 'b', timestamp_range: range(20n) });
    rows.adjustBalance(5n, 100n, 20n);
    expect(onlyPart(rows).entity).toEqual([
      { id: 5n, type: 'ACCOUNT', balance: 4n, balance_timestamp: 10n, timestamp_range: range(10n, 20n) },
      { id: 5n, type: 'ACCOUNT', memo: 'b', balance: 104n, balance_timestamp: 20n, timestamp_range: range(20n) },
    ]);
  });

  test('adjustments alone stay one row without a range', () => {
    const rows = createBlockRows();
    for (const amount of [1n, 2n, -10n]) rows.adjustBalance(5n, amount, 10n + amount);
    expect(onlyPart(rows).entity).toEqual([{ id: 5n, balance: -7n, balance_timestamp: 0n }]);
  });

  test('a new association inherits no balance, freeze or KYC status', () => {
    const rows = createBlockRows();
    const key = { account_id: 1n, token_id: 2n };
    rows.version('token_account', { ...key, balance: 5n, freeze_status: 1, automatic_association: true });
    rows.version('token_account', { ...key, associated: false, timestamp_range: range(10n) });
    rows.version('token_account', { ...key, associated: true, created_timestamp: 20n, timestamp_range: range(20n) });
    expect(onlyPart(rows).token_account?.at(-1)).toMatchObject({
      associated: true,
      automatic_association: true,
      balance: undefined,
      freeze_status: undefined,
      timestamp_range: range(20n),
    });
  });

  test('moving an NFT clears its spender, new metadata does not, the end takes the owner', () => {
    const rows = createBlockRows();
    const key = { token_id: 2n, serial_number: 1n };
    rows.version('nft', { ...key, account_id: 7n, spender: 9n, timestamp_range: range(10n) });
    rows.version('nft', {
      ...key,
      spender: -1n,
      delegating_spender: -1n,
      metadata: Buffer.from('x'),
      timestamp_range: range(20n),
    });
    expect(rows.latest('nft', key)).toMatchObject({ account_id: 7n, spender: 9n });
    rows.version('nft', { ...key, account_id: 8n, timestamp_range: range(30n) });
    expect(rows.latest('nft', key)).toMatchObject({ account_id: 8n, spender: undefined });
    rows.version('nft', { ...key, deleted: true, timestamp_range: range(40n) });
    expect(rows.latest('nft', key)).toMatchObject({ account_id: undefined, deleted: true });
  });

  test('custom fees replace the earlier ones whole', () => {
    const rows = createBlockRows();
    rows.version('custom_fee', { entity_id: 2n, fixed_fees: [{ amount: 1n }], timestamp_range: range(10n) });
    rows.version('custom_fee', { entity_id: 2n, fixed_fees: null, timestamp_range: range(20n) });
    expect(onlyPart(rows).custom_fee?.at(-1)).toEqual({
      entity_id: 2n,
      fixed_fees: undefined,
      timestamp_range: range(20n),
    });
  });

  test('allowances: a debit takes from the grant, a new grant replaces', () => {
    const rows = createBlockRows();
    const key = { owner: 1n, spender: 2n };
    rows.version('crypto_allowance', { ...key, amount: -5n });
    rows.version('crypto_allowance', { ...key, amount: -1n });
    expect(rows.latest('crypto_allowance', key)?.amount).toBe(-6n);
    rows.version('crypto_allowance', { ...key, amount: 100n, amount_granted: 100n, timestamp_range: range(10n) });
    rows.version('crypto_allowance', { ...key, amount: -30n });
    expect(onlyPart(rows).crypto_allowance).toEqual([
      { ...key, amount: 70n, amount_granted: 100n, timestamp_range: range(10n) },
    ]);
  });

  test('total supply: what is minted is given whole, what leaves a deleted token is given as a difference', () => {
    const rows = createBlockRows();
    for (const total_supply of [50n, 40n, -15n]) rows.version('token', { token_id: 2n, total_supply });
    expect(onlyPart(rows).token).toEqual([{ token_id: 2n, total_supply: 25n }]);
  });
});

test('upserts merge into one row a key', () => {
  const rows = createBlockRows();
  rows.upsert('contract_state', { contract_id: 1n, slot: Buffer.from([1]), created_timestamp: 10n, value: null });
  rows.upsert('contract_state', {
    contract_id: 1n,
    slot: Buffer.from([1]),
    created_timestamp: 20n,
    modified_timestamp: 20n,
  });
  rows.upsert('contract_state', { contract_id: 1n, slot: Buffer.from([2]), created_timestamp: 30n });
  expect(onlyPart(rows).contract_state).toMatchObject([
    { created_timestamp: 10n, modified_timestamp: 20n },
    { created_timestamp: 30n },
  ]);
});

test('an operation ends the part, and rules still see what came before it', () => {
  const rows = createBlockRows();
  rows.insert('token_transfer', { amount: 1n });
  rows.version('entity', { id: 5n, stake_period_start: 3n, timestamp_range: range(10n) });
  const operation = { operation: 'moveNfts', tokenId: 2n, fromAccountId: 3n, toAccountId: 4n, timestamp: 11n } as const;
  rows.operation(operation);
  rows.insert('token_transfer', { amount: 2n });
  expect(rows.latest('entity', { id: 5n })?.stake_period_start).toBe(3n);
  expect(rows.inserted('token_transfer')).toEqual([{ amount: 1n }, { amount: 2n }]);
  rows.adjustBalance(5n, 1n, 12n);
  expect(rows.changes().parts).toMatchObject([
    { token_transfer: [{ amount: 1n }], entity: [{ stake_period_start: 3n }] },
    operation,
    { token_transfer: [{ amount: 2n }], entity: [{ id: 5n, balance: 1n }] },
  ]);
});
