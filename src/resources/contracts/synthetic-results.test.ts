// Results that only logs tell of: where they are found, and which logs make none.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answers, type JsonObject, openAnswers } from '../../../packages/test-support/http/answers.ts';
import { type StoredRows, storeRows } from '../../../packages/test-support/rows/store-rows.ts';

const transferTopic = 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const bytes = (hex: string): Buffer => Buffer.from(hex, 'hex');
const hash = (byte: string): Buffer => bytes(byte.repeat(32));

type Log = { at: bigint; index?: number; token: bigint; topic3?: string | null; synthetic?: boolean; byte: string };

const log = ({ at, index = 0, token, topic3 = null, synthetic = true, byte }: Log) => ({
  table: 'contract_log',
  row: {
    ...{ consensus_timestamp: at, index, contract_id: token, root_contract_id: token, payer_account_id: 1001n },
    ...{ bloom: Buffer.of(0), data: Buffer.of(9), synthetic, transaction_hash: hash(byte), transaction_index: 4 },
    ...{ topic0: bytes(transferTopic), topic1: bytes('03e9'), topic2: bytes('03ea') },
    topic3: topic3 === null ? null : bytes(topic3),
  },
});
const transaction = (at: bigint, byte: string, { nonce = 0, parent = null as bigint | null, payer = 1001n } = {}) => [
  {
    table: 'transaction',
    row: {
      ...{ consensus_timestamp: at, type: 14, result: 22, payer_account_id: payer, valid_start_ns: at - 5n, nonce },
      parent_consensus_timestamp: parent,
    },
  },
  { table: 'transaction_hash', row: { consensus_timestamp: at, hash: hash(byte), payer_account_id: payer } },
];
const all = 'ff'.repeat(8);

let stored: StoredRows;
let answers: Answers;
let without: Answers;
beforeAll(async () => {
  stored = await storeRows([
    // Two tokens in one transfer.
    ...transaction(1000n, 'a1'),
    log({ at: 1000n, index: 1, token: 2001n, byte: 'a1' }),
    log({ at: 1000n, index: 0, token: 2000n, byte: 'a1' }),
    // A change of the treasury, as the mirror node stores it: alone, and beside an event of one NFT.
    ...transaction(1100n, 'a2'),
    log({ at: 1100n, token: 2002n, topic3: all, byte: 'a2' }),
    ...transaction(1200n, 'a3', { nonce: 1, parent: 1100n }),
    log({ at: 1200n, index: 0, token: 2002n, topic3: all, byte: 'a3' }),
    log({ at: 1200n, index: 1, token: 2002n, topic3: '07', byte: 'a3' }),
    // A contract's own event of the last serial number there can be.
    ...transaction(1300n, 'a4'),
    log({ at: 1300n, token: 3000n, topic3: all, synthetic: false, byte: 'a4' }),
    {
      table: 'contract_result',
      row: {
        ...{ consensus_timestamp: 1300n, contract_id: 3000n, payer_account_id: 1001n, sender_id: 1001n },
        ...{ transaction_result: 22, gas_limit: 5n, function_parameters: Buffer.alloc(0), call_result: Buffer.of(1) },
        ...{ transaction_hash: hash('a4'), transaction_index: 1 },
      },
    },
    // Events beside an execution, which is no result of its own even where the execution is not listed.
    ...transaction(1400n, 'a5', { nonce: 2, parent: 1300n }),
    log({ at: 1400n, token: 2000n, byte: 'a5' }),
    {
      table: 'contract_result',
      row: {
        ...{ consensus_timestamp: 1400n, contract_id: 3000n, payer_account_id: 1001n, transaction_nonce: 2 },
        ...{ transaction_result: 22, gas_limit: 6n, function_parameters: Buffer.alloc(0) },
        ...{ transaction_hash: hash('a5') },
      },
    },
    // The same hash twice, and a transaction without any events.
    ...transaction(1500n, 'a6'),
    ...transaction(1600n, 'a6'),
    log({ at: 1500n, token: 2000n, byte: 'a6' }),
    ...transaction(1700n, 'a7'),
  ]);
  answers = openAnswers(stored.db);
  without = openAnswers(stored.db, { syntheticResults: false });
});
afterAll(async () => {
  await answers?.close();
  await without?.close();
  await stored?.close();
});

const time = (ns: bigint) => `0.${ns.toString().padStart(9, '0')}`;

