// Checked contracts of a test database as the program reads them, and a way to store matches without a compiler: what
// compilers and explorers say is anybody's.
import { createHash } from 'node:crypto';
import { createContractAbis } from '../../../src/contracts/abi/create-contract-abis.ts';
import { createVerifiedAbis } from '../../../src/contracts/abi/verified-abis.ts';
import { type AskContract, createLedgerChain } from '../../../src/contracts/onchain/ledger-chain.ts';
import type { Database } from '../../postgres/wire/database.ts';
import { toLongZeroAddress } from '../../protocol/hapi/evm-address.ts';
import { usualRealm } from '../../protocol/hapi/system-entity.ts';
import { createVerificationArchive } from '../../verification/archive/verification-archive.ts';
import { createContractLookup } from '../../verification/contract-lookup.ts';
import { toHex } from '../../verification/terms/hex.ts';
import type { SideOutcome } from '../../verification/terms/verification-outcome.ts';
import type { VerificationJobs } from '../../verification/verification-jobs.ts';
import { createVerifiedSources } from '../../verification/verified-sources.ts';

export type StoredMatch = {
  num: bigint;
  name: string;
  abi: unknown[];
  /** Text by path; the first one is the contract's. */
  sources: Record<string, string>;
  storageLayout?: unknown;
  settings?: Record<string, unknown>;
  match?: 'perfect' | 'partial';
  constructorArguments?: string;
  version?: string;
};

export function openChecked(
  db: Database,
  jobs: Pick<VerificationJobs, 'find'> | null = null,
  ask: AskContract | undefined = undefined,
) {
  const chain = { chainId: '298', name: 'demo', bytecode: { kind: 'ledger' }, explorers: [] } as const;
  const system = usualRealm;
  const archive = createVerificationArchive({
    db,
    log(_sentence, error) {
      throw error;
    },
  });
  const onchain = createLedgerChain({ chain, db, system, ask });
  const verified = createVerifiedAbis({ db, archive });
  const lookup = createContractLookup({ db, archive, onchainSource: () => onchain, system });
  return {
    abis: createContractAbis({ archive, onchain, verified, turn: () => 0 }),
    sources: createVerifiedSources({ db, chain: () => chain, lookup, jobs: () => jobs }),
    async store({ num, name, abi, sources, match = 'perfect', ...more }: StoredMatch): Promise<void> {
      const contract = await onchain.read(toHex(toLongZeroAddress(num)));
      const side: SideOutcome = {
        match,
        transformations: [],
        transformationValues: more.constructorArguments ? { constructorArguments: more.constructorArguments } : {},
        onchainCode: contract.runtimeCode && toHex(contract.runtimeCode),
        compiledCode: '0x00',
      };
      const artifacts = { sourceMap: null, linkReferences: {}, cborAuxdata: {} };
      const hashes = Object.entries(sources).map(([path, text]) => [
        path,
        createHash('sha256').update(text).digest('hex'),
      ]);
      await archive.keepContract(
        contract,
        {
          ...{ status: match, code: 'match', message: '', runtime: side, creation: side, libraryMap: {}, proxy: null },
          compilation: {
            ...{
              language: 'Solidity',
              compilerVersion: more.version ?? '0.8.28+commit.7893614a',
              durationMs: 1,
              sources,
            },
            target: { path: Object.keys(sources)[0]!, name },
            sourceHashes: Object.fromEntries(hashes),
            settings: more.settings ?? {},
            ...{ abi, metadata: null, devdoc: {}, userdoc: {}, storageLayout: more.storageLayout ?? null },
            ...{ transientStorageLayout: null, sourceIds: null, shapes: [], signatures: [] },
            ...{ runtimeArtifacts: artifacts, creationArtifacts: artifacts },
          },
        },
        'request',
      );
    },
  };
}
