// A ledger with contracts of the simulated network, what each was compiled from by a second reading, and the search for
// their sources over it. The same check of the same contract is made once.

import { readFileSync } from 'node:fs';
import type { Database } from '../../packages/postgres/wire/database.ts';
import { usualRealm } from '../../packages/protocol/hapi/system-entity.ts';
import { writeSimulatedStream } from '../../packages/test-support/streams/simulated-stream.ts';
import { checkWithKept } from '../../packages/test-support/verification/kept-compilers.ts';
import { createVerificationArchive } from '../../packages/verification/archive/verification-archive.ts';
import { createContractLookup } from '../../packages/verification/contract-lookup.ts';
import { createVerifier, type Verifier } from '../../packages/verification/create-verifier.ts';
import type { SourceClaim } from '../../packages/verification/terms/source-claim.ts';
import type { VerificationOutcome } from '../../packages/verification/terms/verification-outcome.ts';
import { createVerifiedAbis } from '../../src/contracts/abi/verified-abis.ts';
import { createLedgerChain } from '../../src/contracts/onchain/ledger-chain.ts';
import { createSearch } from '../../src/contracts/whole-ledger/search-sources.ts';
import { compileSolidity } from '../support/contracts/compile-solidity.ts';

const files = ['Coin', 'Counter', 'Factory', 'Reverter', 'Vault', 'Prober'] as const;
export type FileName = (typeof files)[number];

const settings = { evmVersion: 'cancun', optimizer: { enabled: true, runs: 200 } };

function inputOf(file: FileName): SourceClaim['input'] {
  const path = new URL(`../../packages/simulated-network/contracts/${file}.sol`, import.meta.url);
  return { language: 'Solidity', sources: { [`${file}.sol`]: { content: readFileSync(path, 'utf8') } }, settings };
}

export function claimOf(file: FileName, name: string = file): SourceClaim {
  return {
    language: 'Solidity',
    compilerVersion: 'v0.8.37+commit.f401782d',
    input: inputOf(file),
    target: { path: `${file}.sol`, name },
  };
}

export function importContracts(connectionString: string, seed: string, blocks = 60): Promise<void> {
  return writeSimulatedStream({ seed, blocks, transactionsPerBlock: 25 }).then(async (stream) => {
    await stream.importInto(connectionString);
    stream.close();
  });
}

type Deployed = { object: string; immutableReferences?: Record<string, { start: number; length: number }[]> };

/** `File:Name` of code, by the compiler's own list of the places that a constructor fills. */
export async function createSourceOracle(): Promise<(code: Buffer) => string | null> {
  const outputs = await compileSolidity('0.8.37', files.map(inputOf));
  const compiled = outputs.flatMap(({ contracts }, place) =>
    Object.values(contracts).flatMap((inFile) =>
      Object.entries(inFile).map(([name, { evm }]) => {
        const { object, immutableReferences = {} } = evm.deployedBytecode as Deployed;
        return {
          name: `${files[place]}:${name}`,
          code: Buffer.from(object, 'hex'),
          open: Object.values(immutableReferences).flat(),
        };
      }),
    ),
  );
  return (code) => {
    const fits = compiled.find(({ code: template, open }) => {
      if (template.length !== code.length) return false;
      const emptied = Buffer.from(code);
      for (const { start, length } of open) emptied.fill(0, start, start + length);
      return emptied.equals(template);
    });
    return fits?.name ?? null;
  };
}

export function createKeepingVerifier(): Verifier {
  return createVerifier({
    compilers: { folder: null, download: 'off', downloadUrl: '' },
    limits: { compileMs: 120_000, memoryBytes: 2_000_000_000, concurrent: 2, queue: 100, inputBytes: 1_000_000 },
    log: () => undefined,
    runCheck: checkWithKept,
  });
}

/** The answers of checks, kept. */
export function rememberChecks(verifier: Verifier): Pick<Verifier, 'compare' | 'verify' | 'load'> & {
  made: () => { compiled: number; compared: number };
} {
  const compiled = new Map<string, Promise<VerificationOutcome>>();
  const compared = new Map<string, ReturnType<Verifier['compare']>>();
  const remember = <T>(kept: Map<string, T>, key: unknown, make: () => T): T => {
    const text = JSON.stringify(key);
    const known = kept.get(text) ?? make();
    kept.set(text, known);
    return known;
  };
  return {
    made: () => ({ compiled: compiled.size, compared: compared.size }),
    load: verifier.load,
    verify: (onchain, claim) => remember(compiled, [onchain.address, claim], () => verifier.verify(onchain, claim)),
    compare: (...asked) => remember(compared, asked, () => verifier.compare(...asked)),
  };
}

/** Everything as the program puts it together. */
export function openSearch(db: Database, verifier: Pick<Verifier, 'compare' | 'verify' | 'load'>) {
  const system = usualRealm;
  const problems: string[] = [];
  const log = (sentence: string, error: Error) => void problems.push(`${sentence}: ${error.message}`);
  const archive = createVerificationArchive({ db, log });
  const onchain = createLedgerChain({ chain: { chainId: '298' }, db, system });
  const verified = createVerifiedAbis({ db, archive });
  const search = createSearch({ db, network: { chainId: 298n }, onchain, system, archive, verifier, log });
  return {
    search,
    archive,
    onchain,
    verified,
    problems,
    lookup: createContractLookup({ db, archive, onchainSource: () => onchain, system }),
    /** A contract checked as by a request. */
    async check(address: string, claim: SourceClaim): Promise<void> {
      const contract = await onchain.read(address);
      const outcome = await verifier.verify(contract, claim);
      if (outcome.code !== 'match') throw new Error(`${address}: ${outcome.message}`);
      await archive.keepContract(contract, outcome, 'request');
    },
    /** Until nothing is left to do. */
    async finish(): Promise<void> {
      while ((await search.step()) !== null);
    },
  };
}
