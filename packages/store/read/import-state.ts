// What an importer must know to continue: the last block, the nodes that may sign, names of entities.
import type { Database } from '../../postgres/wire/database.ts';
import { selectOne } from './select-one.ts';
import { columns, type RowOf, selectQuery } from './statement/columns.ts';

/** `hash`: hex, which the next file names as its previous hash; `index`: the block number. */
export type StoredBlock = RowOf<typeof storedBlock>;

const storedBlock = columns('record_file', {
  name: 'name',
  index: 'index',
  hash: 'hash',
  consensusStart: 'consensus_start',
  consensusEnd: 'consensus_end',
  version: 'version',
  previousHash: 'prev_hash',
  wrappedRoot: 'wrapped_record_block_hash',
  previousWrappedRoot: 'previous_wrapped_record_block_hash',
  loadStart: 'load_start',
  loadEnd: 'load_end',
});

/** null = nothing is stored yet. */
export function selectLastBlock(db: Database): Promise<StoredBlock | null> {
  return selectOne(db, {
    name: 'select-last-block',
    select: storedBlock,
    from: 'from record_file order by consensus_end desc limit 1',
  });
}

/** null = it is not stored. */
export function selectBlockByNumber(db: Database, number: bigint): Promise<StoredBlock | null> {
  return selectOne(db, {
    name: 'select-stored-block',
    select: storedBlock,
    from: 'from record_file where index = $1',
    values: [number],
  });
}

/** The last block that ended before this consensus timestamp; null without one. */
export function selectLastBlockBefore(db: Database, timestamp: bigint): Promise<StoredBlock | null> {
  return selectOne(db, {
    name: 'select-last-block-before',
    select: storedBlock,
    from: 'from record_file where consensus_end < $1 order by consensus_end desc limit 1',
    values: [timestamp],
  });
}

/** `fileData`: a serialized NodeAddressBook. */
export type StoredAddressBook = RowOf<typeof storedAddressBook>;

const storedAddressBook = columns('address_book', {
  startConsensusTimestamp: 'start_consensus_timestamp',
  fileData: 'file_data',
  nodeCount: 'node_count',
});

/** Roots of the blocks around record files, from one number up to another, by number. */
export function selectWrappedRoots(
  db: Database,
  from: bigint,
  before: bigint,
): Promise<{ index: bigint; root: Buffer | null }[]> {
  return db.query<{ index: bigint; root: Buffer | null }>({
    name: 'select-wrapped-roots',
    text: `select index, wrapped_record_block_hash as root from record_file
where index >= $1 and index < $2 order by index`,
    values: [from, before],
  });
}

/** The newest tree over the roots of fewer blocks than this; null without one. */
export function selectWrappedTree(db: Database, blocks: bigint): Promise<StoredWrappedTree | null> {
  return selectOne(db, {
    name: 'select-wrapped-tree',
    select: storedWrappedTree,
    from: 'from wrapped_block_tree where leaf_count < $1 order by leaf_count desc limit 1',
    values: [blocks],
  });
}

type StoredWrappedTree = RowOf<typeof storedWrappedTree>;

const storedWrappedTree = columns('wrapped_block_tree', { leafCount: 'leaf_count', hashes: 'hashes' });

/**
 * Contents of the newest address book of that file (`addressBook` or `nodeDetails`, packed id) that began before; null
 * without one.
 */
export function selectAddressBook(
  db: Database,
  fileId: bigint,
  before: bigint = maxTimestamp,
): Promise<StoredAddressBook | null> {
  return selectOne(db, {
    name: 'select-address-book',
    select: storedAddressBook,
    from: 'from address_book where file_id = $1 and start_consensus_timestamp < $2 order by start_consensus_timestamp desc limit 1',
    values: [fileId, before],
  });
}

/** The largest of the database, ns. */
const maxTimestamp = 2n ** 63n - 1n;

/** Whether an address book of that file with exactly these contents is stored. */
export async function hasAddressBook(db: Database, fileId: bigint, contents: Uint8Array): Promise<boolean> {
  const query = selectQuery({
    name: 'has-address-book',
    select: columns('address_book', { start: 'start_consensus_timestamp' }),
    from: 'from address_book where file_id = $1 and file_data = $2 limit 1',
    values: [fileId, contents],
  });
  return (await db.query(query)).length > 0;
}

export type StoredNodeStake = RowOf<typeof storedNodeStake>;

const storedNodeStake = columns('node_stake', { nodeId: 'node_id', stake: 'stake' });

/** Consensus weights as of the newest NodeStakeUpdate, by node; empty without one. */
export function selectNodeStakes(db: Database): Promise<StoredNodeStake[]> {
  return db.query(
    selectQuery({
      name: 'select-node-stakes',
      select: storedNodeStake,
      from: `from node_stake
where consensus_timestamp = (select max(consensus_timestamp) from node_stake) order by node_id`,
    }),
  );
}

export type NamedEntity = { id: bigint; name: Buffer };

/**
 * An entity gets its names when it is created and keeps them; when one of a ledger's opening state was created is
 * unknown. A deleted one still has them, until a newer one gets the same.
 */
const wasThere = '(created_timestamp is null or created_timestamp < $2)';

/** Entities of before a moment (ns) that have one of these EVM addresses, the newest last. */
export function selectEntitiesByEvmAddress(
  db: Database,
  addresses: readonly Uint8Array[],
  before: bigint,
): Promise<NamedEntity[]> {
  return db.query(
    selectQuery({
      name: 'select-entities-by-evm-address',
      select: columns('entity', { id: 'id', name: 'evm_address' }).present(),
      from: `from entity
where evm_address is not null and evm_address = any($1::bytea[]) and ${wasThere} order by id`,
      values: [addresses, before],
    }),
  );
}

/** EVM addresses of those of these entities that had their own before a moment (ns). */
export function selectEvmAddresses(db: Database, ids: readonly bigint[], before: bigint): Promise<NamedEntity[]> {
  return db.query(
    selectQuery({
      name: 'select-known-evm-addresses',
      select: columns('entity', { id: 'id', name: 'evm_address' }).present(),
      from: `from entity where id = any($1::int8[]) and evm_address is not null and ${wasThere}`,
      values: [ids, before],
    }),
  );
}

/** Entities of before a moment (ns) that have one of these aliases, the newest last. */
export function selectEntitiesByAlias(
  db: Database,
  aliases: readonly Uint8Array[],
  before: bigint,
): Promise<NamedEntity[]> {
  return db.query(
    selectQuery({
      name: 'select-entities-by-alias',
      select: columns('entity', { id: 'id', name: 'alias' }).present(),
      from: `from entity
where alias is not null and alias = any($1::bytea[]) and ${wasThere} order by id`,
      values: [aliases, before],
    }),
  );
}
