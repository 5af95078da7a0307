// The published stream: record files laid out like a network's bucket (recordstreams/record<account>/ with data files,
// signatures and sidecars), blocks that wrap them, or blocks of a block stream, all of one ledger. A signature is
// published after the data that it signs. Published files never change; old ones may be deleted.

import { existsSync } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { itemKinds, writeItem } from '../../../src/protocol/block-stream/block-item.ts';
import { computeBlockRoots } from '../../../src/protocol/block-stream/block-root.ts';
import { emptyTree } from '../../../src/protocol/block-stream/hash-tree.ts';
import { wrapRecordFile } from '../../../src/protocol/block-stream/wrapped-block.ts';
import { formatEntityId } from '../../../src/protocol/hapi/entity-id.ts';
import { toTimestampMessage } from '../../../src/protocol/hapi/timestamp.ts';
import { computeObjectRunningHash } from '../../../src/protocol/record-stream/object-running-hash.ts';
import { readRecordFile } from '../../../src/protocol/record-stream/record-file.ts';
import { sidecarFileName } from '../../../src/protocol/record-stream/stream-file-name.ts';
import type { SemanticVersion } from '../../../src/protocol/stream/stream-block.ts';
import { bytesField, intField, messageField } from '../../../src/protocol/wire-writer.ts';
import { toBlockStreamItems } from '../block-stream/block-stream-items.ts';
import { joinFields } from '../block-stream/message-fields.ts';
import { redactItems } from '../block-stream/redact-items.ts';
import { recordFileProof, writeBlock } from '../formats/block-file.ts';
import { recordFileName, signatureFileName } from '../formats/stream-file-names.ts';
import { writeRecordFileV6 } from '../formats/write-record-file.ts';
import { writeSidecarFile } from '../formats/write-sidecar-file.ts';
import { writeSignatureFileV6 } from '../formats/write-signature-file.ts';
import type { StreamUnit } from '../run/stream-unit.ts';
import { createFileOnce, isUnfinishedFile } from './atomic-file.ts';
import { allBlocksRoot, type BlockChainState } from './block-chain.ts';
import type { SigningNode } from './node-keys.ts';

type PublishedBlock = { name: string; endRunningHash: Buffer; root: Buffer; sizeBytes: number };

type BlockContent = {
  number: bigint;
  startRunningHash: Buffer;
  chain: BlockChainState;
  /** The first free entity number after the block. */
  nextEntity: bigint;
  units: readonly StreamUnit[];
};

export type StreamFormat = 'records' | 'wrapped' | 'blocks';

export type StreamFolder = {
  publish(block: BlockContent): Promise<PublishedBlock>;
  /** Deletes all but the newest blocks. */
  prune(keepBlocks: number): Promise<void>;
};

type Options = {
  folder: string;
  nodes: readonly SigningNode[];
  hapiVersion: SemanticVersion;
  format: StreamFormat;
  /** From this block on a block stream; null = never. */
  cutoverAt: bigint | null;
  /** One in this many items of a block stream is redacted; null = none. */
  redactEvery: number | null;
};

