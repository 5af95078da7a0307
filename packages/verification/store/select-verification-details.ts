// Everything stored about one verified contract: sources, compiler, settings, artifacts, code of both kinds.
import type { Database } from '../../postgres/wire/database.ts';

export type VerificationDetails = {
  transactionHash: Buffer | null;
  blockNumber: bigint | null;
  transactionIndex: number | null;
  deployer: Buffer | null;
  compiler: string;
  version: string;
  language: string;
  name: string;
  fullyQualifiedName: string;
  /** null = this side did not match. */
  creationMatch: string | null;
  runtimeMatch: string | null;
  /** JSON texts from here on, as they were stored. */
  compilerSettings: string;
  compilationArtifacts: string;
  creationCodeArtifacts: string;
  runtimeCodeArtifacts: string;
  creationTransformations: string;
  creationValues: string;
  runtimeTransformations: string;
  runtimeValues: string;
  onchainCreationCode: Buffer | null;
  onchainRuntimeCode: Buffer | null;
  compiledCreationCode: Buffer | null;
  compiledRuntimeCode: Buffer | null;
  sourcePaths: string[];
  sourceContents: Buffer[];
};

export async function selectVerificationDetails(
  db: Database,
  chainId: bigint,
  address: Buffer,
): Promise<VerificationDetails | null> {
  const code = (hash: string) => `(select code from verification_code where code_hash = ${hash})`;
  const rows = await db.query<VerificationDetails>({
    name: 'select-verification-details',
    reads: true,
    text: `select v.transaction_hash, v.block_number, v.transaction_index, v.deployer,
  c.compiler, c.version, c.language, c.name, c.fully_qualified_name,
  c.compiler_settings::text, c.compilation_artifacts::text, c.creation_code_artifacts::text, c.runtime_code_artifacts::text,
  v.creation_match, v.runtime_match, v.creation_transformations::text, v.creation_values::text, v.runtime_transformations::text, v.runtime_values::text,
  ${code('v.onchain_creation_code_hash')} as onchain_creation_code,
  ${code('v.onchain_runtime_code_hash')} as onchain_runtime_code,
  ${code('c.creation_code_hash')} as compiled_creation_code,
  ${code('c.runtime_code_hash')} as compiled_runtime_code,
  s.source_paths, s.source_contents
from verified_contract v join verification_compilation c on c.id = v.compilation_id,
lateral (
  select array_agg(p.path order by p.path) as source_paths, array_agg(f.content order by p.path) as source_contents
  from verification_compilation_source p join verification_source f using (source_hash)
  where p.compilation_id = c.id) s
where v.chain_id = $1 and v.address = $2`,
    values: [chainId, address],
  });
  return rows[0] ?? null;
}
