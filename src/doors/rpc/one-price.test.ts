// A transaction has one price of gas, that of its own time: whichever method tells it, alone or in its block, and REST
// as well, also where exchange rate and fees change between the transactions of a block.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openServer } from '../../../packages/test-support/http/open-server.ts';
import { encodeClassicGas, encodeRates, encodeSimpleGas } from '../../../packages/test-support/rows/encode-prices.ts';
import type { SetupRow } from '../../../packages/test-support/rows/setup-row.ts';
import { storeRows } from '../../../packages/test-support/rows/store-rows.ts';
import {
  blockRow,
  blockTimes,
  entityRow,
  ethereumRows,
  hashRow,
  logRow,
  resultRow,
} from '../../../packages/test-support/rpc/chain-rows.ts';
import { openRpc } from '../../../packages/test-support/rpc/open-rpc.ts';

/** An offer names its price (type 0), a limit does not (type 2). */
type Transaction = { kind: 'call' | 'offer' | 'limit' | 'transfer'; gasUsed: bigint };
type Change = { file: 111n | 112n | 113n; value: bigint };
/** In their order within the block. */
type Happening = { transaction: Transaction } | { change: Change };

const blockNumber = 10n;
const never = 9_000_000_000n;
const weibar = 10n ** 10n;
/** What it offers, or pays at most. */
const offered = 1_234n * weibar;
/** Every 2 ms. */
const timeOf = (position: number): bigint => blockTimes(blockNumber).start + BigInt(position) * 2_000_000n;
const hashOf = (position: number): Buffer => Buffer.alloc(48, position + 1);
const hexOf = (value: bigint): string => `0x${value.toString(16)}`;
/** `eth_getTransactionByHash` shows 32 bytes of it. */
const shownHash = (position: number): string => `0x${hashOf(position).subarray(0, 32).toString('hex')}`;

const contents: Record<string, (value: bigint) => Buffer> = {
  111: (value) => encodeClassicGas(Number(value) * 1000, never),
  112: (value) => encodeRates({ hbarEquiv: 1, centEquiv: Number(value) }, never),
  113: encodeSimpleGas,
};
const fileRow = ({ file, value }: Change, consensus_timestamp: bigint): SetupRow => ({
  table: 'file_data',
  row: { entity_id: file, consensus_timestamp, transaction_type: 19, file_data: contents[`${file}`]!(value) },
});

function transactionRows({ kind, gasUsed }: Transaction, position: number, index: number): SetupRow[] {
  const at = timeOf(position);
  const transaction_hash = hashOf(position);
  const place = { transaction_hash, transaction_index: index };
  const [hash, hash_suffix] = [transaction_hash.subarray(0, 32), transaction_hash.subarray(32)];
  if (kind === 'transfer') {
    const found = { consensus_timestamp: at, hash, hash_suffix, payer_account_id: 1001n, distribution_id: 1 };
    const log = logRow(at, 0, { ...place, contract_id: 3001n, synthetic: true, topic0: Buffer.of(1) });
    return [log, { table: 'transaction_hash', row: found }];
  }
  const result = resultRow(at, { ...place, contract_id: 2001n, gas_used: gasUsed });
  const took = { consensus_timestamp: at, contract_ids: [2001n], entity_id: 2001n, payer_account_id: 1001n };
  const ofContract = { table: 'contract_transaction', row: took };
  if (kind === 'call') return [result, hashRow(at, transaction_hash), ofContract];
  const gas_price = Buffer.from(offered.toString(16).padStart(16, '0'), 'hex');
  return [
    { ...result, row: { ...result.row, transaction_hash: hash } },
    ...ethereumRows(at, hash, kind === 'offer' ? { gas_price, type: 0 } : { max_fee_per_gas: gas_price, type: 2 }),
    hashRow(at, hash),
  ];
}

const happening: fc.Arbitrary<Happening> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      transaction: fc.record({
        kind: fc.constantFrom('call', 'call', 'offer', 'limit', 'transfer' as const),
        gasUsed: fc.bigInt(1n, 90_000n),
      }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      change: fc.oneof(
        fc.record({ file: fc.constant(112n as const), value: fc.bigInt(8n, 15n) }),
        fc.record({ file: fc.constantFrom(111n as const, 113n as const), value: fc.bigInt(500n, 1500n) }),
      ),
    }),
  },
);

/** tinybar, by a reading of its own: what was last written before the transaction. */
function priceAt(changes: readonly { at: number; change: Change }[], position: number): bigint {
  const last = (file: bigint) =>
    changes.findLast(({ at, change }) => at < position && change.file === file)?.change.value;
  return (last(113n) ?? last(111n)!) / last(112n)!;
}

type Shown = { hash: string; gasPrice: string; transactionHash: string; effectiveGasPrice: string };

