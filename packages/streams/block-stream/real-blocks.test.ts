// Blocks of real networks, where they are at hand: roots and chains of both generations, wrapped record files as they
// were signed, transactions with what a block leaves out.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { gunzip } from '../../protocol/gunzip.ts';
import { toBigInt } from '../../protocol/hapi/hapi.ts';
import { readRecordFile } from '../record-stream/record-file.ts';
import { type Block, readRounds, toBlock } from './block.ts';
import { itemKinds, splitBlock } from './block-item.ts';
import { readBlockTransactions } from './block-transactions.ts';
import { decodeBlockTransaction } from './decode-block-transaction.ts';
import { createHashTree, emptyTree } from './hash-tree.ts';
import { readOpeningState } from './opening-state.ts';
import { unpackBlockFile } from './unpack-block-file.ts';
import { wrapRecordFile } from './wrapped-block.ts';
import { readWrappedRecord } from './wrapped-record.ts';

const data = fileURLToPath(new URL('../../../../shared/data/', import.meta.url));

function readFolder(name: string): Block[] {
  const folder = `${data}blocks/${name}/`;
  return readdirSync(folder)
    .sort()
    .map((file) => toBlock(splitBlock(unpackBlockFile(readFileSync(folder + file)))));
}

const hex = (hash: Buffer | null | undefined) => hash?.toString('hex').slice(0, 12);

describe.skipIf(!existsSync(data))('blocks of real networks (skipped without ../shared/data)', () => {
  it.each([
    ['consensus-node-0.73', 'eight', ['signedBlockProof']],
    ['consensus-node-0.78', 'sixteen', ['signedBlockProof', 'blockStateProof']],
  ] as const)('%s: each footer names the %s-leaf root before it and the tree of all before', (name, form, proofs) => {
    const blocks = readFolder(name);
    const tree = createHashTree();
    let previous = emptyTree;
    for (const [index, block] of blocks.entries()) {
      expect(block.number).toBe(BigInt(index));
      expect(hex(block.footer.previousBlockRootHash)).toBe(hex(previous));
      expect(hex(block.footer.rootHashOfAllBlockHashesTree)).toBe(hex(tree.root()));
      previous = block.roots[form]!;
      tree.add(previous);
    }
    const kinds = blocks.flatMap((block) =>
      block.proofs.flatMap((proof) => Object.keys(proof).filter((key) => key !== 'block')),
    );
    expect(new Set(kinds)).toEqual(new Set(proofs));
  });

  it('transactions get ids, and those that nodes send each other are left out', () => {
    const genesis = readBlockTransactions(readFolder('consensus-node-0.78')[0]!.items).transactions;
    const items = genesis.map((made, index) => decodeBlockTransaction(made, index).item);
    const accounts = items.flatMap(({ record }) => record.receipt?.accountID ?? []);
    expect(new Set(accounts.map(({ accountNum }) => toBigInt(accountNum))).size).toBe(705);
    expect(items.filter(({ type }) => type === 54).map(({ record }) => toBigInt(record.receipt?.nodeId))).toEqual([
      0n,
      1n,
      2n,
      3n,
    ]);
    const files = items
      .filter(({ type }) => type === 17)
      .map(({ record }) => toBigInt(record.receipt?.fileID?.fileNum));
    expect(files.slice(0, 5)).toEqual([101n, 102n, 111n, 112n, 113n]);
    const third = readFolder('consensus-node-0.78')[2]!;
    const later = readBlockTransactions(third.items).transactions.map(
      (made, index) => decodeBlockTransaction(made, index).item,
    );
    const topics = later
      .filter(({ type }) => type === 24)
      .map(({ record }) => toBigInt(record.receipt?.topicID?.topicNum));
    expect(topics).toEqual([1202n, 1203n, 1204n, 1205n, 1206n]);
    const message = later.find(({ type }) => type === 27)!.record.receipt!;
    expect([toBigInt(message.topicSequenceNumber), message.topicRunningHash?.length]).toEqual([1n, 48]);
    expect(readRounds(third.items)!.first).toBeLessThan(readRounds(third.items)!.last);
  });

  it('a wrapped record file has the bytes that nodes signed, and wraps into the same items again', () => {
    const block = readFolder('wrapped-mainnet')[1]!;
    const content = block.items.find(({ kind }) => kind === itemKinds.recordFile)!.content;
    const wrapped = readWrappedRecord(content, 6);
    const node = `${data}streams/mainnet-2025-07-23/recordstreams/record0.0.3/`;
    const stored = gunzip(readFileSync(`${node}${wrapped.name}.gz`), 'record file');
    expect(wrapped.bytes.equals(stored)).toBe(true);
    const sidecar = gunzip(readFileSync(`${node}sidecar/${wrapped.name.replace('.rcd', '_01.rcd.gz')}`), 'sidecar');
    const again = wrapRecordFile({
      number: block.number,
      file: readRecordFile(stored),
      bytes: stored,
      creationTime: block.timestamp,
      sidecars: [sidecar],
      previousRoot: emptyTree,
      allBlocksRoot: emptyTree,
    });
    expect(hex(again.root)).toBe(hex(block.roots.sixteen));
    expect(again.items).toEqual(block.items.slice(0, 3));
  });

  it('a genesis block opens with the whole supply', () => {
    const state = readOpeningState(readFolder('wrapped-mainnet-genesis')[0]!.items, [])!;
    expect([state.accounts.length, state.files.length, state.bytecodes.length, state.slots.length]).toEqual([
      15_368, 130, 101, 767,
    ]);
    const sum = state.accounts.reduce((total, { tinybarBalance }) => total + toBigInt(tinybarBalance), 0n);
    expect(sum).toBe(5_000_000_000_000_000_000n);
  });
});
