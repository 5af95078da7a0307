// What an importer must know of the ledger so far, to go on from there: the last block, who may sign, who is who.
import type { Database } from '../wire/database.ts';

export type StoredBlock = {
  name: string;
  /** Block number. */
  index: bigint;
  /** Hex; what the next file names as its previous hash. */
  hash: string;
  consensusStart: bigint;
  consensusEnd: bigint;
  version: number;
};

/** null = nothing is stored yet. */
export async function selectLastBlock(db: Database): Promise<StoredBlock | null> {
  const rows = await db.query<StoredBlock>({
    name: 'select-last-block',
    text: `select name, index, hash, consensus_start as "consensusStart", consensus_end as "consensusEnd", version
from record_file order by consensus_end desc limit 1`,
  });
  return rows[0] ?? null;
}

/** Contents of the newest address book of that file (0.0.101 or 0.0.102, packed id); null without one. */
export async function selectAddressBook(db: Database, fileId: bigint): Promise<StoredAddressBook | null> {
  const rows = await db.query<StoredAddressBook>({
    name: 'select-address-book',
    text: `select start_consensus_timestamp as "startConsensusTimestamp", file_data as "fileData", node_count as "nodeCount"
from address_book where file_id = $1 order by start_consensus_timestamp desc limit 1`,
    values: [fileId],
  });
  return rows[0] ?? null;
}

export type StoredAddressBook = {
  startConsensusTimestamp: bigint;
  /** Serialized NodeAddressBook. */
  fileData: Buffer;
  nodeCount: number | null;
};

export type StoredNodeStake = { nodeId: bigint; stake: bigint };

/** Consensus weights as of the newest NodeStakeUpdate, by node; empty without one. */
export function selectNodeStakes(db: Database): Promise<StoredNodeStake[]> {
  return db.query<StoredNodeStake>({
    name: 'select-node-stakes',
    text: `select node_id as "nodeId", stake from node_stake
where consensus_timestamp = (select max(consensus_timestamp) from node_stake) order by node_id`,
  });
}

export type NamedEntity = { id: bigint; name: Buffer };

/** Living entities that have one of these EVM addresses. */
export function selectEntitiesByEvmAddress(db: Database, addresses: Uint8Array[]): Promise<NamedEntity[]> {
  return db.query<NamedEntity>({
    name: 'select-entities-by-evm-address',
    text: `select id, evm_address as name from entity
where evm_address is not null and evm_address = any($1::bytea[]) and deleted is not true order by id`,
    values: [addresses],
  });
}

/** Living entities that have one of these aliases. */
export function selectEntitiesByAlias(db: Database, aliases: Uint8Array[]): Promise<NamedEntity[]> {
  return db.query<NamedEntity>({
    name: 'select-entities-by-alias',
    text: `select id, alias as name from entity
where alias is not null and alias = any($1::bytea[]) and deleted is not true order by id`,
    values: [aliases],
  });
}
