import { expect, test } from 'vitest';
import {
  importTransactions,
  type TransactionLiteral,
} from '../../../packages/test-support/streams/import-transactions.ts';

const id = { contractID: { contractNum: 70 }, tokenID: { tokenNum: 70 }, topicID: { topicNum: 70 } };

/** A creation or an update of entity 70, by the field of its body. */
const literalOf: Record<string, (account: object) => TransactionLiteral> = {
  contractCreateInstance: (autoRenewAccountId) => ({
    body: { contractCreateInstance: { autoRenewAccountId } },
    receipt: { contractID: id.contractID },
  }),
  tokenCreation: (autoRenewAccount) => ({
    body: { tokenCreation: { autoRenewAccount, treasury: { accountNum: 5 } } },
    receipt: { tokenID: id.tokenID },
  }),
  consensusCreateTopic: (autoRenewAccount) => ({
    body: { consensusCreateTopic: { autoRenewAccount } },
    receipt: { topicID: id.topicID },
  }),
  contractUpdateInstance: (autoRenewAccountId) => ({
    body: { contractUpdateInstance: { autoRenewAccountId, contractID: id.contractID } },
    receipt: { contractID: id.contractID },
  }),
  tokenUpdate: (autoRenewAccount) => ({ body: { tokenUpdate: { autoRenewAccount, token: id.tokenID } } }),
  consensusUpdateTopic: (autoRenewAccount) => ({
    body: { consensusUpdateTopic: { autoRenewAccount, topicID: id.topicID } },
  }),
};

const evmAddress = 'ab'.repeat(20);
const known = { accountNum: 6 };
const none = { accountNum: 0 };
const byAlias = { alias: Buffer.from(evmAddress, 'hex') };
const unknown = { alias: Buffer.from('cd'.repeat(20), 'hex') };

test.each<[string, object[], (bigint | null)[]]>([
  ['contractCreateInstance', [known, none, byAlias, unknown], [6n, null, 7n, null]],
  ['tokenCreation', [known, none, byAlias, unknown], [6n, null, 7n, null]],
  ['consensusCreateTopic', [known, none, byAlias, unknown], [6n, 0n, 7n, null]],
  ['contractUpdateInstance', [known, none, byAlias, unknown], [6n, 0n, 7n, null]],
  ['tokenUpdate', [known, none, byAlias, unknown], [6n, 0n, 7n, null]],
  ['consensusUpdateTopic', [known, none, byAlias, unknown], [6n, 0n, 7n, null]],
])('%s: an alias of no known account is reported and left out', async (field, accounts, expected) => {
  for (const [index, account] of accounts.entries()) {
    const evmAddresses = new Map([[7n, evmAddress]]);
    const { rows, problems } = await importTransactions([literalOf[field]!(account)], { evmAddresses });
    const row = rows('entity').find((one) => one.id === 70n);
    expect(row?.auto_renew_account_id ?? null, JSON.stringify(account)).toBe(expected[index]);
    const report = `no known account has the alias 0x${'cd'.repeat(20)} of the auto-renew account`;
    expect(problems.map(({ problem }) => problem)).toEqual(account === unknown ? [report] : []);
  }
});

test.each(['contractUpdateInstance', 'tokenUpdate', 'consensusUpdateTopic'])(
  '%s by such an alias changes all else',
  async (field) => {
    const update = literalOf[field]!;
    const { rows } = await importTransactions([update(known), update(unknown)]);
    const accounts = rows('entity').filter((one) => one.id === 70n);
    expect(accounts.map((row) => row.auto_renew_account_id)).toEqual([6n, 6n]);
  },
);