export async function openStreamFolder(options: Options): Promise<StreamFolder> {
  const { folder, nodes, format, cutoverAt, hapiVersion } = options;
  const folders = nodes.map((node) => join(folder, 'recordstreams', `record${formatEntityId(node.accountId)}`));
  const blocksFolder = join(folder, 'blocks');
  const writesRecords = format === 'records';
  if (!writesRecords || cutoverAt !== null) await mkdir(blocksFolder, { recursive: true });
  for (const nodeFolder of writesRecords ? folders : []) {
    await mkdir(join(nodeFolder, 'sidecar'), { recursive: true });
    await removeUnfinished(nodeFolder);
  }

  async function putBlock(number: bigint, bytes: Buffer): Promise<{ name: string; sizeBytes: number }> {
    const name = `${number.toString().padStart(19, '0')}.blk.gz`;
    const stored = gzipSync(bytes);
    await createFileOnce(join(blocksFolder, name), stored);
    return { name, sizeBytes: stored.length };
  }

  return {
    publish: async (content) => {
      const { number, startRunningHash, chain, units } = content;
      const items = units.flatMap((unit) => unit.items);
      const creationTime = items[0]!.consensusTimestamp;
      if (format === 'blocks' || (cutoverAt !== null && number >= cutoverAt)) {
        const endRunningHash = computeObjectRunningHash(startRunningHash, items);
        const block = writeStreamBlock(content, creationTime, options);
        return { ...(await putBlock(number, block.bytes)), endRunningHash, root: block.root };
      }
      const sidecarRecords = items.flatMap(({ sidecars }) => sidecars);
      const sidecar = sidecarRecords.length > 0 ? writeSidecarFile(sidecarRecords) : null;
      const bytes = writeRecordFileV6({
        hapiVersion,
        startRunningHash,
        items,
        blockNumber: number,
        sidecars: sidecar ? [{ id: 1, types: sidecar.types, hash: sidecar.hash }] : [],
      });
      const file = readRecordFile(bytes);
      const endRunningHash = file.hash;
      const wrapped = wrapRecordFile({
        number,
        file,
        bytes,
        creationTime,
        sidecars: sidecar ? [sidecar.bytes] : [],
        previousRoot: chain.lastRoot,
        allBlocksRoot: allBlocksRoot(chain),
      });
      if (format === 'wrapped') {
        const signatures = nodes.map((node) => ({ nodeId: node.nodeId, signature: node.sign(file.fileHash) }));
        const proof = recordFileProof(number, file.version, signatures);
        const block = writeBlock([...wrapped.items, proof]);
        return { ...(await putBlock(number, block)), endRunningHash, root: wrapped.root };
      }
      const name = recordFileName(creationTime);
      const compressed = gzipSync(bytes);
      const compressedSidecar = sidecar ? gzipSync(sidecar.bytes) : null;
      for (const nodeFolder of folders) {
        if (compressedSidecar)
          await createFileOnce(join(nodeFolder, 'sidecar', sidecarFileName(name, 1)), compressedSidecar);
        await createFileOnce(join(nodeFolder, name), compressed);
      }
      for (const [index, node] of nodes.entries()) {
        const signature = writeSignatureFileV6(
          { hash: file.fileHash, signature: node.sign(file.fileHash) },
          { hash: file.metadataHash!, signature: node.sign(file.metadataHash!) },
        );
        await createFileOnce(join(folders[index]!, signatureFileName(name)), signature);
      }
      return { name, endRunningHash, root: wrapped.root, sizeBytes: compressed.length };
    },
    prune: async (keepBlocks) => {
      if (existsSync(blocksFolder)) {
        const blocks = (await readdir(blocksFolder)).filter((name) => name.endsWith('.blk.gz')).sort();
        for (const name of blocks.slice(0, Math.max(0, blocks.length - keepBlocks))) await rm(join(blocksFolder, name));
      }
      for (const nodeFolder of folders.filter(existsSync)) {
        const data = (await readdir(nodeFolder)).filter((name) => name.endsWith('.rcd.gz')).sort();
        for (const name of data.slice(0, Math.max(0, data.length - keepBlocks))) {
          // The signature first: a block without signatures is not read.
          await rm(join(nodeFolder, signatureFileName(name)), { force: true });
          await rm(join(nodeFolder, 'sidecar', sidecarFileName(name, 1)), { force: true });
          await rm(join(nodeFolder, name), { force: true });
        }
      }
    },
  };
}

/**
 * The proof is a signature of the first node: the threshold signatures of real networks cannot be verified here either.
 */
function writeStreamBlock(
  { number, chain, units, nextEntity }: BlockContent,
  timestamp: bigint,
  { hapiVersion, nodes, redactEvery }: Options,
): { bytes: Buffer; root: Buffer } {
  // In the order of their fields.
  const footer = {
    previousBlockRootHash: chain.lastRoot,
    rootHashOfAllBlockHashesTree: allBlocksRoot(chain),
    startOfBlockStateRootHash: emptyTree,
  };
  const header = { number, timestamp, hapiVersion };
  const blockItems = toBlockStreamItems({ header, units, nodes, nextEntity });
  const root = computeBlockRoots(blockItems, footer, toTimestampMessage(timestamp)).sixteen;
  const proof = [intField(1, number), messageField(2, [bytesField(1, nodes[0]!.sign(root))])];
  const bytes = writeBlock([
    ...(redactEvery === null ? blockItems : redactItems(blockItems, redactEvery)),
    writeItem(
      itemKinds.blockFooter,
      joinFields(Object.values(footer).map((hash, index) => bytesField(index + 1, hash))),
    ),
    writeItem(itemKinds.blockProof, Buffer.concat(proof.flat())),
  ]);
  return { bytes, root };
}

/** Removes files that a kill left half-written. */
async function removeUnfinished(nodeFolder: string): Promise<void> {
  for (const folder of [nodeFolder, join(nodeFolder, 'sidecar')]) {
    const unfinished = (await readdir(folder)).filter(isUnfinishedFile);
    for (const name of unfinished) await rm(join(folder, name));
  }
}
