// Stores what a check has proved: sources, compiled and on-chain code, artifacts, and the match. One statement, so it is
// stored whole or not at all. A contract's row is replaced only by a better match, or if other code is on chain now.
import { hash } from 'node:crypto';
import type { Database } from '../wire/database.ts';

export type NewVerifiedContract = {
  chainId: bigint;
  address: Buffer;
  origin: 'explorer' | 'request' | 'import';
  deployment: {
    transactionHash: Buffer | null;
    blockNumber: bigint | null;
    transactionIndex: number | null;
    deployer: Buffer | null;
  };
  compilation: {
    compiler: string;
    version: string;
    language: string;
    name: string;
    path: string;
    settings: unknown;
    artifacts: unknown;
    creationArtifacts: unknown;
    runtimeArtifacts: unknown;
    sources: Readonly<Record<string, string>>;
    /** Keccak-256 of each source, in hex. */
    sourceHashes: Readonly<Record<string, string>>;
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

/** The id of the match; null if the stored one is at least as good. */
export async function insertVerifiedContract(db: Database, contract: NewVerifiedContract): Promise<bigint | null> {
  const { compilation, creation, runtime, keccak } = contract;
  const codes = byHash(
    [creation.onchainCode, creation.compiledCode, runtime.onchainCode, runtime.compiledCode]
      .filter((code) => code !== null)
      .map((code) => ({ bytes: code, keccak: keccak(code) })),
  );
  const sources = Object.entries(compilation.sources).map(([path, content]) => ({
    path,
    bytes: Buffer.from(content),
    keccak: Buffer.from(compilation.sourceHashes[path]!, 'hex'),
  }));
  const contents = byHash(sources);
  const settings = JSON.stringify(compilation.settings);
  const identity = JSON.stringify([
    compilation.version,
    compilation.language,
    compilation.path,
    compilation.name,
    settings,
    sources.map(({ path, bytes }) => [path, hexHash(bytes)]).sort(),
    [creation.compiledCode, runtime.compiledCode].map((code) => code && hexHash(code)),
  ]);
  const rows = await db.query<{ id: bigint }>({
    name: 'insert-verified-contract',
    text: statement,
    values: [
      codes.map(({ hash }) => hash),
      codes.map(({ keccak }) => keccak),
      codes.map(({ bytes }) => bytes),
      contents.map(({ hash }) => hash),
      contents.map(({ keccak }) => keccak),
      contents.map(({ bytes }) => bytes),
      sources.map(({ path }) => path),
      sources.map(({ bytes }) => sha256(bytes)),
      sha256(Buffer.from(identity)),
      compilation.compiler,
      compilation.version,
      compilation.language,
      compilation.name,
      `${compilation.path}:${compilation.name}`,
      settings,
      JSON.stringify(compilation.artifacts),
      creation.compiledCode && sha256(creation.compiledCode),
      JSON.stringify(compilation.creationArtifacts),
      runtime.compiledCode && sha256(runtime.compiledCode),
      JSON.stringify(compilation.runtimeArtifacts),
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
    ],
  });
  return rows[0]?.id ?? null;
}

export function sha256(bytes: Uint8Array): Buffer {
  return hash('sha256', bytes, 'buffer');
}

type Hashed = { hash: Buffer; keccak: Buffer; bytes: Buffer };

/** Each content once. */
function byHash(contents: readonly Omit<Hashed, 'hash'>[]): Hashed[] {
  const found = new Map<string, Hashed>();
  for (const { bytes, keccak } of contents) {
    const digest = sha256(bytes);
    found.set(digest.toString('hex'), { hash: digest, keccak, bytes });
  }
  return [...found.values()];
}

function hexHash(bytes: Uint8Array): string {
  return hash('sha256', bytes, 'hex');
}

const rank = (creation: string, runtime: string): string => {
  const side = (match: string) => `case ${match} when 'perfect' then 2 when 'partial' then 1 else 0 end`;
  return `10 * greatest(${side(creation)}, ${side(runtime)}) + ${side(creation)} + ${side(runtime)}`;
};
const storedRank = rank('v.creation_match', 'v.runtime_match');
const newRank = rank('$30::text', '$33::text');

// Nothing is stored of a match that is no better: endless variants of a source would be endless rows.
const statement = `with worth as (
  select where not exists (
    select from verified_contract v where v.chain_id = $21 and v.address = $22
      and v.onchain_runtime_code_hash is not distinct from $29::bytea and ${storedRank} >= ${newRank})
), codes as (
  insert into verification_code (code_hash, code_hash_keccak, code)
  select given.* from worth, unnest($1::bytea[], $2::bytea[], $3::bytea[]) given on conflict do nothing
), contents as (
  insert into verification_source (source_hash, source_hash_keccak, content)
  select given.* from worth, unnest($4::bytea[], $5::bytea[], $6::bytea[]) given on conflict do nothing
), compilation as (
  insert into verification_compilation as c (identity_hash, compiler, version, language, name, fully_qualified_name,
    compiler_settings, compilation_artifacts, creation_code_hash, creation_code_artifacts, runtime_code_hash,
    runtime_code_artifacts)
  select $9::bytea, $10, $11, $12, $13, $14, $15::json, $16::json, $17::bytea, $18::json, $19::bytea, $20::json from worth
  on conflict (identity_hash) do update set identity_hash = c.identity_hash returning id
), paths as (
  insert into verification_compilation_source (compilation_id, path, source_hash)
  select compilation.id, given.path, given.source_hash
  from compilation, unnest($7::text[], $8::bytea[]) as given (path, source_hash) on conflict do nothing
)
insert into verified_contract as v (chain_id, address, origin, transaction_hash, block_number, transaction_index, deployer,
  onchain_creation_code_hash, onchain_runtime_code_hash, compilation_id, creation_match, creation_transformations,
  creation_values, runtime_match, runtime_transformations, runtime_values, proxy)
select $21::bigint, $22::bytea, $23, $24::bytea, $25::bigint, $26::int, $27::bytea, $28::bytea, $29::bytea, compilation.id,
  $30::text, $31::json, $32::json, $33::text, $34::json, $35::json, $36::json
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
  or v.onchain_runtime_code_hash is distinct from excluded.onchain_runtime_code_hash
returning id`;
