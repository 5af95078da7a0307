// The published stream, laid out like a network's bucket: recordstreams/record<account>/ with data files, signatures and
// sidecars. A signature appears only after the data it signs; what is published never changes, old blocks may go.
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { formatEntityId } from '../protocol/hapi/entity-id.ts';
import type { proto } from '../protocol/hapi/hapi.ts';
import { writeRecordFileV6 } from '../protocol/record-stream/record-file-v6.ts';
import { writeSidecarFile } from '../protocol/record-stream/sidecar-file.ts';
import { writeSignatureFileV6 } from '../protocol/record-stream/signature-file.ts';
import { recordFileName, sidecarFileName, signatureFileName } from '../protocol/record-stream/stream-file-name.ts';
import type { SemanticVersion } from '../protocol/stream-block.ts';
import { createFileOnce, isUnfinishedFile } from './atomic-file.ts';
import type { SigningNode } from './node-keys.ts';
import type { StreamItem } from './stream-item.ts';

type PublishedBlock = { name: string; endRunningHash: Buffer; sizeBytes: number };

export type StreamFolder = {
  publish(block: { number: bigint; startRunningHash: Buffer; items: readonly StreamItem[] }): Promise<PublishedBlock>;
  /** Deletes all but the newest blocks. */
  prune(keepBlocks: number): Promise<void>;
};

type Options = { folder: string; nodes: readonly SigningNode[]; hapiVersion: SemanticVersion };

export async function openStreamFolder({ folder, nodes, hapiVersion }: Options): Promise<StreamFolder> {
  const folders = nodes.map((node) => join(folder, 'recordstreams', `record${formatEntityId(node.accountId)}`));
  for (const nodeFolder of folders) {
    await mkdir(join(nodeFolder, 'sidecar'), { recursive: true });
    await removeUnfinished(nodeFolder);
  }

  return {
    publish: async ({ number, startRunningHash, items }) => {
      const name = recordFileName(items[0]!.consensusTimestamp);
      const sidecarRecords = items.flatMap(({ sidecars }) => sidecars);
      const sidecar = sidecarRecords.length > 0 ? writeSidecarFile(sidecarRecords) : null;
      const file = writeRecordFileV6({
        hapiVersion,
        startRunningHash,
        items,
        blockNumber: number,
        sidecars: sidecar ? [{ id: 1, types: sidecarTypes(sidecarRecords), hash: sidecar.hash }] : [],
      });
      const compressed = file.gzip();
      const compressedSidecar = sidecar ? gzipSync(sidecar.bytes) : null;
      for (const nodeFolder of folders) {
        if (compressedSidecar)
          await createFileOnce(join(nodeFolder, 'sidecar', sidecarFileName(name, 1)), compressedSidecar);
        await createFileOnce(join(nodeFolder, name), compressed);
      }
      for (const [index, node] of nodes.entries()) {
        const signature = writeSignatureFileV6(
          { hash: file.fileHash, signature: node.sign(file.fileHash) },
          { hash: file.metadataHash, signature: node.sign(file.metadataHash) },
        );
        await createFileOnce(join(folders[index]!, signatureFileName(name)), signature);
      }
      return { name, endRunningHash: file.endRunningHash, sizeBytes: compressed.length };
    },
    prune: async (keepBlocks) => {
      for (const nodeFolder of folders) {
        const data = (await readdir(nodeFolder)).filter((name) => name.endsWith('.rcd.gz')).sort();
        for (const name of data.slice(0, Math.max(0, data.length - keepBlocks))) {
          // The signature goes first: a block without one is not offered to anybody.
          await rm(join(nodeFolder, signatureFileName(name)), { force: true });
          await rm(join(nodeFolder, 'sidecar', sidecarFileName(name, 1)), { force: true });
          await rm(join(nodeFolder, name), { force: true });
        }
      }
    },
  };
}

/** What a kill left half-written. */
async function removeUnfinished(nodeFolder: string): Promise<void> {
  for (const folder of [nodeFolder, join(nodeFolder, 'sidecar')]) {
    const unfinished = (await readdir(folder)).filter(isUnfinishedFile);
    for (const name of unfinished) await rm(join(folder, name));
  }
}

/** SidecarType numbers: 1 state change, 2 action, 3 bytecode. */
function sidecarTypes(records: readonly proto.ITransactionSidecarRecord[]): number[] {
  return [
    ...(records.some(({ stateChanges }) => stateChanges) ? [1] : []),
    ...(records.some(({ actions }) => actions) ? [2] : []),
    ...(records.some(({ bytecode }) => bytecode) ? [3] : []),
  ];
}
