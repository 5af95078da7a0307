// What indexers and wallets ask in the form in which they send it: Blockscout in batches alone, with the calls of whole
// blocks; The Graph's node by ranges; wallets before and after they sign. What their strict readers need of each answer.
import { Transaction } from 'ethers';
import { parseTransaction } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../packages/postgres/wire/database.ts';
import { type OpenedLedger, openLedger } from '../../packages/test-support/ledgers/ledgers.ts';
import { openRpc, type TestRpc } from '../../packages/test-support/rpc/open-rpc.ts';
import { differences, type Form } from './tool-requests.ts';

// biome-ignore lint/suspicious/noExplicitAny: what is judged.
type Json = any;

let ledger: OpenedLedger;
let db: Database;
let rpc: TestRpc;
const blocks: Json[] = [];
const all = (): Json[] => blocks.flatMap(({ transactions }) => transactions);

beforeAll(async () => {
  ledger = await openLedger('contracts');
  db = openDatabase(ledger);
  rpc = openRpc(db);
  const newest = Number(await rpc.ask('eth_blockNumber'));
  for (let number = newest; number >= 0; number--) {
    const block = await rpc.ask('eth_getBlockByNumber', `0x${number.toString(16)}`, true);
    if (block?.transactions.length > 0) blocks.push(block);
  }
}, 120_000);
afterAll(async () => {
  expect(rpc?.failures).toEqual([]);
  await rpc?.close();
  await db?.close();
  await ledger?.close();
});

/** The results, each of its request; throws where one is an error. */
async function askTogether(method: string, asked: readonly unknown[][]): Promise<Json[]> {
  const results: Json[] = [];
  for (let at = 0; at < asked.length; at += 100) {
    const part = asked.slice(at, at + 100);
    const { body } = await rpc.post(part.map((params, id) => ({ jsonrpc: '2.0', id, method, params })));
    expect(body.filter(({ error }: Json) => error)).toEqual([]);
    results.push(...body.map(({ result }: Json) => result));
  }
  return results;
}

const quantity = /^0x(0|[1-9a-f][0-9a-f]*)$/;
const bytes = /^0x([0-9a-f]{2})*$/;
const hash = /^0x[0-9a-f]{64}$/;
const address = /^0x[0-9a-f]{40}$/;
const isCount = (value: Json): boolean => Number.isInteger(value) && value >= 0;

/** Of the tree of callTracer, as Blockscout reads it: every call has a type that it knows, and who calls. */
function listCalls(call: Json): Json[] {
  return [call, ...(call.calls ?? []).flatMap(listCalls)];
}

const call: Form = {
  type: /^(?:CALL|CALLCODE|DELEGATECALL|STATICCALL|CREATE|CREATE2|SELFDESTRUCT)$/,
  ...{ from: address, gas: quantity, gasUsed: quantity, input: bytes },
};
const ofCall: Form = {
  callType: /^(?:call|callcode|delegatecall|staticcall)$/,
  from: address,
  to: address,
  input: bytes,
};
const action = (value: Json): boolean =>
  differences('init' in value ? { from: address, init: bytes } : ofCall, value).length === 0 &&
  differences({ gas: quantity, value: quantity }, value).length === 0;
const path: Form = { type: /^(?:call|create)$/, subtraces: isCount, traceAddress: [isCount], action };
const placed: Form = {
  ...path,
  blockHash: hash,
  blockNumber: isCount,
  transactionHash: hash,
  transactionPosition: isCount,
};

/** Members of a transaction that a client may name. */
type Filled = Record<
  'gas' | 'gasPrice' | 'maxFeePerGas' | 'maxPriorityFeePerGas' | 'nonce' | 'type' | 'value',
  string
> & {
  from: string;
  to: string;
  accessList: object;
};

