// From the files of one moment to one checked block: who signed, which copy is the signed one, does it follow the last
// file, are its items and sidecars whole. Nothing unproved leaves this function; how it was proved leaves with the block.
import { setImmediate } from 'node:timers/promises';
import { formatTimestamp, toTimestamp } from '../../protocol/hapi/timestamp.ts';
import { decodeTransactionItem } from '../../protocol/record-stream/decode-transaction-item.ts';
import type { RecordFile } from '../../protocol/record-stream/raw-record-file.ts';
import type { StreamBlock, TransactionItem } from '../../protocol/stream-block.ts';
import { StreamFileError } from '../../protocol/stream-file-error.ts';
import type { StreamFileGroup, StreamSource } from '../../source/stream-source.ts';
import { appliedChecks } from './check-record-file.ts';
import { type ReadRecordCopy, readRecordCopy } from './read-record-copy.ts';
import { type ReadSidecar, readSidecars } from './read-sidecars.ts';
import type { Signers } from './signers.ts';
import { type StreamCheck, StreamCheckError, type StreamCheckFailure } from './stream-check-error.ts';
import { verifySignatures } from './verify-signatures.ts';

export type OpenBlockOptions = {
  source: StreamSource;
  group: StreamFileGroup;
  signers: Signers;
  /** `hash` of the last block; null when there is none: then the file's own previous hash is accepted. */
  previousHash: Buffer | null;
};

export type BlockVerification = {
  signatures: {
    /** Nodes whose signature is valid, signature files that are there, nodes in the address book. */
    verified: number;
    present: number;
    nodes: number;
    /** Stake behind the file, what it needs, and what there is. */
    stake: bigint;
    requiredStake: bigint;
    totalStake: bigint;
  };
  /** Node whose copy was taken. */
  node: string;
  checks: StreamCheck[];
  /** Signature files and copies that failed while others were good. */
  rejected: StreamCheckFailure[];
  /** Parts of the proved file that this version cannot read: their items are incomplete or missing. */
  problems: string[];
};

export type OpenedBlock = { block: StreamBlock; verification: BlockVerification };

/** Throws StreamCheckError when the files do not prove a block. */
export async function openBlock(options: OpenBlockOptions): Promise<OpenedBlock> {
  const { source, group, signers, previousHash } = options;
  const signatures = await verifySignatures({ source, group, signers });
  const failures: StreamCheckFailure[] = [];
  for (const signed of signatures.files) {
    const expected = { fileHash: signed.fileHash, metadataHash: signed.metadataHash, previousHash };
    // A copy is as good as its hash: nodes whose signature is missing are asked last.
    const copies = [...new Set([...signed.copies, ...group.copies])];
    for (const copy of copies) {
      const read = await readRecordCopy(source, copy, expected);
      if ('code' in read) {
        failures.push(read);
        continue;
      }
      const others = [copy, ...copies.filter((other) => other !== copy)];
      const { file, name } = read;
      const sidecars = await readSidecars({ source, copies: others, recordName: name, sidecars: file.sidecars });
      const { block, problems } = await toBlock(read, sidecars, group.timestamp);
      return {
        block,
        verification: {
          signatures: {
            verified: signatures.verified,
            present: signatures.present,
            nodes: signers.count,
            stake: signed.stake,
            requiredStake: signers.requiredStake,
            totalStake: signers.totalStake,
          },
          node: copy.node.name,
          checks: [
            'signatures',
            ...appliedChecks(file, expected),
            ...(sidecars.length > 0 ? ['sidecar' as const] : []),
          ],
          rejected: [...signatures.rejected, ...failures, ...sidecars.flatMap((sidecar) => sidecar.rejected)],
          problems,
        },
      };
    }
  }
  throw new StreamCheckError(mostTellingFirst(failures));
}

// A copy that was read says more than one that is missing.
function mostTellingFirst(failures: StreamCheckFailure[]): [StreamCheckFailure, ...StreamCheckFailure[]] {
  const sorted = failures.toSorted((a, b) => Number(a.code === 'missing') - Number(b.code === 'missing'));
  return sorted as [StreamCheckFailure, ...StreamCheckFailure[]];
}

async function toBlock(read: ReadRecordCopy, sidecars: ReadSidecar[], nameTimestamp: bigint) {
  const { file, name, sizeBytes } = read;
  const problems: string[] = [];
  const transactions = await decodeItems(file, problems);
  joinSidecars(transactions, sidecars, problems);
  let consensusStart = transactions[0]?.consensusTimestamp ?? nameTimestamp;
  let consensusEnd = consensusStart;
  for (const { consensusTimestamp } of transactions) {
    if (consensusTimestamp < consensusStart) consensusStart = consensusTimestamp;
    if (consensusTimestamp > consensusEnd) consensusEnd = consensusTimestamp;
  }
  const { version, blockNumber, hapiVersion, previousHash, hash, fileHash, metadataHash } = file;
  const block: StreamBlock = {
    name,
    version,
    blockNumber,
    hapiVersion,
    previousHash,
    hash,
    fileHash,
    metadataHash,
    consensusStart,
    consensusEnd,
    sizeBytes,
    sidecars: sidecars.map(({ info }) => info),
    transactions,
  };
  return { block, problems };
}

// Between them the block before, which is being written, goes on.
const itemsAtATime = 100;

async function decodeItems(file: RecordFile, problems: string[]): Promise<TransactionItem[]> {
  const items: TransactionItem[] = [];
  for (const [index, raw] of file.items.entries()) {
    if (index % itemsAtATime === itemsAtATime - 1) await setImmediate();
    try {
      const { item, problem } = decodeTransactionItem(raw, index);
      if (problem !== null) problems.push(problem);
      items.push(item);
    } catch (error) {
      if (!(error instanceof StreamFileError)) throw error;
      problems.push(`item ${index} is left out: ${error.message}`);
    }
  }
  return items;
}

function joinSidecars(items: TransactionItem[], sidecars: ReadSidecar[], problems: string[]): void {
  if (sidecars.length === 0) return;
  const byTimestamp = new Map(items.map((item) => [item.consensusTimestamp, item]));
  for (const { info, records } of sidecars) {
    for (const record of records) {
      const timestamp = record.consensusTimestamp ? toTimestamp(record.consensusTimestamp) : null;
      const item = timestamp === null ? undefined : byTimestamp.get(timestamp);
      if (item) item.sidecars.push(record);
      else problems.push(`${info.name} has a record of ${describe(timestamp)}, which no transaction has`);
    }
  }
}

function describe(timestamp: bigint | null): string {
  return timestamp === null ? 'no timestamp' : formatTimestamp(timestamp);
}
