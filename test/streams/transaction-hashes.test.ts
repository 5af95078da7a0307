// Transaction hashes of all blocks of real networks, against those that another protobuf package leads to.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';
import { itemKinds, splitBlock } from '../../packages/streams/block-stream/block-item.ts';
import { readBlockTransactions } from '../../packages/streams/block-stream/block-transactions.ts';
import { decodeBlockTransaction } from '../../packages/streams/block-stream/decode-block-transaction.ts';
import { unpackBlockFile } from '../../packages/streams/block-stream/unpack-block-file.ts';
import { proto as hiero } from '../../packages/test-support/streams/hiero-proto.ts';
import { findRealData } from '../../packages/test-support/streams/real-data.ts';

const data = findRealData('blocks');

/** Field 3 of SignedTransaction, which the package may not know: a varint behind the other fields. */
function independentHash(bytes: Buffer): { hash: string; isFlagged: boolean } {
  const { bodyBytes, sigMap } = hiero.SignedTransaction.decode(bytes);
  const plain = hiero.SignedTransaction.encode({ bodyBytes, sigMap }).finish();
  const isFlagged = bytes.length === plain.length + 2 && bytes.subarray(-2).equals(Buffer.of(0x18, 1));
  const hashed = isFlagged ? hiero.Transaction.encode({ bodyBytes, sigMap }).finish() : bytes;
  return { hash: createHash('sha384').update(hashed).digest('hex'), isFlagged };
}

describe.skipIf(data.isAbsent)(`blocks of real networks${data.hint}`, () => {
  it.each([
    ['consensus-node-0.73', 767, 5],
    ['consensus-node-0.77', 768, 1],
    ['consensus-node-0.78', 1_060, 129],
    ['consensus-node-0.78-settled', 792, 10],
  ])('%s', (name, count, flagged) => {
    const seen = { count: 0, flagged: 0 };
    for (const file of readdirSync(join(data.path, name))) {
      const items = splitBlock(unpackBlockFile(readFileSync(join(data.path, name, file))));
      const followed = items.filter(({ kind }, at) => {
        const next = items.slice(at + 1).find((item) => [4, 5].includes(item.kind));
        return kind === itemKinds.signedTransaction && next?.kind === itemKinds.transactionResult;
      });
      const expected = followed.map(({ content }) => independentHash(content));
      const { transactions } = readBlockTransactions(items);
      const found = transactions.map((made, index) => decodeBlockTransaction(made, index).item.record.transactionHash!);
      expect(found.map((hash) => Buffer.from(hash).toString('hex'))).toEqual(expected.map(({ hash }) => hash));
      seen.count += expected.length;
      seen.flagged += expected.filter(({ isFlagged }) => isFlagged).length;
    }
    expect(seen).toEqual({ count, flagged });
  });
});
