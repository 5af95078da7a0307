// Every contract result that a list shows can be opened by its hash, by its transaction's id and by its time, says the
// same there, and stands at the same place in JSON-RPC; also those that only logs of token transfers and approvals tell
// of.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../packages/test-support/http/answers.ts';
import { openRpc, type TestRpc } from '../../packages/test-support/rpc/open-rpc.ts';
import type { DialectName } from '../../src/api/dialect/find-dialect.ts';
import { openSimulatedMirror, type SimulatedMirror } from './simulated-mirror.ts';
import { walkPages } from './walk-pages.ts';

let mirror: SimulatedMirror;
let rpc: TestRpc;
let transactions: Map<string, Transaction>;
/** By consensus time: what a single answer shows of the Ethereum transaction, and a list does not. */
let ethereum: Set<string>;
type Transaction = { id: string; nonce: number; type: number; isChild: boolean };

beforeAll(async () => {
  mirror = await openSimulatedMirror('busy');
  rpc = openRpc(mirror.db);
  const select = <R>(name: string, text: string) => mirror.db.query<R>({ name, text });
  const stored = await select<
    Omit<Transaction, 'id'> & { at: bigint; payer: bigint; start: bigint; parent: bigint | null }
  >(
    'all transactions',
    `select consensus_timestamp as at, payer_account_id as payer, valid_start_ns as start, nonce, type,
       parent_consensus_timestamp as parent from transaction`,
  );
  transactions = new Map(
    stored.map(({ at, payer, start, parent, ...rest }) => [
      formatTime(at),
      { ...rest, id: `0.0.${payer}-${formatTime(start).replace('.', '-')}`, isChild: parent !== null },
    ]),
  );
  const sent = await select<{ at: bigint }>('sent', 'select consensus_timestamp as at from ethereum_transaction');
  ethereum = new Set(sent.map(({ at }) => formatTime(at)));
});
afterAll(async () => {
  await rpc?.close();
  await mirror?.close();
});

const formatTime = (ns: bigint): string => `${ns / 1_000_000_000n}.${String(ns % 1_000_000_000n).padStart(9, '0')}`;

/** All items of a list, from page to page. */
async function listed(dialect: DialectName, url: string): Promise<JsonObject[]> {
  const limit = 25;
  const walk = { dialect, url: `${url}${url.includes('?') ? '&' : '?'}limit=${limit}`, member: 'results', limit };
  return (await walkPages(mirror, { ...walk, keyOf: (item) => item })).keys;
}

/** The members of an item, as a single answer has them. */
function shared(item: JsonObject, answer: JsonObject): JsonObject {
  const ofTransaction = ['gas_limit', 'function_parameters', 'failed_initcode', 'amount', 'to', 'error_message'];
  const names = Object.keys(item).filter(
    (name) => !ethereum.has(String(item.timestamp)) || !ofTransaction.includes(name),
  );
  return Object.fromEntries(names.map((name) => [name, answer[name] ?? null]));
}

function namesOf(item: JsonObject): string[] {
  const { id, nonce } = transactions.get(String(item.timestamp))!;
  return [
    `/api/v1/contracts/results/${String(item.hash)}`,
    `/api/v1/contracts/results/${id}?nonce=${nonce}`,
    `/api/v1/contracts/${String(item.contract_id)}/results/${String(item.timestamp)}`,
  ];
}

async function open(dialect: DialectName, item: JsonObject): Promise<void> {
  const names = namesOf(item).filter((name) => !name.includes('/null/'));
  for (const name of names) {
    const { status, body } = await mirror.get(dialect, name);
    expect([name, [200, 206].includes(status)]).toEqual([name, true]);
    expect({ name, item: shared(item, body) }).toEqual({ name, item: shared(item, item) });
  }
}

describe.each(['spec', 'hiero'] as const)('in the dialect %s', (dialect) => {
  it.each(['', '?order=asc', '?internal=true'])('results of all contracts%s', async (query) => {
    const items = await listed(dialect, `/api/v1/contracts/results${query}`);
    const synthetic = items.filter((item) => item.gas_used === null && item.gas_limit === 0n);
    const types = new Set(synthetic.map((item) => transactions.get(String(item.timestamp))!.type));
    // Transfers, mints, burns, wipes and approvals, without an execution.
    expect([14, 37, 38, 39, 48].filter((type) => !types.has(type))).toEqual([]);
    expect(items.length).toBeGreaterThan(synthetic.length);
    for (const item of items) await open(dialect, item);
  });

  it('results of each contract and of each token', async () => {
    const all = await listed(dialect, '/api/v1/contracts/results');
    const contracts = new Set(all.map((item) => String(item.contract_id)));
    const found: JsonObject[] = [];
    for (const contract of contracts) {
      if (contract === 'null') continue;
      const items = await listed(dialect, `/api/v1/contracts/${contract}/results`);
      expect(items.map((item) => item.contract_id)).toEqual(items.map(() => contract));
      for (const item of items) await open(dialect, item);
      found.push(...items);
    }
    const timesOf = (items: readonly JsonObject[]) => items.map((item) => String(item.timestamp)).sort();
    expect(timesOf(found)).toEqual(timesOf(all.filter((item) => item.contract_id !== null)));
  });

  it('tells children from others', async () => {
    const items = await listed(dialect, '/api/v1/contracts/results?internal=true');
    expect(items.map((item) => item.child)).toEqual(
      items.map((item) => transactions.get(String(item.timestamp))!.isChild),
    );
    expect(new Set(items.map((item) => item.child)).size).toBe(2);
  });
});

it('JSON-RPC has the same transactions in each block, at the same places', async () => {
  const blocks = await mirror.db.query<{ number: bigint }>({
    name: 'blocks',
    text: 'select index as number from record_file order by index',
  });
  let count = 0;
  let undone = 0;
  for (const { number } of blocks) {
    const items = await listed('spec', `/api/v1/contracts/results?block.number=${number}&order=asc`);
    // What was refused before it ran, or undone with its batch, is in no block. Of the latter REST keeps the index that
    // the file gave.
    const placed = items.filter((item) => item.transaction_index !== null && item.result !== 'REVERTED_SUCCESS');
    undone += items.filter((item) => item.result === 'REVERTED_SUCCESS').length;
    const block = await rpc.ask('eth_getBlockByNumber', `0x${number.toString(16)}`, true);
    const places = (block.transactions as { hash: string; transactionIndex: string }[]).map(
      ({ hash, transactionIndex }) => `${Number(transactionIndex)} ${hash}`,
    );
    const expected = placed.map((item) => `${String(item.transaction_index)} ${String(item.hash).slice(0, 66)}`);
    expect(places.sort()).toEqual(expected.sort());
    count += places.length;
  }
  expect(count).toBeGreaterThan(100);
  expect(undone).toBeGreaterThan(0);
});
