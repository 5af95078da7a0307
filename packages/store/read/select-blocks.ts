// Blocks: a page by number or by the consensus time of their end, or one by its name.

import type { Range } from '../../kit/range.ts';
import type { Database } from '../../postgres/wire/database.ts';
import { selectOne } from './select-one.ts';
import { type PageFilter, selectPage, type Wanted } from './select-page.ts';
import {
  choosing,
  columns,
  everyColumn,
  expression,
  type RowOf,
  type Selection,
  selectAll,
  selectQuery,
} from './statement/columns.ts';

const block = selectAll(
  everyColumn('record_file', { number: 'index', previous_hash: 'prev_hash' }, 'r'),
  expression('size', 'int4', 'coalesce(size, octet_length(bytes))').nullable(),
);
const verification = selectAll(
  expression('version', 'int4', 'r.version'),
  columns('block_verification', { coverKind: 'kind', restsOn: 'rests_on' }, 'v').optional(),
  columns(
    'block_verification',
    { weight: 'weight', totalWeight: 'total_weight', rotations: 'rotations' },
    'v',
  ).optional(),
  columns('block_verification', { attestation: 'attestation', keyNamedBy: 'key_named_by' }, 'v').optional(),
  expression('ledgerId', 'bytea', ofLedger('ledger_id')).nullable(),
  expression('origin', 'text', ofLedger('origin')).nullable(),
);

/** Blocks before another ledger id was handed over are of the one before. */
function ofLedger(column: string): string {
  const former = `select ${column} from former_ledger where until_block >= r.index order by until_block limit 1`;
  return `coalesce((${former}), (select ${column} from ledger_trust))`;
}

/** version: of the file. coverKind: null also without a row, as of record files. */
export type VerificationRow = RowOf<typeof verification>;
const needed = ['consensusEnd', 'consensusStart', 'gasUsed', 'logsBloom', 'number'] as const;
const versions = ['hapiVersionMajor', 'hapiVersionMinor', 'hapiVersionPatch'] as const;
const select = choosing(block, [...needed, ...versions]);

/** The columns that are read. */
export type BlockRow = Pick<RowOf<typeof block>, (typeof needed | typeof versions)[number]>;

export type BlocksFilter = PageFilter & {
  number: Range;
  /** Of the consensus end, ns. */
  timestamp: Range;
  by: 'number' | 'timestamp';
};

export function selectBlocks<Name extends string>(db: Database, filter: BlocksFilter & Wanted<Name>) {
  const { number, timestamp, by, members } = filter;
  const [index, end] = [{ index: number }, { consensus_end: timestamp }];
  const query = {
    name: 'select-blocks',
    shape: by,
    select: select(members),
    from: 'record_file r where true',
    values: [],
  };
  return by === 'number'
    ? selectPage(db, filter, { ...query, keys: index, further: end })
    : selectPage(db, filter, { ...query, keys: end, further: index });
}

/** A prefix of a hash is hex in lower case, without `0x`. */
export type BlockName = { number: bigint } | { hashPrefix: string };

/** At most two. */
export function selectBlocksNamed<Name extends string>(db: Database, name: BlockName, { members }: Wanted<Name>) {
  return db.query(selectNamed(name, { name: 'select-block', select: select(members), from: 'record_file r' }));
}

/** The same with how they were verified. */
export function selectProvedBlocksNamed<Name extends string>(db: Database, name: BlockName, { members }: Wanted<Name>) {
  const from = 'record_file r left join block_verification v on v.consensus_end = r.consensus_end';
  const all = { name: 'select-proved-block', select: withVerification(members), from };
  return db.query(selectNamed(name, all));
}

/** The first that ends at or after this consensus time (ns), with how it was verified; null = there is none yet. */
export function selectProvedBlockFrom<Name extends string>(db: Database, timestamp: bigint, { members }: Wanted<Name>) {
  return selectOne(db, {
    name: 'select-proved-block-from',
    select: withVerification(members),
    from: `from record_file r left join block_verification v on v.consensus_end = r.consensus_end
where r.consensus_end >= $1 order by r.consensus_end limit 1`,
    values: [timestamp],
  });
}

function withVerification<Name extends string>(members: readonly Name[]) {
  const chosen = select(members);
  return { ...selectAll(chosen, verification), shape: chosen.shape! };
}

type NamedBlocks<Row> = { name: string; select: Selection<Row>; from: string };

function selectNamed<Row>(block: BlockName, { name, select, from }: NamedBlocks<Row>) {
  const byNumber = 'number' in block;
  return selectQuery({
    name: byNumber ? `${name}-by-number` : `${name}-by-hash`,
    select,
    // Hashes are hex: `g` follows every one of them.
    from: `from ${from}
where ${byNumber ? 'r.index = $1' : `r.hash collate "C" >= $1 and r.hash collate "C" < $1 || 'g'`} limit 2`,
    values: [byNumber ? block.number : block.hashPrefix],
  });
}
