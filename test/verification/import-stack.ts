// A mirror's database with the contracts of a simulated network, what they were compiled from, and imports of exports
// into it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { openDatabase } from '../../packages/postgres/wire/database.ts';
import { toLongZeroAddress } from '../../packages/protocol/hapi/evm-address.ts';
import { usualRealm } from '../../packages/protocol/hapi/system-entity.ts';
import { initcodeOf } from '../../packages/simulated-network/evm/artifacts.ts';
import { openImported } from '../../packages/test-support/ledgers/open-imported.ts';
import { checkWithKept } from '../../packages/test-support/verification/kept-compilers.ts';
import { createVerificationArchive } from '../../packages/verification/archive/verification-archive.ts';
import { createVerifier } from '../../packages/verification/create-verifier.ts';
import { openMatchExport } from '../../packages/verification/exports/open-match-export.ts';
import { type ImportMatchesOptions, importMatches } from '../../packages/verification/imports/import-matches.ts';
import type { ImportSummary } from '../../packages/verification/imports/import-summary.ts';
import { createLedgerChain } from '../../src/contracts/onchain/ledger-chain.ts';
import { compilerVersion, sourceFile } from '../support/contracts/sample-contracts.ts';
import type { WrittenMatch } from './write-exports.ts';

export type ImportStack = {
  connectionString: string;
  /** Of each contract of the network one match, as Sourcify would have it. */
  matches: WrittenMatch[];
  /** One of each source, by address. */
  samples: WrittenMatch[];
  run(from: string, options?: Partial<ImportMatchesOptions>): Promise<ImportRun>;
  query(statement: string): Promise<Record<string, unknown>[]>;
  /** Verified contracts and what they were compiled from, without ids and times. */
  stored(): Promise<Record<string, unknown>[]>;
  /** Forgets all checks. */
  clear(): Promise<void>;
  /** The same, and an empty folder, which is there until the next one. */
  begin(): Promise<string>;
  close(): Promise<void>;
};

type ImportRun = { summary: ImportSummary; problems: string[] };

const names = ['Counter', 'Coin', 'Factory', 'Reverter', 'Vault'] as const;

export async function startImportStack(): Promise<ImportStack> {
  const ledger = await openImported({ seed: 'contract import', blocks: 30, transactionsPerBlock: 25 });
  const scratch = await ledger.openDatabase();
  const { connectionString } = scratch;
  const db = openDatabase({ connectionString });
  const client = new pg.Client({ connectionString });
  await client.connect();
  const chain = createLedgerChain({ chain: { chainId: '298' }, db, system: usualRealm });
  const verifier = createVerifier({
    compilers: { folder: null, download: 'off', downloadUrl: '' },
    limits: { compileMs: 240_000, memoryBytes: 2_000_000_000, concurrent: 2, queue: 10, inputBytes: 1_000_000 },
    log: () => undefined,
    runCheck: checkWithKept,
  });
  const failures: Error[] = [];
  const archive = createVerificationArchive({ db, log: (_, error) => failures.push(error) });

  async function toMatches(): Promise<WrittenMatch[]> {
    const matches: WrittenMatch[] = [];
    for (const account of ledger.stream.truth.accounts.values()) {
      if (!account.isContract || account.deleted) continue;
      const onchain = await chain.read(`0x${toLongZeroAddress(account.id).toString('hex')}`);
      const name = names.find((one) =>
        onchain.creationCodes.some((code) => code.subarray(0, 400).equals(initcodeOf(one).subarray(0, 400))),
      );
      if (name === undefined) continue;
      const path = `${name}.sol`;
      matches.push({
        chainId: '298',
        address: onchain.address,
        level: 'perfect',
        compilerVersion,
        path,
        name,
        sources: { [path]: sourceFile(path) },
        settings: { evmVersion: 'cancun', optimizer: { enabled: true, runs: 200 } },
      });
    }
    return matches;
  }

  async function clear(): Promise<void> {
    await client.query(
      'truncate verified_contract, verification_compilation_source, verification_compilation, verification_source, verification_code, verification_job cascade',
    );
  }

  let folder: string | null = null;
  const removeFolder = (): void => {
    if (folder !== null) rmSync(folder, { recursive: true, force: true });
  };
  const matches = await toMatches();
  return {
    connectionString,
    matches,
    samples: oneOfEach(matches),
    async run(from, options = {}) {
      const problems: string[] = [];
      const exported = openMatchExport(from, {
        limits: { inputBytes: 1_000_000, stepMs: 60_000 },
        onProblem: (sentence) => problems.push(sentence),
        onStep: () => undefined,
      });
      try {
        const summary = await importMatches({
          db,
          verifier,
          archive,
          chains: new Map([['298', { source: chain, isRemote: false }]]),
          matches: exported,
          isDryRun: false,
          isAgain: false,
          limit: null,
          concurrent: 2,
          signal: new AbortController().signal,
          onProgress: () => undefined,
          ...options,
        });
        if (failures.length > 0) throw failures[0];
        return { summary, problems };
      } finally {
        await exported.close();
      }
    },
    query: async (statement) => (await client.query(statement)).rows,
    stored: async () =>
      (
        await client.query(`select encode(v.address, 'hex') as address, v.chain_id, v.origin, v.creation_match, v.runtime_match,
  c.version, c.fully_qualified_name, c.compiler_settings::text as settings,
  (select json_agg(json_build_array(s.path, encode(s.source_hash, 'hex')) order by s.path)::text
   from verification_compilation_source s where s.compilation_id = c.id) as sources
from verified_contract v join verification_compilation c on c.id = v.compilation_id order by v.address`)
      ).rows,
    clear,
    async begin() {
      await clear();
      removeFolder();
      folder = mkdtempSync(join(tmpdir(), 'contract-import-'));
      return folder;
    },
    async close() {
      removeFolder();
      await verifier.close();
      await db.close();
      await client.end();
      await scratch.close();
    },
  };
}

function oneOfEach(matches: readonly WrittenMatch[]): WrittenMatch[] {
  const byName = new Map(matches.map((match) => [match.name, match]));
  return [...byName.values()].sort((a, b) => (a.address < b.address ? -1 : 1));
}
