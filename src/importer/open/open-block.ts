// The record files of one moment → one checked block: signed, the successor of the last file, with whole items and
// sidecars. Nothing unproved leaves this function; the proofs are returned with the block.

import type { StreamFileGroup, StreamSource } from '../../../packages/sources/stream-source.ts';
import type { WrappedBlockParts } from '../../../packages/streams/block-stream/wrapped-block.ts';
import type { RecordSignatures } from '../../../packages/streams/record-stream/record-signatures.ts';
import type { Doubt } from '../../../packages/streams/stream/doubt.ts';
import type { StreamBlock } from '../../../packages/streams/stream/stream-block.ts';
import { type BlockVerification, provedBySignatures, signaturesNotChecked } from './block-verification.ts';
import { appliedChecks } from './check-record-file.ts';
import { readRecordCopy } from './read-record-copy.ts';
import { type ReadSidecar, readSidecars } from './read-sidecars.ts';
import type { SignaturesAhead } from './signatures-ahead.ts';
import type { Signers } from './signers.ts';
import { StreamCheckError, type StreamCheckFailure } from './stream-check-error.ts';
import { toRecordBlock } from './to-record-block.ts';
import type { VerifiedSignatures } from './verify-signatures.ts';

export type OpenBlockOptions = {
  source: StreamSource;
  group: StreamFileGroup;
  /** null: signatures are not checked, and the report says so. */
  signers: Signers | null;
  signatures: SignaturesAhead;
  /** `hash` of the last block; null without one: then the file's own previous hash is accepted. */
  previousHash: Buffer | null;
};

/** `wrap`: the parts of the block around the record file. */
export type OpenedBlock = {
  block: StreamBlock;
  verification: BlockVerification;
  wrap: Omit<WrappedBlockParts, 'number' | 'previousRoot' | 'allBlocksRoot'>;
  /** Those that were read. */
  signed: RecordSignatures;
};

/** Throws StreamCheckError if the files do not prove a block. */
export async function openBlock(options: OpenBlockOptions): Promise<OpenedBlock> {
  const { source, group, signers, previousHash } = options;
  const signatures = signers ? await options.signatures.verify(group, signers) : uncheckedSignatures(group);
  const failures: StreamCheckFailure[] = [];
  for (const signed of signatures.files) {
    const expected = { fileHash: signed.fileHash, metadataHash: signed.metadataHash, previousHash };
    // A copy with the right hash is good: nodes whose signature is missing are asked last.
    const copies = [...new Set([...signed.copies, ...group.copies])];
    for (const copy of copies) {
      const read = await readRecordCopy(source, copy, expected);
      if ('code' in read) {
        failures.push(read);
        continue;
      }
      const others = [copy, ...copies.filter((other) => other !== copy)];
      const { file, bytes, name } = read;
      const sidecars = await readSidecars({ source, copies: others, recordName: name, sidecars: file.sidecars });
      const doubts: Doubt[] = [];
      const { sizeBytes } = read;
      const timeIfEmpty = group.timestamp;
      const block = await toRecordBlock(file, { name, sidecars, sizeBytes, timeIfEmpty, doubts });
      return {
        block,
        signed: signed.signatures,
        wrap: { file, bytes, creationTime: group.timestamp, sidecars: inOrderOfId(sidecars) },
        verification: {
          proofs: [signers ? provedBySignatures(signatures, signed.stake, signers) : signaturesNotChecked()],
          node: copy.node.name,
          checks: [
            ...(signers ? ['signatures' as const] : []),
            ...appliedChecks(file, expected),
            ...(sidecars.length > 0 ? ['sidecar' as const] : []),
          ],
          rejected: [...signatures.rejected, ...failures, ...sidecars.flatMap((sidecar) => sidecar.rejected)],
          problems: [],
          doubts,
        },
      };
    }
  }
  throw new StreamCheckError(mostInformativeFirst(failures));
}

function inOrderOfId(sidecars: readonly ReadSidecar[]): Buffer[] {
  return sidecars.toSorted((a, b) => a.info.id - b.info.id).map(({ bytes }) => bytes);
}

function uncheckedSignatures(group: StreamFileGroup): VerifiedSignatures {
  const signatures = { file: [], metadata: [] };
  const files = [{ fileHash: null, metadataHash: null, copies: group.copies, stake: 0n, signatures }];
  return { files, verified: 0, present: 0, rejected: [] };
}

// The failure of a copy that was read is more informative than that of a missing one.
function mostInformativeFirst(failures: StreamCheckFailure[]): [StreamCheckFailure, ...StreamCheckFailure[]] {
  const sorted = failures.toSorted((a, b) => Number(a.code === 'missing') - Number(b.code === 'missing'));
  return sorted as [StreamCheckFailure, ...StreamCheckFailure[]];
}
