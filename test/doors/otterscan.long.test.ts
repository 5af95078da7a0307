// What Otterscan asks, over a ledger of contracts: pages of blocks and of the history of each address are judged by the
// blocks, receipts and calls that other methods show, and read with ethers as its pages read them.
import { accessListify, getAddress, Signature } from 'ethers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../packages/postgres/wire/database.ts';
import { type OpenedLedger, openLedger } from '../../packages/test-support/ledgers/ledgers.ts';
import { openRpc, type TestRpc } from '../../packages/test-support/rpc/open-rpc.ts';

// biome-ignore lint/suspicious/noExplicitAny: what is judged.
type Json = any;

let ledger: OpenedLedger;
let db: Database;
let rpc: TestRpc;
const blocks: { block: Json; receipts: Json[] }[] = [];
/** Hashes of transactions, the newest first, by address: in which it is named, and in whose calls it is. */
const named = new Map<string, Set<string>>();
const called = new Map<string, Set<string>>();
const calls = new Map<string, Json[]>();
const blockOf = new Map<string, number>();
const noCode = '0x0000000000000000';
const inner = new Set<string>();

const note = (of: Map<string, Set<string>>, address: string | null, hash: string): void => {
  if (address === null) return;
  const known = of.get(address) ?? new Set();
  of.set(address, known.add(hash));
};

beforeAll(async () => {
  ledger = await openLedger('contracts');
  db = openDatabase(ledger);
  rpc = openRpc(db);
  const newest = Number(await rpc.ask('eth_blockNumber'));
  for (let number = newest; number >= 0; number--) {
    const block = await rpc.ask('eth_getBlockByNumber', `0x${number.toString(16)}`, true);
    if (!block) continue;
    const receipts: Json[] = await rpc.ask('eth_getBlockReceipts', block.hash);
    blocks.push({ block, receipts });
    for (const receipt of receipts.toReversed()) {
      const { transactionHash: hash, from, to, contractAddress, logs } = receipt;
      blockOf.set(hash, number);
      const { input } = block.transactions.find((one: Json) => one.hash === hash);
      // A transfer of tokens without code is found at the token, not at who paid for it.
      for (const one of [input === noCode ? null : from, to, contractAddress, ...logs.map((log: Json) => log.address)])
        note(named, one, hash);
      const listed: Json[] = await rpc.ask('ots_traceTransaction', hash);
      calls.set(hash, listed);
      for (const call of listed) for (const one of [call.from, call.to]) note(called, one, hash);
      // Contracts that others created.
      for (const { type, to: made } of await rpc.ask('ots_getInternalOperations', hash)) {
        if (type === 0) continue;
        note(named, made, hash);
        inner.add(made);
      }
    }
  }
}, 120_000);
afterAll(async () => {
  expect(rpc?.failures).toEqual([]);
  await rpc?.close();
  await db?.close();
  await ledger?.close();
});

type Page = { txs: Json[]; receipts: Json[]; firstPage: boolean; lastPage: boolean };
const hashesOf = ({ txs }: Page): string[] => txs.map(({ hash }) => hash);

/** All pages of an address, from the newest on or from the first one on; and how many there were. */
async function walk(address: string, method: string, size: number): Promise<{ hashes: string[]; pages: number }> {
  const before = method.endsWith('Before');
  const hashes: string[] = [];
  for (let [from, pages] = [0, 1]; ; pages++) {
    const page: Page = await rpc.ask(method, address, from, size);
    if (before) hashes.push(...hashesOf(page));
    else hashes.unshift(...hashesOf(page));
    const [begins, ends] = before ? [page.firstPage, page.lastPage] : [page.lastPage, page.firstPage];
    expect([address, begins]).toEqual([address, from === 0]);
    if (ends) return { hashes, pages };
    expect(page.txs.length).toBeGreaterThanOrEqual(size);
    from = Number((before ? page.txs.at(-1) : page.txs[0]).blockNumber);
  }
}

