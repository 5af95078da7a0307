// docs/reference/transaction-types.md, written from the table of HAPI's types, the tables of the schema and the tests
// there are, so that the page cannot go stale.
import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BodyField, transactionTypes } from '../../packages/protocol/hapi/transaction-types.ts';
import type { Table } from '../../packages/schema/table.ts';
import { type TableName, tables } from '../../packages/schema/tables.ts';
import { transactionRows } from './transaction-rows.ts';

/** The whole page as Markdown. */
export function formatTransactionTypesPage(): string {
  const tests = readTests();
  const rows = transactionTypes.map(({ bodyField, name, number, family }) => {
    const { tables: own, note } = transactionRows[bodyField];
    const histories = own.filter((table) => (tables[table] as Table).kind === 'versioned');
    const cells = [number, name, family, list(own), list(histories, '_history'), note ?? '', testsOf(tests, bodyField)];
    return `| ${cells.join(' | ')} |`;
  });
  return `# Transaction types

What each transaction type of HAPI writes. \`UPDATE_PAGES=1 npm test\` writes this page; a test compares it with the code, and
the oracle in \`test/oracle/\` compares every row of every table with its own reading of a random stream of all types.

## What every transaction may write

| table | when |
|---|---|
| \`transaction\`, \`transaction_hash\` | always; topic messages have no hash row unless they cost tokens, Ethereum transactions have a second one |
| \`crypto_transfer\`, \`entity\` | the hbar that the record lists, fees included; balances change in place, without a version. Until the end of 2019 records of failed transfers list what was asked for; these rows have \`errata\` \`DELETE\` and change no balance |
| \`staking_reward_transfer\`, \`entity\` | rewards that were paid; a version with the new start of the staking period |
| \`token_transfer\`, \`token_account\`, \`nft\`, \`assessed_custom_fee\` | tokens that moved with success; automatic associations and owners of NFTs are versions, balances are not |
| \`crypto_allowance\`, \`token_allowance\` | what a successful transfer by approval took, in place |
| \`contract_result\`, \`contract_log\`, \`contract_action\`, \`contract_state\`, \`contract_state_change\`, \`contract_transaction\`, \`contract_transaction_hash\` | what the EVM did, also in failed transactions |
| \`contract_log\` | logs that stand for token transfers and approvals outside of contracts; before HAPI 0.71 also for a contract's transfers of fungible tokens that its result has no log of |
| \`hook_storage\`, \`hook_storage_change\` | what a hook wrote when a transfer asked it |
| \`schedule\` | a record that names a schedule says when it was executed, with success or not |

A failed transaction writes its rows of \`transaction\`, \`transaction_hash\` and \`crypto_transfer\`, and what the EVM did. So does a
successful one that a failed one caused.

## What a type writes besides, when it succeeds

Histories keep the earlier versions: \`<table>_history\`. Tests stand beside the code in
\`src/importer/handlers/\` and \`src/importer/evm/\`; the oracle's has every type.

| number | name | family | tables | histories | note | tests |
|---|---|---|---|---|---|---|
${rows.join('\n')}
`;
}

function list(names: readonly TableName[], suffix = ''): string {
  return [...names]
    .sort()
    .map((name) => `\`${name}${suffix}\``)
    .join(', ');
}

const importer = fileURLToPath(new URL('../../src/importer/', import.meta.url));
export type TestFile = { name: string; text: string };

export function readTests(): TestFile[] {
  return readdirSync(importer, { recursive: true, encoding: 'utf8' })
    .filter((path) => /^(?:evm|handlers)\/.*\.test\.ts$/.test(path))
    .map((path) => ({ name: basename(path), text: readFileSync(`${importer}${path}`, 'utf8') }))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** Files with a hand-made transaction of the type; the oracle has all of them. */
function testsOf(files: readonly TestFile[], field: BodyField): string {
  return ['`oracle.test.ts`', ...handMadeIn(files, field).map((name) => `\`${name}\``)].join(', ');
}

function handMadeIn(files: readonly TestFile[], field: BodyField): string[] {
  const literal = new RegExp(`\\b${field}\\b`);
  return files.filter(({ text }) => literal.test(text)).map(({ name }) => name);
}

/** Types with a handler of which no test of the importer makes a transaction by hand. */
export function findUntestedTypes(files: readonly TestFile[] = readTests()): string[] {
  return transactionTypes
    .filter(({ family }) => family !== 'generic' && family !== 'internal')
    .map(({ bodyField }) => bodyField)
    .filter((field) => handMadeIn(files, field).length === 0);
}