describe('Blockscout, which asks in batches,', () => {
  it('as of geth gets the calls of every transaction', async () => {
    const options = { tracer: 'callTracer', timeout: '120s' };
    const found = await askTogether(
      'debug_traceTransaction',
      all().map((one) => [one.hash, options]),
    );
    for (const [at, root] of found.entries()) {
      for (const one of listCalls(root)) expect([all()[at].hash, differences(call, one)]).toEqual([all()[at].hash, []]);
      const { from, input } = all()[at];
      if (input.length > 20) expect(root).toMatchObject({ from });
    }
    expect(found.some((root) => listCalls(root).length > 2)).toBe(true);
    expect(found.some(({ error }) => error)).toBe(true);
  });

  it('as of Erigon gets those of whole blocks, at the places of their transactions', async () => {
    const found = await askTogether(
      'trace_replayBlockTransactions',
      blocks.map(({ number }) => [number, ['trace']]),
    );
    for (const [at, replayed] of found.entries()) {
      const { transactions } = blocks[at];
      expect(replayed.map((one: Json) => one.transactionHash)).toEqual(transactions.map((one: Json) => one.hash));
      for (const { trace, output } of replayed) {
        expect(output).toMatch(bytes);
        for (const one of trace) expect(differences(path, one)).toEqual([]);
      }
    }
    const [single] = await askTogether('trace_replayTransaction', [[all()[0].hash, ['trace']]]);
    expect(single.trace).toEqual(found[0].find((one: Json) => one.transactionHash === all()[0].hash).trace);
  });

  it('gets blocks, receipts, balances, codes and what is pending', async () => {
    const numbers = blocks.slice(0, 20).map(({ number }) => number);
    expect(
      await askTogether(
        'eth_getBlockByNumber',
        numbers.map((number) => [number, true]),
      ),
    ).toEqual(blocks.slice(0, 20));
    const receipts = await askTogether(
      'eth_getTransactionReceipt',
      all().map((one) => [one.hash]),
    );
    expect(receipts.map(({ transactionHash }) => transactionHash)).toEqual(all().map((one) => one.hash));
    const byBlock = await askTogether(
      'eth_getBlockReceipts',
      blocks.map(({ number }) => [number]),
    );
    expect(byBlock.flat()).toEqual(receipts);
    const made = receipts.find(({ contractAddress, gasUsed }) => contractAddress && gasUsed !== '0x0');
    const [code] = await askTogether('eth_getCode', [[made.contractAddress, made.blockNumber]]);
    expect(code).toMatch(/^0x[0-9a-f]{10,}$/);
    for (const balance of await askTogether(
      'eth_getBalance',
      numbers.map((number) => [all()[0].from, number]),
    )) {
      expect(balance).toMatch(quantity);
    }
    expect(await rpc.ask('txpool_content')).toEqual({ pending: {}, queued: {} });
    expect(await askTogether('eth_getUncleByBlockHashAndIndex', [[blocks[0].hash, '0x0']])).toEqual([null]);
  });

  it('is refused lists of opcodes in a batch, before they are made', async () => {
    const { hash: ran } = all().find(({ to, input }) => to !== null && input.length === 10);
    expect((await rpc.ask('debug_traceTransaction', ran)).structLogs.length).toBeGreaterThan(0);
    const { body } = await rpc.post([
      { jsonrpc: '2.0', id: 1, method: 'debug_traceTransaction', params: [ran] },
      { jsonrpc: '2.0', id: 2, method: 'debug_traceTransaction', params: [ran, { tracer: 'prestateTracer' }] },
      { jsonrpc: '2.0', id: 3, method: 'debug_traceCall', params: [{ to: all()[0].from }, 'latest', {}] },
    ]);
    expect(body.map(({ error }: Json) => error.code)).toEqual([-32007, -32007, -32007]);
  });
});