async function checkBlock(happenings: readonly Happening[]): Promise<void> {
  const changes = happenings.flatMap((one, at) => ('change' in one ? [{ at, change: one.change }] : []));
  const opening: Change[] = [
    { file: 111n, value: 852n },
    { file: 112n, value: 12n },
  ];
  const known = [...opening.map((change, place) => ({ at: -1 - place, change })), ...changes];
  const transactions = happenings
    .flatMap((one, position) => ('transaction' in one ? [{ ...one.transaction, position }] : []))
    .map((one, index) => ({ ...one, index, price: priceAt(known, one.position) }));
  const stored = await storeRows([
    ...[9n, blockNumber, 11n].map((n) => blockRow(n)),
    entityRow(1001n),
    entityRow(2001n, { type: 'CONTRACT' }),
    entityRow(3001n, { type: 'TOKEN' }),
    ...known.map(({ at, change }) => fileRow(change, at < 0 ? 5n + BigInt(at) : timeOf(at))),
    ...transactions.flatMap((one) => transactionRows(one, one.position, one.index)),
  ]);
  const rpc = openRpc(stored.db);
  const servers = (['spec', 'hiero'] as const).map((dialect) => openServer(stored.db, dialect));
  const number = hexOf(blockNumber);
  const block = await rpc.ask('eth_getBlockByNumber', number, true);
  const sameBlock = await rpc.ask('eth_getBlockByHash', block.hash, true);
  const receipts = (await rpc.ask('eth_getBlockReceipts', number)) as Shown[];
  for (const { kind, position, index, price } of transactions) {
    const hash = shownHash(position);
    const ofSystem = hexOf(price * weibar);
    const shown = { call: ofSystem, limit: ofSystem, offer: hexOf(offered), transfer: ofSystem }[kind];
    const seen = [
      (block.transactions as Shown[]).find((one) => one.hash === hash),
      (sameBlock.transactions as Shown[]).find((one) => one.hash === hash),
      await rpc.ask('eth_getTransactionByHash', hash),
      await rpc.ask('eth_getTransactionByBlockNumberAndIndex', number, hexOf(BigInt(index))),
      await rpc.ask('eth_getTransactionByBlockHashAndIndex', block.hash, hexOf(BigInt(index))),
    ] as Shown[];
    expect(seen.map((one) => [one.hash, one.gasPrice])).toEqual(seen.map(() => [hash, shown]));
    const receipt = (await rpc.ask('eth_getTransactionReceipt', hash)) as Shown;
    const listed = receipts.find(({ transactionHash }) => transactionHash === hash)!;
    expect([receipt.effectiveGasPrice, listed.effectiveGasPrice]).toEqual([ofSystem, ofSystem]);
    if (kind !== 'call') continue;
    const at = timeOf(position);
    const time = `${at / 1_000_000_000n}.${String(at % 1_000_000_000n).padStart(9, '0')}`;
    for (const server of servers) {
      for (const path of [
        `/api/v1/contracts/results/${hash}`,
        `/api/v1/contracts/0.0.2001/results/${time}`,
        `/api/v1/contracts/results?timestamp=${time}`,
        `/api/v1/contracts/results?block.number=${blockNumber}`,
      ]) {
        const body = (await server.inject(path)).json();
        const result = body.results ? body.results.find((one: { timestamp: string }) => one.timestamp === time) : body;
        expect([path, result.gas_price]).toEqual([path, hexOf(price)]);
      }
    }
  }
  // Nobody pays less than the base fee.
  const lowest = transactions.map(({ price }) => price).sort((one, other) => Number(one - other))[0];
  expect(block.baseFeePerGas).toBe(hexOf((lowest ?? priceAt(known, happenings.length)) * weibar));
  expect(await rpc.ask('eth_gasPrice')).toBe(hexOf(priceAt(known, happenings.length) * weibar));
  expect(rpc.failures).toEqual([]);
  await rpc.close();
  for (const server of servers) await server.close();
  await stored.close();
}

describe('the price of gas of a transaction', () => {
  const call = (gasUsed: bigint): Happening => ({ transaction: { kind: 'call', gasUsed } });

  it('is that of its own time where the exchange rate changes within its block', () =>
    checkBlock([
      { change: { file: 113n, value: 8100n } },
      { change: { file: 112n, value: 10n } },
      call(100n),
      { transaction: { kind: 'offer', gasUsed: 300n } },
      { transaction: { kind: 'limit', gasUsed: 500n } },
      { transaction: { kind: 'transfer', gasUsed: 1n } },
      { change: { file: 113n, value: 7900n } },
      call(200n),
      { transaction: { kind: 'transfer', gasUsed: 1n } },
      { change: { file: 112n, value: 20n } },
    ]));

  it('is the same in every method', async () => {
    await fc.assert(fc.asyncProperty(fc.array(happening, { minLength: 2, maxLength: 14 }), checkBlock), {
      numRuns: 12,
    });
  });
});
