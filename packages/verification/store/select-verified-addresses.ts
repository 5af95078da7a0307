// Addresses of a chain's verified contracts by the place in its list, and how many there are.
import type { Database } from '../../postgres/wire/database.ts';

/** full: either side is a perfect match. */
type VerifiedMatch = 'any' | 'full' | 'partial';

export type AddressPage = { order: 'asc' | 'desc'; limit: number; offset: number; match: VerifiedMatch };

export async function selectVerifiedAddresses(
  db: Database,
  chainId: bigint,
  { order, limit, offset, match }: AddressPage,
): Promise<Buffer[]> {
  const rows = await db.query<{ address: Buffer }>({
    name: 'select-verified-addresses',
    reads: true,
    shape: `${order}:${match}`,
    text: `select address from verified_contract where chain_id = $1${conditions[match]} order by id ${order} limit $2 offset $3`,
    values: [chainId, BigInt(limit), BigInt(offset)],
  });
  return rows.map(({ address }) => address);
}

export async function countVerified(db: Database, chainId: bigint): Promise<{ full: number; partial: number }> {
  const [row] = await db.query<{ full: bigint; partial: bigint }>({
    name: 'count-verified',
    reads: true,
    text: `select count(*) filter (where ${isFull}) as "full", count(*) filter (where not ${isFull}) as partial
from verified_contract where chain_id = $1`,
    values: [chainId],
  });
  return { full: Number(row!.full), partial: Number(row!.partial) };
}

const isFull = `('perfect' in (coalesce(creation_match, ''), coalesce(runtime_match, '')))`;
const conditions: Readonly<Record<VerifiedMatch, string>> = {
  any: '',
  full: ` and ${isFull}`,
  partial: ` and not ${isFull}`,
};
