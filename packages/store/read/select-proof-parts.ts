// What proofs of items are made of beside the files of the stream: the block that has a moment, who signed it or a
// later one, and what leads from block to block.
import type { Database } from '../../postgres/wire/database.ts';
import { selectOne } from './select-one.ts';
import { columns, expression, type RowOf, selectAll, selectQuery } from './statement/columns.ts';

/**
 * A stored block, by which its files are found again. `hash`: hex; `wrappedRoot`: of the block around a record file.
 */
export type StoredUnit = RowOf<typeof storedUnit>;

const storedUnit = columns(
  'record_file',
  {
    number: 'index',
    name: 'name',
    version: 'version',
    hash: 'hash',
    wrappedRoot: 'wrapped_record_block_hash',
    consensusStart: 'consensus_start',
    consensusEnd: 'consensus_end',
  },
  'r',
);
const coverKind = columns('block_verification', { coverKind: 'kind' }, 'v').optional();
const coveredUnit = selectAll(storedUnit, coverKind);

/** `coverKind`: null also where no signature of the network is known to cover it. */
export type CoveredUnit = RowOf<typeof coveredUnit>;

const withCover = 'record_file r left join block_verification v on v.consensus_end = r.consensus_end';

/** The block that this consensus timestamp lies in; null without one. */
export async function selectUnitAt(db: Database, timestamp: bigint): Promise<CoveredUnit | null> {
  const found = await selectOne(db, {
    name: 'select-unit-at',
    select: coveredUnit,
    from: `from ${withCover}
where r.consensus_end >= $1 order by r.consensus_end limit 1`,
    values: [timestamp],
  });
  return found && found.consensusStart <= timestamp ? found : null;
}

/** At most two. `hash`: hex. */
export function selectUnitsNamed(
  db: Database,
  name: { number: bigint } | { hashPrefix: string },
): Promise<CoveredUnit[]> {
  const byNumber = 'number' in name;
  return db.query(
    selectQuery({
      name: byNumber ? 'select-unit-by-number' : 'select-unit-by-hash',
      select: coveredUnit,
      // Hashes are hex: `g` follows every one of them.
      from: `from ${withCover}
where ${byNumber ? 'r.index = $1' : `r.hash collate "C" >= $1 and r.hash collate "C" < $1 || 'g'`} limit 2`,
      values: [byNumber ? name.number : name.hashPrefix],
    }),
  );
}

/** The first block from this consensus end on that is proved by its own proof; null without one. */
export function selectNextSigned(db: Database, consensusEnd: bigint): Promise<CoveredUnit | null> {
  return selectOne(db, {
    name: 'select-next-signed',
    select: coveredUnit,
    from: `from block_verification v join record_file r on r.consensus_end = v.consensus_end
where v.consensus_end >= $1 and v.kind in ('signed', 'state') order by v.consensus_end limit 1`,
    values: [consensusEnd],
  });
}

const proofOfBlock = columns('block_proof', ['kind', 'proof']);

/** Verified proofs of a block, as they came. */
export function selectVerifiedProofs(db: Database, consensusEnd: bigint): Promise<RowOf<typeof proofOfBlock>[]> {
  return db.query(
    selectQuery({
      name: 'select-verified-proofs',
      select: proofOfBlock,
      from: 'from block_proof where consensus_end = $1 and verified order by place',
      values: [consensusEnd],
    }),
  );
}

const pathOfBlock = selectAll(
  columns('record_file', { number: 'index', hash: 'hash', previousHash: 'prev_hash' }, 'r'),
  columns('block_path', ['time_leaf', 'siblings'], 'p'),
);

export type BlockPathRow = RowOf<typeof pathOfBlock>;

/** What leads through these blocks, by number; without those of which it is not stored. */
export function selectBlockPaths(db: Database, first: bigint, last: bigint): Promise<BlockPathRow[]> {
  return db.query(
    selectQuery({
      name: 'select-block-paths',
      select: pathOfBlock,
      from: `from record_file r join block_path p on p.consensus_end = r.consensus_end
where r.index >= $1 and r.index <= $2 order by r.index`,
      values: [first, last],
    }),
  );
}

const rootOfBlock = selectAll(
  columns('record_file', { number: 'index' }),
  expression(
    'root',
    'bytea',
    `case when version >= 7 then decode(hash, 'hex') else wrapped_record_block_hash end`,
  ).nullable(),
);

/** Roots of blocks from one number up to another. */
export function selectBlockRoots(db: Database, from: bigint, before: bigint): Promise<RowOf<typeof rootOfBlock>[]> {
  return db.query(
    selectQuery({
      name: 'select-block-roots',
      select: rootOfBlock,
      from: 'from record_file where index >= $1 and index < $2',
      values: [from, before],
    }),
  );
}

const historyNode = columns('block_history_node', ['level', 'place', 'hash']);

export type HistoryNode = { level: number; place: bigint };

export function selectHistoryNodes(db: Database, nodes: readonly HistoryNode[]): Promise<RowOf<typeof historyNode>[]> {
  return db.query(
    selectQuery({
      name: 'select-history-nodes',
      select: historyNode,
      from: 'from block_history_node where (level, place) in (select * from unnest($1::int2[], $2::int8[]))',
      values: [nodes.map(({ level }) => level), nodes.map(({ place }) => place)],
    }),
  );
}

const keptFile = selectAll(
  columns('kept_stream_file', ['place']),
  expression('bytes', 'bytea', 'case when octet_length(bytes) <= $2 then bytes end').nullable(),
);

/** Compressed; the block or record file first. `bytes`: null where it has more than `maxBytes`. */
export function selectKeptFiles(
  db: Database,
  consensusEnd: bigint,
  maxBytes: number,
): Promise<RowOf<typeof keptFile>[]> {
  return db.query(
    selectQuery({
      name: 'select-kept-files',
      select: keptFile,
      from: 'from kept_stream_file where consensus_end = $1 order by place',
      values: [consensusEnd, maxBytes],
    }),
  );
}
