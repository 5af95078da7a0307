// The record file in a wrapped record block, proved as the file itself would be: its bytes as the nodes signed them, their
// signatures out of the block's proof, the chain of running hashes, sidecars by the hashes that the file names.
import type { Block } from '../../protocol/block-stream/block.ts';
import type { BlockStreamItem } from '../../protocol/block-stream/block-item.ts';
import { readOpeningState } from '../../protocol/block-stream/opening-state.ts';
import { readWrappedRecord, type WrappedRecord } from '../../protocol/block-stream/wrapped-record.ts';
import { toBigInt } from '../../protocol/hapi/hapi.ts';
import { LedgerValueError } from '../../protocol/ledger-value-error.ts';
import { readSidecarFile } from '../../protocol/record-stream/sidecar-file.ts';
import type { SignedHash } from '../../protocol/record-stream/signature-file.ts';
import { parseStreamFileName, sidecarFileName } from '../../protocol/record-stream/stream-file-name.ts';
import type { StreamBlock } from '../../protocol/stream/stream-block.ts';
import { StreamFileError } from '../../protocol/stream-file-error.ts';
import type { StreamBlockFile } from '../../source/stream-source.ts';
import {
  type BlockVerification,
  provedBySignatures,
  signaturesNotChecked,
  type UnitProof,
} from './block-verification.ts';
import type { ChainPosition } from './chain-position.ts';
import { appliedChecks, checkRecordFile } from './check-record-file.ts';
import { consensusRange, decodeItems, joinSidecars } from './decode-items.ts';
import type { ReadSidecar } from './read-sidecars.ts';
import { type Signer, type Signers, sumStake } from './signers.ts';
import { type StreamCheck, StreamCheckError, type StreamCheckFailure } from './stream-check-error.ts';
import { isSignedBy } from './verify-signatures.ts';

export type OpenWrappedRecordOptions = {
  file: StreamBlockFile;
  block: Block;
  recordFile: BlockStreamItem;
  signers: Signers | null;
  last: ChainPosition | null;
  /** Of the block, to be added to. */
  checks: StreamCheck[];
  problems: string[];
};

/** Throws StreamCheckError. */
export async function openWrappedRecord(
  options: OpenWrappedRecordOptions,
): Promise<{ block: StreamBlock; verification: BlockVerification }> {
  const { file, block, recordFile, signers, last, checks, problems } = options;
  const proof = block.proofs.find(({ signedRecordFileProof }) => signedRecordFileProof)?.signedRecordFileProof;
  if (!proof) throw failed(file, 'signatures', 'signatures of the record file in it', 'none');
  const wrapped = read(file, () => readWrappedRecord(recordFile.content, proof.version));
  const expected = { fileHash: null, metadataHash: null, previousHash: last && !last.isBlockStream ? last.hash : null };
  const failure = checkRecordFile(wrapped.file, expected);
  if (failure) throw new StreamCheckError([{ ...failure, file: file.name, node: null, transient: false }]);
  const signed = signers ? await countSignatures(file, wrapped, proof.recordFileSignatures, signers) : null;
  const sidecars = checkSidecars(file, wrapped);
  const openingState = block.number === 0n ? read(file, () => readOpeningState(block.items)) : null;
  const transactions = await decodeItems(wrapped.items, problems);
  joinSidecars(transactions, sidecars, problems);
  const { start, end } = consensusRange(transactions, parseStreamFileName(wrapped.name)?.timestamp ?? block.timestamp);
  const { version, hapiVersion, previousHash, hash, fileHash, metadataHash } = wrapped.file;
  return {
    block: {
      name: wrapped.name,
      version,
      blockNumber: block.number,
      hapiVersion,
      previousHash,
      hash,
      fileHash,
      metadataHash,
      consensusStart: start,
      consensusEnd: end,
      sizeBytes: wrapped.bytes.length,
      sidecars: sidecars.map(({ info }) => info),
      wrapped: { root: block.roots.sixteen, previousRoot: block.footer.previousBlockRootHash },
      openingState,
      transactions,
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
    },
  };
}

type Signature = { signaturesBytes: Buffer; nodeId: Parameters<typeof toBigInt>[0] };

async function countSignatures(
  file: StreamBlockFile,
  { file: { fileHash } }: WrappedRecord,
  signatures: readonly Signature[],
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
    fault ? [{ code: 'signatures', file: file.name, node: `${nodeId}`, ...fault, transient: false }] : [],
  );
  const valid = checked.flatMap(({ signer, fault }) => (fault || !signer ? [] : [signer]));
  const stake = sumStake(valid);
  if (stake < signers.requiredStake) {
    const summary: StreamCheckFailure = {
      code: 'signatures',
      file: file.name,
      node: null,
      expected: `valid signatures by at least ${signers.requiredStake} of ${signers.totalStake} stake`,
      found: `${stake} (${valid.length} valid signatures of ${signers.count} nodes)`,
      transient: false,
    };
    throw new StreamCheckError([summary, ...rejected]);
  }
  const counted = { verified: new Set(valid).size, present: signatures.length };
  return { proof: provedBySignatures(counted, stake, signers), rejected };
}

const unknownNode = { expected: 'a node of the address book', found: 'one that it does not know' };

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
    // The book has no key of the node.
    if (!(error instanceof StreamFileError)) throw error;
    return { expected: `${error.part}: ${error.expected}`, found: error.found };
  }
}

function checkSidecars(file: StreamBlockFile, wrapped: WrappedRecord): ReadSidecar[] {
  return wrapped.file.sidecars.map(({ id, types, hash }) => {
    const name = sidecarFileName(wrapped.name, id);
    const bytes = wrapped.sidecars[id - 1];
    if (!bytes) throw failed(file, 'sidecar', `sidecar ${id}`, 'none');
    const { hash: found, records } = read(file, () => readSidecarFile(bytes));
    if (!found.equals(hash)) throw failed(file, 'sidecar', hash.toString('hex'), found.toString('hex'));
    return {
      info: { id, name, types, hash, count: records.length, sizeBytes: bytes.length },
      bytes,
      records,
      rejected: [],
    };
  });
}

function read<Result>(file: StreamBlockFile, reader: () => Result): Result {
  try {
    return reader();
  } catch (error) {
    if (error instanceof LedgerValueError) throw failed(file, 'format', 'values that a ledger has', error.message);
    if (!(error instanceof StreamFileError)) throw error;
    throw failed(file, 'format', `${error.part}: ${error.expected}`, error.found);
  }
}

function failed(file: StreamBlockFile, code: StreamCheckFailure['code'], expected: string, found: string) {
  return new StreamCheckError([{ code, file: file.name, node: null, expected, found, transient: false }]);
}
