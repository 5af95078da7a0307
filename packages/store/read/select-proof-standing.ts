// How the newest block is proved, and whether a ledger id was published that is not trusted.
import type { Database } from '../../postgres/wire/database.ts';
import { canRead, selectOne } from './select-one.ts';
import { selectPublishingTransactions } from './select-publishing-transactions.ts';
import { columns, expression, type RowOf, selectAll } from './statement/columns.ts';

export type ProofStanding = RowOf<typeof standing>;

const standing = selectAll(
  expression('number', 'int8', 'r.index'),
  expression('version', 'int4', 'r.version'),
  // Of a block of a block stream: whether a signature covers it, and whether something vouches for its key.
  expression('isCovered', 'bool', 'v.rests_on is not null'),
  expression('isProved', 'bool', `v.rests_on is not null and v.attestation is distinct from 'unproved'`),
  expression('isTrusted', 'bool', 'exists (select from ledger_trust)'),
);

/** null = nothing is stored yet, or the database is one that this program does not own. */
export async function selectProofStanding(db: Database): Promise<ProofStanding | null> {
  if (!(await canRead(db, 'ledger_key'))) return null;
  return selectOne(db, {
    name: 'select-proof-standing',
    select: standing,
    from: `from (select index, version, consensus_end from record_file order by consensus_end desc limit 1) r
left join block_verification v on v.consensus_end = r.consensus_end`,
  });
}

const ledger = columns('ledger', ['consensus_timestamp']);
const block = columns('record_file', { number: 'index' });

/**
 * The first block that published a ledger id, as rows say; null: none of them does. Its number is null where it was
 * dropped.
 */
export async function selectPublishingBlock(db: Database): Promise<{ block: bigint | null } | null> {
  const [transaction] = await selectPublishingTransactions(db);
  // Filters leave transactions out.
  const row = await selectOne(db, {
    name: 'select-first-ledger',
    select: ledger,
    from: 'from ledger order by consensus_timestamp limit 1',
  });
  const timestamp = transaction ?? row?.consensusTimestamp;
  if (timestamp === undefined) return null;
  const found = await selectOne(db, {
    name: 'select-publishing-block',
    select: block,
    from: 'from record_file where consensus_start <= $1 and consensus_end >= $1 order by consensus_end limit 1',
    values: [timestamp],
  });
  return { block: found?.number ?? null };
}
