// The text of a list of logs is that of its members, log by log.
import { expect, it } from 'vitest';
import { toListedLog, writeLogs } from './log.ts';

type Row = Parameters<typeof toListedLog>[0];

const bytes = (length: number, fill: number): Buffer => Buffer.alloc(length, fill);
const first: Row = {
  ...{ consensusTimestamp: 1_700_000_000_000_000_001n, contractId: 1001n, evmAddress: null, index: 0 },
  ...{ data: bytes(40, 7), topic0: bytes(32, 1), topic1: null, topic2: null, topic3: null },
  ...{ transactionHash: bytes(48, 9), transactionIndex: 3, blockHash: 'ab'.repeat(48), blockNumber: 17n },
  blockStart: 1_699_999_999_000_000_000n,
};

it('writes what the members of each say', () => {
  const rows: Row[] = [
    first,
    // Of a token: words without their leading zeros, and an address.
    { ...first, index: 1, evmAddress: bytes(20, 5), data: bytes(2, 8), topic1: bytes(1, 2), topic2: bytes(0, 0) },
    { ...first, consensusTimestamp: 1_700_000_001_000_000_001n, topic0: null, data: bytes(0, 0) },
    { ...first, blockHash: 'cd'.repeat(48), blockNumber: 18n, transactionHash: null, transactionIndex: null },
    { ...first, blockHash: null, blockNumber: null, blockStart: null, transactionHash: bytes(32, 4) },
  ];
  expect(`[${writeLogs(rows)}]`).toBe(JSON.stringify(rows.map(toListedLog)));
});