describe('a block', () => {
  it('has its members without transactions, and fees', async () => {
    for (const { block, receipts } of blocks) {
      const { transactions, ...rest } = block;
      const details = await rpc.ask('ots_getBlockDetails', Number(block.number));
      expect(details.block).toEqual({ ...rest, logsBloom: null, transactionCount: transactions.length });
      expect(details.issuance).toEqual({ blockReward: '0x0', uncleReward: '0x0', issuance: '0x0' });
      const paid = receipts.map(({ effectiveGasPrice, gasUsed }) => BigInt(effectiveGasPrice) * BigInt(gasUsed));
      expect(BigInt(details.totalFees)).toBe(paid.reduce((sum, one) => sum + one, 0n));
      expect(await rpc.ask('ots_getBlockDetailsByHash', block.hash)).toEqual(details);
      expect(await rpc.ask('ots_getBlockDetails', block.number)).toEqual(details);
    }
    expect(await rpc.ask('ots_getBlockDetails', 999_999)).toBeNull();
    expect(await rpc.ask('ots_getBlockDetailsByHash', `0x${'ab'.repeat(32)}`)).toBeNull();
    const { block } = blocks[0]!;
    expect(await rpc.ask('erigon_getHeaderByNumber', 'latest')).toMatchObject({
      number: block.number,
      hash: block.hash,
    });
    expect(await rpc.ask('ots_getApiLevel')).toBe(8);
  });

  it.each([1, 7, 25])('shows its transactions in pages of %i, the last of them first', async (size) => {
    for (const { block, receipts } of blocks.slice(0, 6)) {
      const listed: Json[] = [];
      const told: Json[] = [];
      const count = block.transactions.length;
      for (let page = 0; page * size < count; page++) {
        const { fullblock, receipts: some } = await rpc.ask(
          'ots_getBlockTransactions',
          Number(block.number),
          page,
          size,
        );
        expect(fullblock).toMatchObject({ transactionCount: count, timestamp: block.timestamp, miner: block.miner });
        listed.unshift(...fullblock.transactions);
        told.unshift(...some);
      }
      expect(listed).toEqual(block.transactions.map((one: Json) => ({ ...one, input: one.input.slice(0, 10) })));
      expect(told).toEqual(receipts.map((one) => ({ ...one, logs: null, logsBloom: null })));
      const past = await rpc.ask('ots_getBlockTransactions', Number(block.number), 1000, size);
      expect([past.fullblock.transactions, past.receipts]).toEqual([[], []]);
    }
    expect(await rpc.ask('ots_getBlockTransactions', 999_999, 0, size)).toBeNull();
  });
});

describe('the history of an address', () => {
  it('has every transaction that names it, and none that does not concern it, in both directions', async () => {
    expect([named.size > 20, inner.size > 0]).toEqual([true, true]);
    for (const [address, hashes] of named) {
      const { hashes: found } = await walk(address, 'ots_searchTransactionsBefore', 25);
      expect(new Set(found).size).toBe(found.length);
      expect([address, [...hashes].filter((hash) => !found.includes(hash))]).toEqual([address, []]);
      const others = found.filter((hash) => !hashes.has(hash));
      expect([address, others.filter((hash) => !called.get(address)?.has(hash))]).toEqual([address, []]);
      const newestFirst = found.map((hash) => blockOf.get(hash)!);
      expect(newestFirst).toEqual(newestFirst.toSorted((one, other) => other - one));
      expect((await walk(address, 'ots_searchTransactionsAfter', 25)).hashes).toEqual(found);
    }
  });

  it('has whole blocks in each page, whatever its size', async () => {
    const [busiest] = [...named].sort(([, one], [, other]) => other.size - one.size).map(([address]) => address);
    const { hashes, pages } = await walk(busiest!, 'ots_searchTransactionsBefore', 25);
    const few = await walk(busiest!, 'ots_searchTransactionsBefore', 1);
    expect([few.hashes, (await walk(busiest!, 'ots_searchTransactionsAfter', 3)).hashes]).toEqual([hashes, hashes]);
    expect(pages).toBeGreaterThan(1);
    expect(few.pages).toBe(new Set(hashes.map((hash) => blockOf.get(hash))).size);
  });

  it('shows transactions and receipts as other methods do, with the time of the block', async () => {
    const seen = new Set<string>();
    for (const address of [...named.keys()].slice(0, 8)) {
      const { txs, receipts }: Page = await rpc.ask('ots_searchTransactionsBefore', address, 0, 25);
      for (const [at, transaction] of txs.entries()) {
        if (seen.has(transaction.hash)) continue;
        seen.add(transaction.hash);
        expect(transaction).toEqual(await rpc.ask('eth_getTransactionByHash', transaction.hash));
        const { timestamp, ...receipt } = receipts[at];
        expect(receipt).toEqual(await rpc.ask('eth_getTransactionReceipt', transaction.hash));
        expect(timestamp).toBe(Number(transaction.blockTimestamp));
        // As the program's own reader has it: none of these may throw.
        const { r, s, v } = transaction;
        Signature.from({
          r: `0x${r.slice(2).padStart(64, '0')}`,
          s: `0x${s.slice(2).padStart(64, '0')}`,
          v: Number(v),
        });
        accessListify(transaction.accessList ?? []);
        for (const one of [transaction.from, transaction.to ?? receipt.from]) getAddress(one);
      }
    }
    expect(seen.size).toBeGreaterThan(20);
  });

  it('is empty where nothing is, before the first block and after the newest', async () => {
    const nothing = { txs: [], receipts: [] };
    const stranger = `0x${'ab'.repeat(20)}`;
    for (const method of ['ots_searchTransactionsBefore', 'ots_searchTransactionsAfter']) {
      expect(await rpc.ask(method, stranger, 0, 25)).toEqual({ ...nothing, firstPage: true, lastPage: true });
    }
    const [address] = [...named.keys()];
    const first = Number(blocks.at(-1)!.block.number);
    expect(await rpc.ask('ots_searchTransactionsBefore', address, Math.max(1, first), 25)).toMatchObject({
      lastPage: true,
    });
    expect(await rpc.ask('ots_searchTransactionsAfter', address, 999_999, 25)).toEqual({
      ...{ ...nothing, firstPage: true, lastPage: false },
    });
    const all: Page = await rpc.ask('ots_searchTransactionsBefore', address, 999_999, 25);
    expect(hashesOf(all)).toEqual(hashesOf(await rpc.ask('ots_searchTransactionsBefore', address, 0, 25)));
  });
});

