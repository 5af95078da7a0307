// Verifies the signatures of one moment's files against the address book, and finds the file hashes that enough of the
// network's stake has signed.
import { verify } from 'node:crypto';
import { promisify } from 'node:util';
import {
  type StreamFileCopy,
  type StreamFileGroup,
  type StreamSource,
  StreamSourceError,
} from '../../../packages/sources/stream-source.ts';
import type { RecordSignatures } from '../../../packages/streams/record-stream/record-signatures.ts';
import { readSignatureFile, type SignedHash } from '../../../packages/streams/record-stream/signature-file.ts';
import { type Signer, type Signers, sumStake } from './signers.ts';
import { failureOf, findFault, StreamCheckError, type StreamCheckFailure } from './stream-check-error.ts';

type ValidSignature = { copy: StreamFileCopy; signer: Signer; file: SignedHash; metadata: SignedHash | null };

/** A file hash signed by enough stake. */
type SignedFile = {
  /** null: unknown. */
  fileHash: Buffer | null;
  /** null if signature files have none (version 2). */
  metadataHash: Buffer | null;
  /** The nodes that signed it. */
  copies: StreamFileCopy[];
  stake: bigint;
  /** Those that were read. */
  signatures: RecordSignatures;
};

export type VerifiedSignatures = {
  /** At least one; the one with the most stake first. */
  files: SignedFile[];
  verified: number;
  /** Number of existing signature files. */
  present: number;
  rejected: StreamCheckFailure[];
};

export type VerifySignaturesOptions = {
  source: StreamSource;
  group: StreamFileGroup;
  signers: Signers;
  /** Read no more of them than needed: the others count as present, and their copies may be read. */
  onlyEnough?: boolean;
  /** Then also of so many nodes, if there are as many. */
  minNodes?: number;
};

/** Throws StreamCheckError if no file hash has enough stake. */
export async function verifySignatures(options: VerifySignaturesOptions): Promise<VerifiedSignatures> {
  const { source, group, signers, onlyEnough = false, minNodes = 0 } = options;
  const copies = group.copies.filter((copy) => copy.signatureName !== null);
  const valid: ValidSignature[] = [];
  const rejected: StreamCheckFailure[] = [];
  let agreed: SignedFile[] = [];
  let seen = 0;
  while ((agreed[0]?.copies.length ?? 0) < Math.max(minNodes, 1) && seen < copies.length) {
    const [leading] = toSignedFiles(valid);
    const next = onlyEnough ? nextEnough(copies.slice(seen), signers, minNodes, leading) : copies;
    seen += next.length;
    for (const result of await Promise.all(next.map((copy) => verifySignature(source, copy, signers)))) {
      if ('signer' in result) valid.push(result);
      else rejected.push(result);
    }
    agreed = toSignedFiles(valid).filter((file) => file.stake >= signers.requiredStake);
  }
  if (agreed.length === 0) throw tooFew(group, signers, valid, rejected);
  const unseen = copies.slice(seen);
  const files = agreed.map((file) => ({ ...file, copies: [...file.copies, ...unseen] }));
  const verified = new Set(valid.map(({ signer }) => signer)).size;
  return { files, verified, present: copies.length, rejected };
}

/** As many of these copies as supply the stake and the nodes that the leading file hash lacks. */
function nextEnough(
  copies: readonly StreamFileCopy[],
  signers: Signers,
  minNodes: number,
  found: SignedFile | undefined,
): StreamFileCopy[] {
  const next: StreamFileCopy[] = [];
  for (const copy of copies) {
    next.push(copy);
    const stake = sumStake(next.map(({ node }) => signers.find(node)));
    const nodes = next.length + (found?.copies.length ?? 0);
    if (stake + (found?.stake ?? 0n) >= signers.requiredStake && nodes >= minNodes) break;
  }
  return next;
}

async function verifySignature(
  source: StreamSource,
  copy: StreamFileCopy,
  signers: Signers,
): Promise<ValidSignature | StreamCheckFailure> {
  const node = copy.node.name;
  const failure = (expected: string, found: string, transient = false): StreamCheckFailure =>
    failureOf('signatures', copy.signatureName ?? '', expected, found, { node, transient });
  const signer = signers.find(copy.node);
  if (!signer) return failure('a node of the address book', 'an unknown one');
  try {
    const { file, metadata } = readSignatureFile(await source.read(copy, { kind: 'signature' }));
    const [isFileSigned, isMetadataSigned] = await Promise.all([
      isSignedBy(signer, file),
      metadata === null || isSignedBy(signer, metadata),
    ]);
    if (!isFileSigned) return failure('a valid signature of the file hash', 'an invalid one');
    if (!isMetadataSigned) return failure('a valid signature of the metadata hash', 'an invalid one');
    return { copy, signer, file, metadata };
  } catch (error) {
    const fault = findFault(error);
    if (!fault) throw error;
    const expected = error instanceof StreamSourceError ? 'a signature file' : fault.expected;
    return failure(expected, fault.found, fault.transient);
  }
}

// In another thread: it takes a tenth of a millisecond.
const verifyAside = promisify(verify);

export async function isSignedBy(signer: Signer, { hash, signature }: SignedHash): Promise<boolean> {
  return verifyAside('RSA-SHA384', hash, signer.publicKey(), signature);
}

function toSignedFiles(signatures: ValidSignature[]): SignedFile[] {
  const byHash = Map.groupBy(signatures, ({ file, metadata }) =>
    [file.hash.toString('hex'), metadata?.hash.toString('hex')].join(),
  );
  const files = [...byHash.values()].map((signed) => ({
    fileHash: signed[0]!.file.hash,
    metadataHash: signed[0]!.metadata?.hash ?? null,
    copies: signed.map(({ copy }) => copy),
    stake: sumStake(signed.map(({ signer }) => signer)),
    signatures: {
      file: signed.map(({ file }) => file.signature),
      metadata: signed.flatMap(({ metadata }) => metadata?.signature ?? []),
    },
  }));
  return files.sort((a, b) => (a.stake > b.stake ? -1 : a.stake < b.stake ? 1 : 0));
}

function tooFew(
  group: StreamFileGroup,
  signers: Signers,
  valid: ValidSignature[],
  rejected: StreamCheckFailure[],
): StreamCheckError {
  const { requiredStake, totalStake, count } = signers;
  const files = toSignedFiles(valid);
  const stake = files[0]?.stake ?? 0n;
  const present = group.copies.filter((copy) => copy.signatureName !== null).map((copy) => signers.find(copy.node));
  const unit = totalStake === BigInt(count) ? 'nodes' : 'stake';
  const apart = files.length > 1 ? `, spread over ${files.length} different file hashes` : '';
  const expected = `valid signatures of one file by at least ${requiredStake} of ${totalStake} ${unit}`;
  const found = `${stake} (${valid.length} valid signatures of ${count} nodes${apart})`;
  // The nodes without a signature file may still sign, if that would be enough.
  const transient = stake + totalStake - sumStake(present) >= requiredStake;
  const summary = failureOf('signatures', `${group.instant}.rcd`, expected, found, { transient });
  return new StreamCheckError([summary, ...rejected]);
}
