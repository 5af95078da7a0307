// Stores what a check has proved: sources, compiled and on-chain code, artifacts, and the match. One statement, so it
// is stored whole or not at all. A contract's row is replaced only by a better match, or if other code is on chain now.
import { hash } from 'node:crypto';
import type { Database } from '../../postgres/wire/database.ts';
import { type CompilationIndex, indexParts, toIndexValues } from './compilation-index.ts';
import { byHash, matchInsert, matchParts, type NewMatch, sha256, toMatchValues } from './match-row.ts';

export type NewVerifiedContract = NewMatch & {
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
    index: CompilationIndex;
  };
};

/** The id of the match; null if the stored one is at least as good. */
export async function insertVerifiedContract(db: Database, contract: NewVerifiedContract): Promise<bigint | null> {
  const { compilation, creation, runtime } = contract;
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
      ...toMatchValues(contract),
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
      ...toIndexValues(compilation.index),
    ],
  });
  return rows[0]?.id ?? null;
}

function hexHash(bytes: Uint8Array): string {
  return hash('sha256', bytes, 'hex');
}

const statement = `with ${matchParts}, contents as (
  insert into verification_source (source_hash, source_hash_keccak, content)
  select given.* from worth, unnest($20::bytea[], $21::bytea[], $22::bytea[]) given on conflict do nothing
), compilation as (
  insert into verification_compilation as c (identity_hash, compiler, version, language, name, fully_qualified_name,
    compiler_settings, compilation_artifacts, creation_code_hash, creation_code_artifacts, runtime_code_hash,
    runtime_code_artifacts)
  select $25::bytea, $26, $27, $28, $29, $30, $31::json, $32::json, $33::bytea, $34::json, $35::bytea, $36::json from worth
  on conflict (identity_hash) do update set identity_hash = c.identity_hash returning id
), paths as (
  insert into verification_compilation_source (compilation_id, path, source_hash)
  select compilation.id, given.path, given.source_hash
  from compilation, unnest($23::text[], $24::bytea[]) as given (path, source_hash) on conflict do nothing
), ${indexParts('compilation', 37)}, stored as (
  ${matchInsert}
  returning id
), task as (
  -- What was found through another match has no shape that was not looked for before.
  insert into contract_match_task (kind, subject, position)
  select 'match', id, 0 from stored where $3 not in ('similar', 'compiled_along')
)
select id from stored`;
