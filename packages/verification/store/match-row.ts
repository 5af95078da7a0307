// The row of a match, with the codes that were compared; for every statement that stores one.
import { hash } from 'node:crypto';

/**
 * Who named the source: an explorer, a request, a contract with the same code but for open places, or one that it was
 * compiled along with.
 */
export type MatchOrigin = 'explorer' | 'request' | 'import' | 'similar' | 'compiled_along';

export type NewMatch = {
  chainId: bigint;
  address: Buffer;
  origin: MatchOrigin;
  deployment: {
    transactionHash: Buffer | null;
    blockNumber: bigint | null;
    transactionIndex: number | null;
    deployer: Buffer | null;
  };
  creation: NewSide;
  runtime: NewSide;
  proxy: unknown;
  keccak: (bytes: Uint8Array) => Buffer;
};

type NewSide = {
  match: 'perfect' | 'partial' | null;
  transformations: unknown;
  values: unknown;
  onchainCode: Buffer | null;
  compiledCode: Buffer | null;
};

/** The first 19 parameters of a statement with `matchParts` and `matchInsert`. */
export function toMatchValues(contract: NewMatch): unknown[] {
  const { creation, runtime, keccak } = contract;
  const codes = byHash(
    [creation.onchainCode, creation.compiledCode, runtime.onchainCode, runtime.compiledCode]
      .filter((code) => code !== null)
      .map((code) => ({ bytes: code, keccak: keccak(code) })),
  );
  return [
    contract.chainId,
    contract.address,
    contract.origin,
    contract.deployment.transactionHash,
    contract.deployment.blockNumber,
    contract.deployment.transactionIndex,
    contract.deployment.deployer,
    creation.onchainCode && sha256(creation.onchainCode),
    runtime.onchainCode && sha256(runtime.onchainCode),
    creation.match,
    JSON.stringify(creation.transformations),
    JSON.stringify(creation.values),
    runtime.match,
    JSON.stringify(runtime.transformations),
    JSON.stringify(runtime.values),
    JSON.stringify(contract.proxy),
    codes.map(({ hash }) => hash),
    codes.map(({ keccak }) => keccak),
    codes.map(({ bytes }) => bytes),
  ];
}

export function sha256(bytes: Uint8Array): Buffer {
  return hash('sha256', bytes, 'buffer');
}

type Hashed = { hash: Buffer; keccak: Buffer; bytes: Buffer };

/** Each content once. */
export function byHash(contents: readonly Omit<Hashed, 'hash'>[]): Hashed[] {
  const found = new Map<string, Hashed>();
  for (const { bytes, keccak } of contents) {
    const digest = sha256(bytes);
    found.set(digest.toString('hex'), { hash: digest, keccak, bytes });
  }
  return [...found.values()];
}

const rank = (creation: string, runtime: string): string => {
  const side = (match: string) => `case ${match} when 'perfect' then 2 when 'partial' then 1 else 0 end`;
  return `10 * greatest(${side(creation)}, ${side(runtime)}) + ${side(creation)} + ${side(runtime)}`;
};
const storedRank = rank('v.creation_match', 'v.runtime_match');
const newRank = rank('$10::text', '$13::text');

// Nothing is stored of a match that is no better: endless variants of a source would be endless rows.
export const matchParts = `worth as (
  select where not exists (
    select from verified_contract v where v.chain_id = $1 and v.address = $2
      and v.onchain_runtime_code_hash is not distinct from $9::bytea and ${storedRank} >= ${newRank})
), codes as (
  insert into verification_code (code_hash, code_hash_keccak, code)
  select given.* from worth, unnest($17::bytea[], $18::bytea[], $19::bytea[]) given on conflict do nothing
)`;

/** Into a match of `compilation`, one with an id. */
export const matchInsert = `insert into verified_contract as v (chain_id, address, origin, transaction_hash, block_number, transaction_index, deployer,
  onchain_creation_code_hash, onchain_runtime_code_hash, compilation_id, creation_match, creation_transformations,
  creation_values, runtime_match, runtime_transformations, runtime_values, proxy)
select $1::bigint, $2::bytea, $3::text, $4::bytea, $5::bigint, $6::int, $7::bytea, $8::bytea, $9::bytea, compilation.id,
  $10::text, $11::json, $12::json, $13::text, $14::json, $15::json, $16::json
from compilation
on conflict (chain_id, address) do update set id = excluded.id, verified_at = now(), origin = excluded.origin,
  transaction_hash = excluded.transaction_hash, block_number = excluded.block_number,
  transaction_index = excluded.transaction_index, deployer = excluded.deployer,
  onchain_creation_code_hash = excluded.onchain_creation_code_hash,
  onchain_runtime_code_hash = excluded.onchain_runtime_code_hash, compilation_id = excluded.compilation_id,
  creation_match = excluded.creation_match, creation_transformations = excluded.creation_transformations,
  creation_values = excluded.creation_values, runtime_match = excluded.runtime_match,
  runtime_transformations = excluded.runtime_transformations, runtime_values = excluded.runtime_values,
  proxy = excluded.proxy
where ${newRank} > ${storedRank}
  or v.onchain_runtime_code_hash is distinct from excluded.onchain_runtime_code_hash`;