describe("The Graph's node", () => {
  it('gets the same calls by range and by block, and those of one receiver', async () => {
    const [last, first] = [blocks[0].number, blocks.at(-1).number];
    const ofRange: Json[] = [];
    for (let from = BigInt(first); from <= BigInt(last); from += 100n) {
      const [to, hex] = [from + 99n, (value: bigint) => `0x${value.toString(16)}`];
      ofRange.push(...(await rpc.ask('trace_filter', { fromBlock: hex(from), toBlock: hex(to) })));
    }
    const byBlock = await askTogether(
      'trace_block',
      blocks.toReversed().map(({ number }) => [number]),
    );
    expect(ofRange).toEqual(byBlock.flat());
    for (const one of ofRange) expect(differences(placed, one)).toEqual([]);
    const { to } = ofRange.find(({ type }) => type === 'call').action;
    const own = ofRange.filter(({ blockNumber }) => blockNumber >= Number(last) - 99);
    const filter = { fromBlock: `0x${Math.max(Number(last) - 99, 0).toString(16)}`, toBlock: last, toAddress: [to] };
    expect(await rpc.ask('trace_filter', filter)).toEqual(
      own.filter(({ action: of, result }) => (of.to ?? result?.address) === to),
    );
  });

  it('gets logs by range as by block', async () => {
    const logs: Json[] = await rpc.ask('eth_getLogs', { fromBlock: '0x0', toBlock: 'latest' });
    const byBlock = await askTogether(
      'eth_getLogs',
      blocks.toReversed().map((one) => [{ blockHash: one.hash }]),
    );
    expect(byBlock.flat()).toEqual(logs);
    const { address: of, topics } = logs.at(-1);
    const found = await rpc.ask('eth_getLogs', {
      fromBlock: '0x0',
      toBlock: 'latest',
      address: [of],
      topics: [[topics[0]]],
    });
    expect(found).toEqual(logs.filter((one) => one.address === of && one.topics[0] === topics[0]));
  });
});

