// The rows of a block as a whole: record_file, which makes the block part of the ledger, its sidecars, proofs and
// roots.

import type { Row } from '../../../packages/schema/tables.ts';
import type { RootForms } from '../../../packages/store/read/select-root-forms.ts';
import type { BulkOperation, TableChanges } from '../../../packages/store/write/block-changes.ts';
import { historyLevel } from '../../../packages/streams/block-stream/block-history.ts';
import type { StreamBlock } from '../../../packages/streams/stream/stream-block.ts';
import type { BlockEvm } from '../block/item-context.ts';
import type { UnitProof } from '../open/block-verification.ts';

/** SHA-384, the only digest the streams use. */
const sha384Algorithm = 0;

/** Times in seconds since the epoch. */
export function recordFileRow(
  block: StreamBlock,
  blockNumber: bigint,
  evm: BlockEvm,
  { loadStart, loadEnd }: { loadStart: bigint; loadEnd: bigint },
): Row<'record_file'> {
  const version = block.hapiVersion;
  const software = block.softwareVersion ?? version;
  return {
    consensus_end: block.consensusEnd,
    consensus_start: block.consensusStart,
    count: BigInt(block.transactions.length),
    digest_algorithm: sha384Algorithm,
    file_hash: block.fileHash.toString('hex'),
    gas_used: evm.gasUsed,
    hapi_version_major: version?.major ?? null,
    hapi_version_minor: version?.minor ?? null,
    hapi_version_patch: version?.patch ?? null,
    hash: block.hash.toString('hex'),
    index: blockNumber,
    load_end: loadEnd,
    load_start: loadStart,
    logs_bloom: evm.logsBloom,
    name: block.name,
    previous_wrapped_record_block_hash: block.wrapped?.previousRoot ?? null,
    prev_hash: block.previousHash.toString('hex'),
    sidecar_count: block.sidecars.length,
    size: block.sizeBytes,
    round_end: block.rounds?.last ?? null,
    round_start: block.rounds?.first ?? null,
    software_version_major: software?.major ?? null,
    software_version_minor: software?.minor ?? null,
    software_version_patch: software?.patch ?? null,
    version: block.version,
    wrapped_record_block_hash: block.wrapped?.root ?? null,
  };
}

export function sidecarFileRows(block: StreamBlock): Row<'sidecar_file'>[] {
  return block.sidecars.map((sidecar) => ({
    consensus_end: block.consensusEnd,
    count: sidecar.count,
    hash: sidecar.hash,
    hash_algorithm: sha384Algorithm,
    id: sidecar.id,
    name: sidecar.name,
    size: sidecar.sizeBytes,
    types: sidecar.types,
  }));
}

/** The proofs of a block of a block stream. Those of record files are not stored: they were verified. */
export function blockProofRows(consensusEnd: bigint, proofs: readonly UnitProof[]): TableChanges[] {
  const rows = proofs.flatMap(({ kind, isVerified, reason, bytes }, place) =>
    bytes ? [{ consensus_end: consensusEnd, place, kind, verified: isVerified, reason, proof: bytes }] : [],
  );
  return rows.length > 0 ? [{ block_proof: rows }] : [];
}

/** Files of the stream as they are kept. */
export function keptFileRows(consensusEnd: bigint, files: readonly Buffer[]): TableChanges[] {
  const rows = files.map((bytes, place) => ({ consensus_end: consensusEnd, place, bytes }));
  return rows.length > 0 ? [{ kept_stream_file: rows }] : [];
}

/** What leads from earlier blocks of a block stream through this one. */
export function blockPathRows({ consensusEnd, path }: StreamBlock): TableChanges[] {
  if (!path) return [];
  const { timeLeaf, siblings } = path;
  return [{ block_path: [{ consensus_end: consensusEnd, time_leaf: timeLeaf, siblings: Buffer.concat(siblings) }] }];
}

/** The roots of all blocks before this one are settled: of so many that complete nodes follow. */
export function blockHistory({ consensusEnd: timestamp }: StreamBlock, number: bigint): BulkOperation[] {
  const isDue = number > 0n && number % blocksOfNode === 0n;
  return isDue ? [{ operation: 'completeBlockHistory', timestamp, blocks: number }] : [];
}

const blocksOfNode = 1n << BigInt(historyLevel);

/** Only the next block shows which form the root has: until then the row has the likelier one, and both are stored. */
export function rootFormRows({ consensusEnd, rootForms }: StreamBlock): TableChanges[] {
  return rootForms ? [{ block_root_forms: [{ consensus_end: consensusEnd, ...rootForms }] }] : [];
}

export type StoredRoot = {
  consensusEnd: bigint;
  /** Hexadecimal, as it is stored. */
  hash: string;
  /** null: it has the newer form, or an earlier version of this program stored it. */
  rootForms: RootForms | null;
};

/** @param named the previous root that the next block names, which was checked */
export function settleRoot({ consensusEnd, hash, rootForms }: StoredRoot, named: Buffer): BulkOperation[] {
  const isNewer = rootForms?.newer.equals(named) ?? false;
  const namedHash = named.toString('hex');
  if (namedHash === hash && !isNewer) return [];
  return [{ operation: 'settleBlockRoot', timestamp: consensusEnd, hash: namedHash, isNewer }];
}
