// The published stream: record files laid out like a network's bucket (recordstreams/record<account>/ with data files,
// signatures and sidecars), blocks that wrap them, or blocks of a block stream, all of one ledger. A signature is
// published after the data that it signs. Published files never change; old ones may be deleted.

import { existsSync } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { formatEntityId } from '../../protocol/hapi/entity-id.ts';
import { toTimestampMessage } from '../../protocol/hapi/timestamp.ts';
import { bytesField } from '../../protocol/wire-writer.ts';
import { itemKinds, writeItem } from '../../streams/block-stream/block-item.ts';
import { emptyTree } from '../../streams/block-stream/hash-tree.ts';
import { wrapRecordFile } from '../../streams/block-stream/wrapped-block.ts';
import { computeObjectRunningHash } from '../../streams/record-stream/object-running-hash.ts';
import { readRecordFile } from '../../streams/record-stream/record-file.ts';
import { sidecarFileName } from '../../streams/record-stream/stream-file-name.ts';
import type { SemanticVersion } from '../../streams/stream/stream-block.ts';
import { toBlockStreamItems } from '../block-stream/block-stream-items.ts';
import { writeConstruction } from '../block-stream/hints-construction.ts';
import { joinFields } from '../block-stream/message-fields.ts';
import type { StateForm } from '../block-stream/partial-state.ts';
import { redactItems } from '../block-stream/redact-items.ts';
import { recordFileProof, writeBlock } from '../formats/block-file.ts';
import { recordFileName, signatureFileName } from '../formats/stream-file-names.ts';
import { writeRecordFileV6 } from '../formats/write-record-file.ts';
import { writeSidecarFile } from '../formats/write-sidecar-file.ts';
import { writeSignatureFileV6 } from '../formats/write-signature-file.ts';
import { proveBlocks, type UnprovedBlock } from '../proofs/block-proofs.ts';
import type { BlockSigner } from '../proofs/block-signer.ts';
import { type BlockTree, createBlockTree } from '../proofs/block-tree.ts';
import type { StreamUnit } from '../run/stream-unit.ts';
import { createFileOnce, isUnfinishedFile } from './atomic-file.ts';
import { allBlocksRoot, type BlockChainState } from './block-chain.ts';
import type { KeyRotation } from './journal.ts';
import type { SigningNode } from './node-keys.ts';

type PublishedBlock = {
  name: string;
  endRunningHash: Buffer;
  root: Buffer;
  /** Blocks that wait for a proof, this one among them or none. */
  unproved: readonly UnprovedBlock[];
};

type BlockContent = {
  number: bigint;
  startRunningHash: Buffer;
  chain: BlockChainState;
  /** The first free entity number after the block. */
  nextEntity: bigint;
  units: readonly StreamUnit[];
  unproved: readonly UnprovedBlock[];
  /** Not signed: published with the next block of a block stream that is. */
  isProvedLater: boolean;
  /** Which hinTS key signs, and what the state says of the next one. */
  keyNumber: number;
  rotation: KeyRotation | null;
};

export type StreamFormat = 'records' | 'wrapped' | 'blocks';

export type StreamFolder = {
  publish(block: BlockContent): Promise<PublishedBlock>;
  /** Whether the block is one of a block stream whose ledger id allows other hinTS keys. */
  canRotateAt(block: bigint): boolean;
  /** Deletes all but the newest blocks. */
  prune(keepBlocks: number): Promise<void>;
};

type Options = {
  folder: string;
  nodes: readonly SigningNode[];
  signer: BlockSigner;
  hapiVersion: SemanticVersion;
  format: StreamFormat;
  /** From this block on a block stream; null = never. */
  cutoverAt: bigint | null;
  /** One in this many items of a block stream is redacted; null = none. */
  redactEvery: number | null;
  stateForm: StateForm;
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

  const isOfBlockStream = (number: bigint) => format === 'blocks' || (cutoverAt !== null && number >= cutoverAt);
  const putBlock = (number: bigint, bytes: Buffer) =>
    createFileOnce(join(blocksFolder, blockFileName(number)), gzipSync(bytes));

  return {
    publish: async (content) => {
      const { number, startRunningHash, chain, units, unproved } = content;
      const items = units.flatMap((unit) => unit.items);
      const creationTime = items[0]!.consensusTimestamp;
      if (isOfBlockStream(number)) {
        const endRunningHash = computeObjectRunningHash(startRunningHash, items);
        const block = writeStreamBlock(content, creationTime, options);
        const signature = content.isProvedLater
          ? null
          : options.signer.sign(block.tree.root, number, content.keyNumber);
        const { proved, waiting } = proveBlocks(unproved, { number, ...block }, signature);
        for (const { number, bytes } of proved) await putBlock(number, bytes);
        return { name: blockFileName(number), endRunningHash, root: block.tree.root, unproved: waiting };
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
        await putBlock(number, block);
        return { name: blockFileName(number), endRunningHash, root: wrapped.root, unproved };
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
      return { name, endRunningHash, root: wrapped.root, unproved };
    },
    canRotateAt: (block) => options.signer.canRotate && isOfBlockStream(block),
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

const blockFileName = (number: bigint) => `${number.toString().padStart(19, '0')}.blk.gz`;

/** All but the proof. */
function writeStreamBlock(
  content: BlockContent,
  timestamp: bigint,
  { hapiVersion, nodes, redactEvery, signer, stateForm }: Options,
): { bytes: Buffer; tree: BlockTree; timestampBytes: Buffer } {
  const { number, chain, units, nextEntity } = content;
  // In the order of their fields: roots of the block before, of all blocks and of the state.
  const footer = [chain.lastRoot, allBlocksRoot(chain), emptyTree];
  const header = { number, timestamp, hapiVersion };
  const ofKeys = writeKeys(content, signer);
  const blockItems = toBlockStreamItems({ header, units, nodes, nextEntity, stateForm, ofKeys });
  const timestampBytes = toTimestampMessage(timestamp);
  const bytes = writeBlock([
    ...(redactEvery === null ? blockItems : redactItems(blockItems, redactEvery)),
    writeItem(itemKinds.blockFooter, joinFields(footer.map((hash, index) => bytesField(index + 1, hash)))),
  ]);
  return { bytes, tree: createBlockTree(blockItems, footer, timestampBytes), timestampBytes };
}

/** What the state says of hinTS keys, where that changes. */
function writeKeys({ number, units, keyNumber, rotation }: BlockContent, { canRotate, keyOf }: BlockSigner) {
  if (!canRotate || (number !== 0n && rotation === null)) return [];
  const time = units.at(-1)!.items.at(-1)!.consensusTimestamp;
  const construction = (key: number) => ({ number: key, ...keyOf(key) });
  if (rotation === 'named') return [writeConstruction(time, 'next', construction(keyNumber + 1))];
  return [writeConstruction(time, 'active', construction(keyNumber)), writeConstruction(time, 'next', null)];
}

/** Removes files that a kill left half-written. */
async function removeUnfinished(nodeFolder: string): Promise<void> {
  for (const folder of [nodeFolder, join(nodeFolder, 'sidecar')]) {
    const unfinished = (await readdir(folder)).filter(isUnfinishedFile);
    for (const name of unfinished) await rm(join(folder, name));
  }
}