describe('who did it', () => {
  it('is known of each nonce of each account', async () => {
    let asked = 0;
    for (const { block } of blocks) {
      for (const { from, nonce, hash, r } of block.transactions) {
        if (r === '0x0') continue;
        asked += 1;
        const found = await rpc.ask('ots_getTransactionBySenderAndNonce', from, Number(nonce));
        expect([from, nonce, found]).toEqual([from, nonce, hash]);
      }
    }
    expect(asked).toBeGreaterThan(50);
    const [sender] = [...named.keys()];
    expect(await rpc.ask('ots_getTransactionBySenderAndNonce', sender, 1_000_000)).toBeNull();
    expect(await rpc.ask('ots_getTransactionBySenderAndNonce', `0x${'ab'.repeat(20)}`, 0)).toBeNull();
  });

  it('is known of each contract that a transaction or another contract created', async () => {
    let outer = 0;
    for (const { receipts } of blocks) {
      for (const { transactionHash: hash, contractAddress, status, from, to } of receipts) {
        if (status === '0x0') continue;
        if (contractAddress && to === null) {
          outer += 1;
          expect(await rpc.ask('ots_getContractCreator', contractAddress)).toEqual({ hash, creator: from });
        }
        for (const { type, from: creator, to: made } of await rpc.ask('ots_getInternalOperations', hash)) {
          if (type === 0) continue;
          expect(await rpc.ask('ots_getContractCreator', made)).toEqual({ hash, creator });
        }
      }
    }
    expect(outer).toBeGreaterThan(0);
    const [sender] = blocks.flatMap(({ block }) => block.transactions.map(({ from }: Json) => from));
    expect(await rpc.ask('ots_getContractCreator', sender)).toBeNull();
    expect(await rpc.ask('ots_getContractCreator', `0x${'ab'.repeat(20)}`)).toBeNull();
  });
});

describe('calls', () => {
  it('have an address at both ends, as their reader needs it', () => {
    const all = [...calls.values()].flat();
    expect(all.length).toBeGreaterThan(100);
    for (const { from, to } of all) expect([getAddress(from), getAddress(to)].every(Boolean)).toBe(true);
  });

  it('stand in a batch, in which the program sends them', async () => {
    const hashes = [...calls]
      .filter(([, listed]) => listed.length > 1)
      .map(([hash]) => hash)
      .slice(0, 4);
    const batch = hashes.flatMap((hash, at) => [
      { jsonrpc: '2.0', id: `${at}`, method: 'ots_traceTransaction', params: [hash] },
      { jsonrpc: '2.0', id: `${at} moved`, method: 'ots_getInternalOperations', params: [hash] },
    ]);
    const { body } = await rpc.post(batch);
    expect(body.filter(({ id }: Json) => !id.includes('moved')).map(({ result }: Json) => result)).toEqual(
      hashes.map((hash) => calls.get(hash)),
    );
    expect(body.every(({ result }: Json) => Array.isArray(result))).toBe(true);
  });
});

describe('what is too much or malformed is refused', () => {
  const a = `0x${'0'.repeat(37)}3e9`;
  it.each<[string, unknown[]]>([
    ['ots_getBlockTransactions', [1, 0, 256]],
    ['ots_getBlockTransactions', [1, 0, 0]],
    ['ots_getBlockTransactions', [1, -1, 25]],
    ['ots_getBlockTransactions', [1, 1e9, 25]],
    ['ots_getBlockTransactions', [1.5, 0, 25]],
    ['ots_getBlockTransactions', [1, 0]],
    ['ots_getBlockDetails', ['nonsense']],
    ['ots_getBlockDetails', [2 ** 60]],
    ['ots_searchTransactionsBefore', [a, 0, 26]],
    ['ots_searchTransactionsBefore', [a, 0]],
    ['ots_searchTransactionsBefore', [a, -1, 25]],
    ['ots_searchTransactionsAfter', [a, 0, 1000]],
    ['ots_searchTransactionsAfter', ['0x12', 0, 25]],
    ['ots_getTransactionBySenderAndNonce', [a, 1e300]],
    ['ots_getTransactionBySenderAndNonce', [a, '0xffffffffffffffffffff']],
    ['ots_getContractCreator', ['0x12']],
  ])('%s %j', async (method, params) => {
    expect(await rpc.refusal(method, ...params)).toMatchObject({ status: 400, code: -32602 });
  });
});