describe.each(['spec', 'hiero'] as const)('%s', (dialect) => {
  const list = async (path: string, from = answers) =>
    ((await from.get(dialect, path)).body.results as JsonObject[]).map((item) => [item.timestamp, item.contract_id]);

  it.each(['asc', 'desc'] as const)('all of them, %s', async (order) => {
    const expected = [
      [time(1000n), '0.0.2000'],
      [time(1200n), '0.0.2002'],
      [time(1300n), '0.0.3000'],
      [time(1500n), '0.0.2000'],
    ];
    const ordered = order === 'asc' ? expected : expected.toReversed();
    expect(await list(`/api/v1/contracts/results?order=${order}`)).toEqual(ordered);
    // One at a time.
    const found: unknown[] = [];
    let next: string | null = `/api/v1/contracts/results?order=${order}&limit=1`;
    while (next !== null) {
      const { body }: { body: JsonObject } = await answers.get(dialect, next);
      found.push(...(body.results as JsonObject[]).map((item) => [item.timestamp, item.contract_id]));
      next = (body.links as { next: string | null }).next;
    }
    expect(found).toEqual(ordered);
    expect(await list(`/api/v1/contracts/results?order=${order}`, without)).toEqual([[time(1300n), '0.0.3000']]);
  });

  it.each([
    [2000, [1500n, 1000n]],
    [2001, []],
    [2002, [1200n]],
    [3000, [1300n]],
    [9999, []],
  ])('of %i', async (contract, times) => {
    const path = `/api/v1/contracts/0.0.${contract}/results`;
    expect(await list(path)).toEqual(times.map((at) => [time(at), `0.0.${contract}`]));
    expect(await list(path, without)).toEqual(contract === 3000 ? [[time(1300n), '0.0.3000']] : []);
    expect(await list(`${path}?from=0.0.1001`)).toEqual(contract === 3000 ? [[time(1300n), '0.0.3000']] : []);
  });

  it.each([
    [`/results/0x${'a1'.repeat(32)}`, 1000n],
    [`/results/${'a3'.repeat(32)}`, 1200n],
    // Of two the one with events.
    [`/results/${'a6'.repeat(32)}`, 1500n],
    ['/results/0.0.1001-0-995', 1000n],
    ['/results/0.0.1001-0-1195?nonce=1', 1200n],
    ['/0.0.2000/results/0.000001000', 1000n],
    // Whoever took part: a further token, the payer.
    ['/0.0.2001/results/0.000001000', 1000n],
    ['/0.0.1001/results/0.000001000', 1000n],
  ])('opens %s', async (path, at) => {
    const { status, body } = await answers.get(dialect, `/api/v1/contracts${path}`);
    expect([status, body.timestamp]).toEqual([dialect === 'hiero' ? 206 : 200, time(at)]);
    expect(body).toMatchObject({
      ...{ from: `0x${(1001).toString(16).padStart(40, '0')}`, result: 'SUCCESS', gas_used: null, bloom: '0x' },
      ...{ child: at === 1200n, transaction_index: 4n, call_result: '0x', state_changes: [] },
    });
    const shown = (body.logs as JsonObject[]).map(({ index }) => index);
    expect(shown).toEqual(at === 1000n ? [0n, 1n] : at === 1200n ? [1n] : [0n]);
    expect((await without.get(dialect, `/api/v1/contracts${path}`)).status).toBe(404);
  });

  it.each([
    `/results/${'a2'.repeat(32)}`,
    `/results/${'a7'.repeat(32)}`,
    `/results/${'bb'.repeat(32)}`,
    '/results/0.0.1001-0-1095',
    '/results/0.0.1001-0-1195',
    '/results/0.0.1001-0-1695',
    '/0.0.2002/results/0.000001100',
    '/0.0.2002/results/0.000001000',
    // Something ran at this time, and the token took no part in it.
    '/0.0.2000/results/0.000001400',
  ])('does not find %s', async (path) => {
    expect((await answers.get(dialect, `/api/v1/contracts${path}`)).status).toBe(404);
  });

  it('logs of every serial number are shown nowhere, a contract’s own are', async () => {
    const logsOf = async (path: string) =>
      ((await answers.get(dialect, path)).body.logs as JsonObject[]).map((item) => [item.timestamp, item.index]);
    expect(await logsOf('/api/v1/contracts/0.0.2002/results/logs')).toEqual([[time(1200n), 1n]]);
    expect(await logsOf('/api/v1/contracts/0.0.3000/results/logs')).toEqual([[time(1300n), 0n]]);
    const every = await logsOf('/api/v1/contracts/results/logs?order=asc');
    expect(every.map(([at]) => at)).toEqual([1000n, 1000n, 1200n, 1300n, 1400n, 1500n].map(time));
  });
});
