// Blocks of a block stream that no signature of the network is known to cover, or only one whose key nothing vouches
// for.
import type { Database } from '../../postgres/wire/database.ts';
import { canRead, selectOne } from './select-one.ts';
import { expression, type RowOf, selectAll } from './statement/columns.ts';

const unverified = selectAll(
  expression('blocks', 'int8', 'count(*)'),
  expression('stored', 'int8', '(select count(*) from record_file)'),
);
const unproved = selectAll(expression('blocks', 'int8', 'count(*)'));
const firstOfKind = selectAll(expression('number', 'int8', 'r.index'));

/** Blocks that no signature covers, and all blocks; counts the whole table. */
export async function countUnverifiedBlocks(db: Database): Promise<RowOf<typeof unverified> | null> {
  if (!(await canRead(db, 'block_verification'))) return null;
  return selectOne(db, {
    name: 'count-unverified-blocks',
    select: unverified,
    from: 'from block_verification where rests_on is null',
  });
}

/** Blocks whose signature is good, and whose key nothing vouches for. */
export async function countUnprovedBlocks(db: Database): Promise<bigint> {
  if (!(await knowsAttestation(db))) return 0n;
  const found = await selectOne(db, {
    name: 'count-unproved-blocks',
    select: unproved,
    from: `from block_verification where attestation = 'unproved'`,
  });
  return found!.blocks;
}

/** Number of the first block that no signature covers; null without one. */
export async function selectFirstUnverifiedBlock(db: Database): Promise<bigint | null> {
  if (!(await canRead(db, 'block_verification'))) return null;
  return selectFirst(db, 'select-first-unverified-block', 'v.rests_on is null');
}

/** Number of the first block whose signature is by a key that nothing vouches for; null without one. */
export async function selectFirstUnprovedBlock(db: Database): Promise<bigint | null> {
  if (!(await knowsAttestation(db))) return null;
  return selectFirst(db, 'select-first-unproved-block', `v.attestation = 'unproved'`);
}

/** The tables of one migration; a server may read a database that it does not migrate. */
const knowsAttestation = (db: Database) => canRead(db, 'ledger_key');

async function selectFirst(db: Database, name: string, condition: string): Promise<bigint | null> {
  const found = await selectOne(db, {
    name,
    select: firstOfKind,
    from: `from block_verification v join record_file r on r.consensus_end = v.consensus_end
where ${condition} order by v.consensus_end limit 1`,
  });
  return found?.number ?? null;
}
