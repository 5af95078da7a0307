// A real block of mainnet with calls, precompile children, a refused Ethereum transaction and a sidecar: what the
// importer makes of it, and that PostgreSQL takes it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toEntityId } from '../../packages/protocol/hapi/entity-id.ts';
import { toLongZeroAddress } from '../../packages/protocol/hapi/evm-address.ts';
import { toTimestamp } from '../../packages/protocol/hapi/timestamp.ts';
import { createBlockWriter } from '../../packages/store/write/block-writer.ts';
import { decodeTransactionItem } from '../../packages/streams/record-stream/decode-transaction-item.ts';
import { readRecordFile } from '../../packages/streams/record-stream/record-file.ts';
import { readSidecarFile } from '../../packages/streams/record-stream/sidecar-file.ts';
import type { StreamBlock } from '../../packages/streams/stream/stream-block.ts';
import { createScratchDatabase, type ScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import {
  type ImportedTransactions,
  importBlockRows,
  toBlock,
} from '../../packages/test-support/streams/import-transactions.ts';
import { findRealData } from '../../packages/test-support/streams/real-data.ts';
import { createLogBloom } from '../../src/importer/evm/log-bloom.ts';

const real = findRealData('streams/mainnet-2025-07-23/recordstreams/record0.0.21');
const instant = '2025-07-23T20_37_42.076472454Z';

function readBlock(): StreamBlock {
  const file = readRecordFile(gunzipSync(readFileSync(join(real.path, `${instant}.rcd.gz`))));
  const sidecars = readSidecarFile(gunzipSync(readFileSync(join(real.path, `sidecar/${instant}_01.rcd.gz`))));
  const transactions = file.items.map((raw, index) => {
    const { item } = decodeTransactionItem(raw, index);
    const ofItem = sidecars.records.filter(
      ({ consensusTimestamp }) => toTimestamp(consensusTimestamp!) === item.consensusTimestamp,
    );
    return { ...item, sidecars: ofItem };
  });
  return toBlock(transactions, file.hapiVersion);
}

describe.skipIf(real.isAbsent)(`contract results of mainnet block 82297471${real.hint}`, () => {
  const block = real.isAbsent ? toBlock([]) : readBlock();
  let imported: ImportedTransactions;
  let scratch: ScratchDatabase;
  beforeAll(async () => {
    imported = await importBlockRows(block);
    scratch = await createScratchDatabase();
  });
  afterAll(() => scratch?.close());

  const resultAt = (index: number) => {
    const { consensusTimestamp } = block.transactions[index]!;
    return imported.rows('contract_result').find((row) => row.consensus_timestamp === consensusTimestamp);
  };

  it('leaves nothing out', () => {
    expect(imported.problems).toEqual([]);
    expect(imported.rows('transaction')).toHaveLength(47);
    expect(imported.rows('contract_result')).toHaveLength(39);
  });

  it('numbers the six calls, and gives their number to the calls inside them', () => {
    const indexes = block.transactions.map((_item, index) => resultAt(index)?.transaction_index);
    const family = (index: number) => [index, null, index, null, index, index, index];
    expect(indexes).toEqual([
      ...family(0),
      ...family(1),
      undefined,
      ...family(2),
      ...family(3),
      ...family(4),
      null,
      undefined,
      undefined,
      undefined,
      5,
      5,
      null,
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('knows the gas of the block and of its calls', () => {
    expect(imported.rows('record_file')).toMatchObject([{ gas_used: 5n * 208_000n + 960_000n }]);
    const first = resultAt(0)!;
    expect(first).toMatchObject({ contract_id: 9_306_447n, gas_used: 208_000n, error_message: '' });
    const zeros = first.function_parameters!.filter((byte) => byte === 0).length;
    const others = first.function_parameters!.length - zeros;
    expect(first.gas_consumed).toBe(125_155n + 21_000n + 4n * BigInt(zeros) + 16n * BigInt(others));
    expect(first.gas_consumed! <= first.gas_used!).toBe(true);
    expect(resultAt(1)).toMatchObject({ contract_id: 359n, gas_used: 15_284n, gas_consumed: null });
  });

  it('keeps the refused Ethereum transaction with its own nonce', () => {
    expect(resultAt(36)).toMatchObject({
      contract_id: 0n,
      transaction_result: 312,
      sender_id: 7_641_326n,
      transaction_hash: block.transactions[36]!.record.ethereumHash,
    });
    expect(imported.rows('ethereum_transaction')).toMatchObject([
      { consensus_timestamp: block.transactions[36]!.consensusTimestamp, gas_limit: expect.any(BigInt) },
    ]);
    expect(imported.rows('entity').find(({ id }) => id === 7_641_326n)?.ethereum_nonce).toBe(1805n);
  });

  it('hashes that transaction to what the network says', async () => {
    const transactions = block.transactions.map((item) => ({
      ...item,
      record: { ...item.record, ethereumHash: Buffer.alloc(0) },
    }));
    const { rows } = await importBlockRows({ ...block, transactions });
    expect(Buffer.from(rows('ethereum_transaction')[0]!.hash!)).toEqual(
      Buffer.from(block.transactions[36]!.record.ethereumHash!),
    );
  });

  it('numbers the logs through, and ORs them into the bloom of the block', () => {
    const logs = imported.rows('contract_log');
    expect(logs.filter((row) => !row.synthetic)).toHaveLength(5 * 3 + 8);
    expect(logs.map((row) => row.index)).toEqual(logs.map((_row, index) => index));
    const bloom = imported.rows('record_file')[0]!.logs_bloom!;
    for (const log of logs) {
      expect(log.bloom!.every((byte, index) => (byte & bloom[index]!) === byte)).toBe(true);
    }
  });

  it('gives the transfers inside a call logs of the contract that was called, and its result their bloom', () => {
    // Of transaction 0.0.3926417-1753303055-312447830.
    const { consensusTimestamp } = block.transactions[7]!;
    const logs = imported.rows('contract_log').filter((row) => row.consensus_timestamp === consensusTimestamp);
    expect(logs.map((row) => [row.index, row.contract_id, row.root_contract_id, row.synthetic])).toEqual([
      [5, 3_964_804n, 9_306_447n, false],
      [6, 3_964_804n, 9_306_447n, false],
      [7, 9_306_447n, 9_306_447n, false],
      [8, 9_306_447n, 9_306_447n, true],
      [9, 9_306_447n, 9_306_447n, true],
    ]);
    const bloom = resultAt(7)!.bloom!;
    for (const log of logs) expect(log.bloom!.every((byte, index) => (byte & bloom[index]!) === byte)).toBe(true);
    expect(imported.rows('contract_log').filter(({ synthetic }) => synthetic)).toHaveLength(5 * 2 + 1);
  });

  it('makes blooms as the network does', () => {
    const logs = block.transactions.flatMap(({ record }) => record.contractCallResult?.logInfo ?? []);
    const logBloom = createLogBloom();
    expect(logs).toHaveLength(23);
    for (const { contractID, topic, bloom } of logs) {
      const address = toLongZeroAddress(toEntityId(contractID));
      expect(Buffer.from(logBloom(address, topic ?? []))).toEqual(Buffer.from(bloom!));
    }
  });

  it('can be written as it is', async () => {
    const importedAgain = await importBlockRows(block);
    const writer = await createBlockWriter({ connectionString: scratch.connectionString });
    const client = new pg.Client({ connectionString: scratch.connectionString });
    try {
      await writer.writeBlock(importedAgain.changes);
      await client.connect();
      for (const table of [
        'contract_result',
        'contract_log',
        'contract_action',
        'contract_state_change',
        'contract_state',
        'contract_transaction',
        'contract_transaction_hash',
        'ethereum_transaction',
        'topic_message',
      ] as const) {
        const { rows } = await client.query(`select count(*)::int as count from ${table}`);
        expect([table, rows[0].count]).toEqual([table, imported.rows(table).length]);
        expect(rows[0].count).toBeGreaterThan(0);
      }
    } finally {
      await client.end();
      await writer.close();
    }
  });
});
