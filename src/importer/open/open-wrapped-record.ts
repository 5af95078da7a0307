// The record file in a wrapped record block, proved as the file itself would be: its bytes as the nodes signed them,
// their signatures from the block's proof, the chain of running hashes, sidecars by the hashes that the file names.

import { toBigInt } from '../../../packages/protocol/hapi/hapi.ts';
import { StreamFileError } from '../../../packages/protocol/stream-file-error.ts';
import type { StreamBlockFile } from '../../../packages/sources/stream-source.ts';
import type { Block } from '../../../packages/streams/block-stream/block.ts';
import type { BlockStreamItem } from '../../../packages/streams/block-stream/block-item.ts';
import type { BlockMessages } from '../../../packages/streams/block-stream/block-messages.generated.ts';
import { readOpeningState } from '../../../packages/streams/block-stream/opening-state.ts';
import { readWrappedRecord, type WrappedRecord } from '../../../packages/streams/block-stream/wrapped-record.ts';
import { readSidecarFile } from '../../../packages/streams/record-stream/sidecar-file.ts';
import type { SignedHash } from '../../../packages/streams/record-stream/signature-file.ts';
import { parseStreamFileName, sidecarFileName } from '../../../packages/streams/record-stream/stream-file-name.ts';
import type { Doubt } from '../../../packages/streams/stream/doubt.ts';
import type { StreamBlock } from '../../../packages/streams/stream/stream-block.ts';
import {
  type BlockVerification,
  provedBySignatures,
  signaturesNotChecked,
  type UnitProof,
} from './block-verification.ts';
import { appliedChecks, checkRecordFile } from './check-record-file.ts';
import type { ReadSidecar } from './read-sidecars.ts';
import { type Signer, type Signers, sumStake } from './signers.ts';
import {
  failureOf,
  findFault,
  readPart,
  type StreamCheck,
  StreamCheckError,
  type StreamCheckFailure,
} from './stream-check-error.ts';
import { toRecordBlock } from './to-record-block.ts';
import { isSignedBy } from './verify-signatures.ts';
import type { ChainPosition } from './wrapped-chain.ts';

export type OpenWrappedRecordOptions = {
  file: StreamBlockFile;
  block: Block;
  recordFile: BlockStreamItem;
  signers: Signers | null;
  last: ChainPosition | null;
  /** Of the block; passed checks are added. */
  checks: StreamCheck[];
  problems: string[];
};

/** Throws StreamCheckError. */
export async function openWrappedRecord(
  options: OpenWrappedRecordOptions,
): Promise<{ block: StreamBlock; verification: BlockVerification }> {
  const { file, block, recordFile, signers, last, checks, problems } = options;
  const proof = block.proofs.find(({ signedRecordFileProof }) => signedRecordFileProof)?.signedRecordFileProof;
  if (!proof) throw failed('signatures', file, 'signatures of the record file in it', 'none');
  const wrapped = readWhole(file, () => readWrappedRecord(recordFile.content, proof.version));
  const expected = { fileHash: null, metadataHash: null, previousHash: last && !last.isBlockStream ? last.hash : null };
  const failure = checkRecordFile(wrapped.file, expected);
  if (failure) throw failed(failure.code, file, failure.expected, failure.found);
  const signed = signers ? await countSignatures(file, wrapped, proof.recordFileSignatures, signers) : null;
  const sidecars = checkSidecars(file, wrapped);
  const doubts: Doubt[] = [];
  const openingState = block.number === 0n ? readOpeningState(block.items, doubts) : null;
  const recordBlock = await toRecordBlock(wrapped.file, {
    name: wrapped.name,
    items: wrapped.items,
    sidecars,
    sizeBytes: wrapped.bytes.length,
    timeIfEmpty: parseStreamFileName(wrapped.name)?.timestamp ?? block.timestamp,
    doubts,
  });
  return {
    block: {
      ...recordBlock,
      blockNumber: block.number,
      wrapped: { root: block.roots.sixteen, previousRoot: block.footer.previousBlockRootHash },
      openingState,
    },
    verification: {
      proofs: [signed?.proof ?? signaturesNotChecked()],
      node: null,
      checks: [
        ...checks,
        ...(signed ? ['signatures' as const, 'fileHash' as const] : []),
        ...appliedChecks(wrapped.file, expected),
        ...(sidecars.length > 0 ? ['sidecar' as const] : []),
      ],
      rejected: signed?.rejected ?? [],
      problems,
      doubts,
    },
  };
}

async function countSignatures(
  file: StreamBlockFile,
  { file: { fileHash } }: WrappedRecord,
  signatures: readonly BlockMessages['RecordFileSignature'][],
  signers: Signers,
): Promise<{ proof: UnitProof; rejected: StreamCheckFailure[] }> {
  const checked = await Promise.all(
    signatures.map(async ({ signaturesBytes, nodeId: id }) => {
      const nodeId = toBigInt(id);
      const signer = signers.find({ name: `${nodeId}`, accountId: null, nodeId });
      const fault = signer ? await faultOf(signer, { hash: fileHash, signature: signaturesBytes }) : unknownNode;
      return { nodeId, signer, fault };
    }),
  );
  const rejected = checked.flatMap(({ nodeId, fault }): StreamCheckFailure[] =>
    fault ? [failureOf('signatures', file.name, fault.expected, fault.found, { node: `${nodeId}` })] : [],
  );
  const valid = checked.flatMap(({ signer, fault }) => (fault || !signer ? [] : [signer]));
  const stake = sumStake(valid);
  if (stake < signers.requiredStake) {
    const expected = `valid signatures by at least ${signers.requiredStake} of ${signers.totalStake} stake`;
    const found = `${stake} (${valid.length} valid signatures of ${signers.count} nodes)`;
    const summary = failureOf('signatures', file.name, expected, found);
    throw new StreamCheckError([summary, ...rejected]);
  }
  const counted = { verified: new Set(valid).size, present: signatures.length };
  return { proof: provedBySignatures(counted, stake, signers), rejected };
}

const unknownNode = { expected: 'a node of the address book', found: 'an unknown one' };

/** null = the signature is valid. */
async function faultOf(
  signer: Signer,
  signed: SignedHash,
): Promise<Pick<StreamCheckFailure, 'expected' | 'found'> | null> {
  try {
    return (await isSignedBy(signer, signed))
      ? null
      : { expected: 'a valid signature of the file hash', found: 'an invalid one' };
  } catch (error) {
    // The book has no key for the node.
    if (!(error instanceof StreamFileError)) throw error;
    return findFault(error);
  }
}

function checkSidecars(file: StreamBlockFile, wrapped: WrappedRecord): ReadSidecar[] {
  return wrapped.file.sidecars.map(({ id, types, hash }) => {
    const name = sidecarFileName(wrapped.name, id);
    const bytes = wrapped.sidecars[id - 1];
    if (!bytes) throw failed('sidecar', file, `sidecar ${id}`, 'none');
    const { hash: found, records, problem } = readSidecarFile(bytes);
    if (!found.equals(hash)) throw failed('sidecar', file, hash.toString('hex'), found.toString('hex'));
    const info = { id, name, types, hash, count: records.length, sizeBytes: bytes.length };
    return { info, bytes, records, problem, rejected: [] };
  });
}

/** The block itself is whole: a truncated part inside was written so. */
function readWhole<Result>({ name }: StreamBlockFile, read: () => Result): Result {
  return readPart(name, read, { transient: false });
}

function failed(code: StreamCheck, { name }: StreamBlockFile, expected: string, found: string): StreamCheckError {
  return new StreamCheckError([failureOf(code, name, expected, found)]);
}
