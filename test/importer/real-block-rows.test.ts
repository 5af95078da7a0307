// Rows of transactions that only block streams of real networks have been seen with.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { splitBlock } from '../../packages/streams/block-stream/block-item.ts';
import { readBlockTransactions } from '../../packages/streams/block-stream/block-transactions.ts';
import { decodeBlockTransaction } from '../../packages/streams/block-stream/decode-block-transaction.ts';
import { unpackBlockFile } from '../../packages/streams/block-stream/unpack-block-file.ts';
import { importBlockRows, toBlock } from '../../packages/test-support/streams/import-transactions.ts';
import { findRealData } from '../../packages/test-support/streams/real-data.ts';

const data = findRealData('blocks');

describe.skipIf(data.isAbsent)(`a genesis block of a real network${data.hint}`, () => {
  it.each([
    ['consensus-node-0.73', 3, '/rqx1DvfjDtUXA6jNNczMHZtLSRGzpPNmPB+8yEhXQo='],
    ['consensus-node-0.78', 4, 'LTQjMOdmsr7m2MFHOTqml/wPjC2I5lJgr5ruC+G/sgU='],
  ])('%s publishes its ledger id, with a weight for each node', async (folder, nodeCount, ledgerId) => {
    const block = splitBlock(unpackBlockFile(readFileSync(join(data.path, folder, '0.blk.gz'))));
    const items = readBlockTransactions(block).transactions.map(
      (made, index) => decodeBlockTransaction(made, index).item,
    );
    const { rows } = await importBlockRows(toBlock(items, { major: 0, minor: 78, patch: 0 }));
    const [ledger, ...more] = rows('ledger');
    expect(more).toEqual([]);
    expect(Buffer.from(ledger!.ledger_id!).toString('base64')).toBe(ledgerId);
    const contributions = ledger!.node_contributions as {
      node_id: bigint;
      weight: bigint;
      history_proof_key: string;
    }[];
    expect(contributions.map(({ node_id }) => node_id)).toEqual([...Array(nodeCount).keys()].map(BigInt));
    expect(contributions.every(({ weight, history_proof_key: key }) => weight > 0n && key.length > 0)).toBe(true);
    expect(rows('node').map(({ node_id, associated_registered_nodes: ids }) => [node_id, ids])).toEqual(
      contributions.map(({ node_id }) => [node_id, []]),
    );
  });
});
