// Verified contracts: by address on one chain or all, a chain's list page by page, and by shared runtime code.
import type { Database } from '../../postgres/wire/database.ts';
import type { MatchOrigin } from './match-row.ts';

export type VerifiedContractRow = {
  id: bigint;
  chainId: bigint;
  address: Buffer;
  verifiedAt: Date;
  origin: MatchOrigin;
  creationMatch: 'perfect' | 'partial' | null;
  runtimeMatch: 'perfect' | 'partial' | null;
  /** SHA-256 of the code that was compared. */
  onchainRuntimeCodeHash: Buffer | null;
};

export async function selectVerifiedContract(
  db: Database,
  chainId: bigint,
  address: Buffer,
): Promise<VerifiedContractRow | null> {
  const rows = await db.query<VerifiedContractRow>({
    name: 'select-verified-contract',
    reads: true,
    text: `select ${columns} from verified_contract where chain_id = $1 and address = $2`,
    values: [chainId, address],
  });
  return rows[0] ?? null;
}

export function selectVerifiedOnAllChains(db: Database, address: Buffer): Promise<VerifiedContractRow[]> {
  return db.query({
    name: 'select-verified-on-all-chains',
    reads: true,
    text: `select ${columns} from verified_contract where address = $1 order by chain_id`,
    values: [address],
  });
}

export type VerifiedPage = { order: 'asc' | 'desc'; limit: number; afterId: bigint | null };

export function selectVerifiedPage(
  db: Database,
  chainId: bigint,
  { order, limit, afterId }: VerifiedPage,
): Promise<VerifiedContractRow[]> {
  const beyond = order === 'asc' ? '>' : '<';
  return db.query({
    name: 'select-verified-page',
    reads: true,
    shape: `${order}${afterId === null ? '' : ':after'}`,
    text: `select ${columns} from verified_contract
where chain_id = $1${afterId === null ? '' : ` and id ${beyond} $3`} order by id ${order} limit $2`,
    values: afterId === null ? [chainId, limit] : [chainId, limit, afterId],
  });
}

/** The best match with exactly this code on the chain; `runtimeCodeHash`: its SHA-256. */
export async function selectVerifiedTwin(db: Database, runtimeCodeHash: Buffer): Promise<VerifiedContractRow | null> {
  const rows = await db.query<VerifiedContractRow>({
    name: 'select-verified-twin',
    reads: true,
    text: `select ${columns} from verified_contract
where onchain_runtime_code_hash = $1 and runtime_match is not null order by runtime_match desc, id limit 1`,
    values: [runtimeCodeHash],
  });
  return rows[0] ?? null;
}

export function selectVerifiedByAddresses(
  db: Database,
  chainId: bigint,
  addresses: readonly Buffer[],
): Promise<VerifiedContractRow[]> {
  return db.query({
    name: 'select-verified-by-addresses',
    reads: true,
    text: `select ${columns} from verified_contract
where chain_id = $1 and address = any($2::bytea[])`,
    values: [chainId, addresses],
  });
}

/** What contracts are called in their sources, by the ids of their matches. */
export function selectVerifiedNames(db: Database, ids: readonly bigint[]): Promise<{ id: bigint; name: string }[]> {
  return db.query({
    name: 'select-verified-names',
    reads: true,
    text: `select v.id, c.name from verified_contract v join verification_compilation c on c.id = v.compilation_id
where v.id = any($1::bigint[])`,
    values: [ids],
  });
}

/** `selectVerifiedTwin` of many codes. */
export function selectVerifiedTwins(
  db: Database,
  runtimeCodeHashes: readonly Buffer[],
): Promise<VerifiedContractRow[]> {
  return db.query({
    name: 'select-verified-twins',
    reads: true,
    text: `select distinct on (onchain_runtime_code_hash) ${columns} from verified_contract
where onchain_runtime_code_hash = any($1::bytea[]) and runtime_match is not null
order by onchain_runtime_code_hash, runtime_match desc, id`,
    values: [runtimeCodeHashes],
  });
}

const columns = 'id, chain_id, address, verified_at, origin, creation_match, runtime_match, onchain_runtime_code_hash';
