// The rows that mark a block as imported: record_file, which makes the block part of the ledger, and one
// sidecar_file row a sidecar.
import type { StreamBlock } from '../../protocol/stream/stream-block.ts';
import type { Row } from '../../store/schema/tables.ts';
import type { BlockEvm } from '../block/item-context.ts';

/** SHA-384, the only digest the streams use. */
const sha384Algorithm = 0;

export type LoadTimes = {
  /** Seconds since the epoch. */
  loadStart: bigint;
  loadEnd: bigint;
};

export function recordFileRow(
  block: StreamBlock,
  blockNumber: bigint,
  evm: BlockEvm,
  { loadStart, loadEnd }: LoadTimes,
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
