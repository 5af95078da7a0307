// Publications of ledger ids as their transactions' rows have them (table `ledger`), with what proved their blocks.
// Mirrors of earlier versions, and exports of others, have them without any note of what is trusted.

import type { Database } from '../../postgres/wire/database.ts';
import type { JsonValue } from '../../postgres/wire/values.ts';
import { parseExactJson } from './parse-exact-json.ts';
import { canRead, selectOne } from './select-one.ts';
import { expression, selectAll, selectQuery } from './statement/columns.ts';

export type PublishedLedger = PublishingBlock & (LedgerRow | { content: Buffer });

/** What its transaction's row has of it; `content`: the message itself, from the files of its block. */
export type LedgerRow = {
  ledgerId: Buffer;
  /** Empty or null: none was published, or it is not stored. */
  wrapsKey: Buffer | null;
  /** Of the first address book, as they are stored; null: they are not. */
  nodes: JsonValue;
};

export type PublishingBlock = {
  /** Of the publication, ns. */
  consensusTimestamp: bigint;
  /** Number of the block; of the first one after it, where its own is no longer stored. null: there is none. */
  block: bigint | null;
  /**
   * records: signatures of nodes prove its block. signedBlock: a signature of the network does, by a key that was
   * trusted. export: it is of an export that the database was filled from. unverified: nothing is known to prove it.
   */
  source: 'records' | 'signedBlock' | 'export' | 'unverified';
  /** Its block was imported by this revision of the import; null: it is not known. */
  revision: number | null;
};

const revision =
  '(select i.revision from import_revision i where i.after < l.consensus_timestamp order by i.after desc limit 1)';

/** `load_end` is in seconds. */
const isOfExport = `exists (select from bootstrap_run b
  where b.loaded_at is null or r.load_end is null or r.load_end <= extract(epoch from b.loaded_at))`;

const blockStreamVersion = 7;

const source = `case
  when ${isOfExport} then 'export'
  when r.version < ${blockStreamVersion}
    and not exists (select from block_proof p where p.consensus_end = r.consensus_end and not p.verified) then 'records'
  when exists (select from block_verification v where v.consensus_end = r.consensus_end
    and v.rests_on is not null and v.attestation is distinct from 'unproved') then 'signedBlock'
  else 'unverified' end`;

const publishingBlock = selectAll(
  expression('consensusTimestamp', 'int8', 'l.consensus_timestamp'),
  expression('block', 'int8', 'r.index').nullable(),
  expression('source', 'text', source),
  expression('revision', 'int4', revision).nullable(),
);
const published = selectAll(
  publishingBlock,
  expression('ledgerId', 'bytea', 'l.ledger_id'),
  expression('wrapsKey', 'bytea', 'l.history_proof_verification_key').nullable(),
  expression('nodes', 'text', 'l.node_contributions::text').nullable(),
);

const withBlock = `left join lateral (
  select index, version, consensus_end, load_end from record_file where consensus_end >= l.consensus_timestamp order by consensus_end limit 1
) r on true`;

/** In the order of their publication; empty for a database that this program does not own. */
export async function selectPublishedLedgers(db: Database): Promise<PublishedLedger[]> {
  if (!(await canRead(db, 'ledger_key'))) return [];
  const query = selectQuery({
    name: 'select-published-ledgers',
    select: published,
    from: `from ledger l ${withBlock} order by l.consensus_timestamp`,
  });
  const rows = await db.query(query);
  return rows.map(({ nodes, source, ...row }) => {
    return { ...row, source: source as PublishingBlock['source'], nodes: parseExactJson(nodes) };
  });
}

/** The same of the block with this consensus timestamp, ns. */
export async function selectPublishingBlockAt(db: Database, timestamp: bigint): Promise<PublishingBlock> {
  const found = await selectOne(db, {
    name: 'select-publishing-block-at',
    select: publishingBlock,
    from: `from (values ($1::int8)) l (consensus_timestamp) ${withBlock}`,
    values: [timestamp],
  });
  return { ...found!, source: found!.source as PublishingBlock['source'] };
}
