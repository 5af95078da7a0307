import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { usualRealm } from '../../../packages/protocol/hapi/system-entity.ts';
import { toSetupRows } from '../../../packages/test-support/rows/setup-rows.ts';
import type { JsonObject } from '../../../packages/test-support/rows/spec-file.ts';
import { type StoredRows, storeRows } from '../../../packages/test-support/rows/store-rows.ts';
import { createLedger } from '../create-ledger.ts';
import type { Ledger } from '../ledger.ts';

const address = (byte: string): string => byte.repeat(20);
const alias = 'AAAQEAYEAUDAOCAJBIFQYDIOB4IBCEQT';
const twins = 'BAAQEAYEAUDAOCAJBIFQYDIOB4IBCEQT';

let stored: StoredRows;
let ledger: Ledger;

beforeAll(async () => {
  const setup: JsonObject = {
    accounts: [
      { num: 10n, balance: 70n, evm_address: address('01') },
      { num: 11n, alias, deleted: null },
      { num: 12n, evm_address: address('02'), deleted: null },
      { num: 13n, evm_address: address('03'), deleted: true },
      { num: 14n, evm_address: address('04') },
      { num: 15n, evm_address: address('04') },
      { num: 16n, alias: twins },
      { num: 17n, alias: twins },
      { num: 2n, memo: 'Mirror node created synthetic treasury account', evm_address: address('06') },
    ],
    contracts: [{ num: 20n, evm_address: address('07') }],
    entities: [{ num: 18n, type: 'TOPIC', evm_address: address('05') }],
    tokenaccounts: [
      { account_id: 10n, token_id: 300n, balance: 3n, created_timestamp: 5n },
      { account_id: 10n, token_id: 100n, balance: 1n, created_timestamp: 5n },
      { account_id: 10n, token_id: 200n, balance: 2n, created_timestamp: 5n },
    ],
  };
  stored = await storeRows(toSetupRows(setup, { shard: 0n, realm: 0n }));
  ledger = createLedger({ db: stored.db, clock: () => 0n, system: usualRealm });
});
afterAll(async () => {
  await stored?.close();
});

describe('one query finds what two find', () => {
  const byAddress = (byte: string) => ({ kind: 'evmAddress' as const, address: Buffer.from(address(byte), 'hex') });
  const byAlias = (hex: string) => ({ kind: 'alias' as const, alias: Buffer.from(hex, 'hex') });
  it.each([
    ['an account', byAddress('01'), [10n], true],
    [
      'an alias of an account with an unknown `deleted`',
      byAlias('000102030405060708090a0b0c0d0e0f10111213'),
      [11n],
      true,
    ],
    ['an alias of two accounts', byAlias('080102030405060708090a0b0c0d0e0f10111213'), [16n, 17n], false],
    ['an address of an entity with an unknown `deleted`', byAddress('02'), [], false],
    ['a deleted account', byAddress('03'), [], false],
    ['two accounts with one address', byAddress('04'), [14n, 15n], false],
    ['a topic', byAddress('05'), [18n], false],
    ['the treasury that the mirror node made up', byAddress('06'), [2n], false],
    ['a contract', byAddress('07'), [20n], true],
    ['nobody', byAddress('ff'), [], false],
  ])('%s', async (_what, reference, expectedIds, isAccount) => {
    const named = await ledger.accounts.findNamed(reference, 2);
    const ids = await ledger.accounts.resolve(reference);
    expect([...named.ids].sort()).toEqual([...ids].sort());
    const account =
      ids.length === 1 ? await ledger.accounts.find({ id: ids[0]!, timestamp: null, tokenBalanceLimit: 2 }) : null;
    expect(named.account).toEqual(account && { ...account, isAccount: true });
    expect([...named.ids].sort()).toEqual(expectedIds);
    expect(named.account !== null).toBe(isAccount);
  });

  it('with no more token balances than requested', async () => {
    const { account } = await ledger.accounts.findNamed(byAddress('01'), 2);
    expect(account!.balance.tokens.map(({ tokenId }) => tokenId)).toEqual([100n, 200n]);
  });
});