describe('a wallet', () => {
  const signed = () => all().filter(({ r }) => r !== '0x0');

  it('finds what was signed by hash, by place, by sender and nonce', async () => {
    for (const one of signed()) {
      const raw = await rpc.ask('eth_getRawTransactionByHash', one.hash);
      expect([
        await rpc.ask('eth_getRawTransactionByBlockHashAndIndex', one.blockHash, one.transactionIndex),
        await rpc.ask('eth_getRawTransactionByBlockNumberAndIndex', one.blockNumber, one.transactionIndex),
      ]).toEqual([raw, raw]);
      expect(Transaction.from(raw).hash).toBe(one.hash);
      expect(await rpc.ask('eth_getTransactionBySenderAndNonce', one.from, one.nonce)).toEqual(one);
    }
    expect(signed().length).toBeGreaterThan(10);
    const other = all().find(({ r }) => r === '0x0');
    const place = [other.blockHash, other.transactionIndex] as const;
    expect(await rpc.refusal('eth_getRawTransactionByHash', other.hash)).toMatchObject({ code: -32001 });
    expect(await rpc.refusal('eth_getRawTransactionByBlockHashAndIndex', ...place)).toMatchObject({ code: -32001 });
    expect(await rpc.ask('eth_getRawTransactionByBlockHashAndIndex', other.blockHash, '0xffff')).toBeNull();
    expect(await rpc.ask('eth_getTransactionBySenderAndNonce', signed()[0].from, `0x${'f'.repeat(64)}`)).toBeNull();
  });

  it('gets what a transaction lacks, and no other value than it named', async () => {
    const { from } = signed()[0];
    const weibar = 12_345n;
    for (const [given, type] of [
      [{}, 2],
      [{ gasPrice: '0x5' }, 0],
      [{ gasPrice: '0x5', accessList: [{ address: from, storageKeys: [] }] }, 1],
      [{ type: '0x2', maxFeePerGas: '0x9', maxPriorityFeePerGas: '0x2', nonce: '0x7', gas: '0x10000' }, 2],
    ] as [Partial<Filled>, number][]) {
      const asked: Partial<Filled> = { from, to: from, value: `0x${weibar.toString(16)}`, ...given };
      const { raw, tx } = await rpc.ask('eth_fillTransaction', asked);
      expect(tx).toMatchObject({ from, to: from, value: asked.value, type: `0x${type}`, ...given });
      // The signature alone is missing.
      const { v, r, s, yParity, hash: named, ...rest } = tx;
      expect([named, v, r, s, yParity ?? '0x0']).toEqual([expect.stringMatching(hash), '0x0', '0x0', '0x0', '0x0']);
      const price = BigInt(await rpc.ask('eth_gasPrice'));
      expect(BigInt(rest.maxFeePerGas ?? rest.gasPrice)).toBe(
        BigInt(asked.maxFeePerGas ?? asked.gasPrice ?? 2n * price),
      );
      expect(rest.nonce).toBe(asked.nonce ?? (await rpc.ask('eth_getTransactionCount', from)));
      const { accessList } = asked;
      const estimated = await rpc.ask('eth_estimateGas', { from, to: from, value: '0x1', accessList });
      expect(rest.gas).toBe(asked.gas ?? estimated);
      const read = parseTransaction(raw);
      expect([read.to, read.value, read.nonce ?? 0, read.gas]).toEqual([
        from,
        weibar,
        Number(rest.nonce),
        BigInt(rest.gas),
      ]);
    }
    expect(await rpc.refusal('eth_fillTransaction', { to: from })).toMatchObject({ code: -32602 });
    expect(await rpc.refusal('eth_fillTransaction', { from, to: from, chainId: '0x1' })).toMatchObject({
      code: -32602,
    });
  });

  it('reads slots of several contracts at once', async () => {
    const [one, other] = [...new Set(all().flatMap(({ to }) => to ?? []))];
    const slots = ['0x0', '0x1', `0x${'0'.repeat(63)}2`];
    for (const block of ['latest', blocks[3].number, { blockHash: blocks[3].hash }]) {
      const found = await rpc.ask('eth_getStorageValues', { [one]: slots, [other]: ['0x0'] }, block);
      const single = (of: string, slot: string) => rpc.ask('eth_getStorageAt', of, slot, block);
      const expected = [];
      for (const slot of slots) expected.push(await single(one, slot));
      expect(found).toEqual({ [one]: expected, [other]: [await single(other, '0x0')] });
    }
    for (const asked of [[], { [one]: Array(101).fill('0x0') }, { [one]: ['x'] }, { x: [] }]) {
      expect(await rpc.refusal('eth_getStorageValues', asked)).toMatchObject({ code: -32602 });
    }
  });

  it('waits for the receipt of what a relay has sent', async () => {
    const { hash: known } = signed()[0];
    const sent: unknown[] = [];
    const relayed = (answer: unknown) => {
      const relay = async (params: readonly unknown[]) => {
        sent.push(params);
        return answer;
      };
      return openRpc(db, { relay });
    };
    const [there, never, broken] = [relayed(known), relayed(`0x${'ab'.repeat(32)}`), relayed('ok')];
    try {
      expect(await there.ask('eth_sendRawTransactionSync', '0x02', 5_000)).toEqual(
        await rpc.ask('eth_getTransactionReceipt', known),
      );
      const { body } = await never.post({
        jsonrpc: '2.0',
        id: 1,
        method: 'eth_sendRawTransactionSync',
        params: ['0x02', '0x64'],
      });
      expect(body.error).toMatchObject({ code: 4, data: `0x${'ab'.repeat(32)}` });
      expect(await never.refusal('eth_sendRawTransactionSync', '0x02', 60_001)).toMatchObject({ code: -32602 });
      expect(await broken.refusal('eth_sendRawTransactionSync', '0x02')).toMatchObject({ code: -32603 });
      expect(sent).toEqual([['0x02'], ['0x02'], ['0x02']]);
      expect(await rpc.refusal('eth_sendRawTransactionSync', '0x02')).toMatchObject({ code: -32610 });
    } finally {
      for (const one of [there, never, broken]) await one.close();
      // A relay that answers what is no hash is a failure of its own.
      broken.failures.length = 0;
    }
  });

  it('waits in filters of what is pending, in batches, too', async () => {
    const ids = await askTogether('eth_newPendingTransactionFilter', [[], []]);
    expect(
      await askTogether(
        'eth_getFilterChanges',
        ids.map((id) => [id]),
      ),
    ).toEqual([[], []]);
    expect(await rpc.refusal('eth_getFilterLogs', ids[0])).toMatchObject({ code: -32001 });
    expect(
      await askTogether(
        'eth_uninstallFilter',
        ids.map((id) => [id]),
      ),
    ).toEqual([true, true]);
    expect(await rpc.ask('eth_pendingTransactions')).toEqual([]);
  });
});
