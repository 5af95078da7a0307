// Results of checks, stored in the database. Checks also work without it: failures to store are logged, and a database
// without these tables (one that this program does not own) stores nothing.

import { type Database, QueryError } from '../../postgres/wire/database.ts';
import { keccak256 } from '../../protocol/keccak256.ts';
import type { InputFile } from '../metadata/sort-files.ts';
import { insertCodeSkeletons, selectSimilarContracts } from '../store/code-skeletons.ts';
import { insertSimilarMatch } from '../store/insert-similar-match.ts';
import { insertVerifiedContract } from '../store/insert-verified-contract.ts';
import { type MatchOrigin, type NewMatch, sha256 } from '../store/match-row.ts';
import { selectVerificationDetails, type VerificationDetails } from '../store/select-verification-details.ts';
import {
  selectVerifiedContract,
  selectVerifiedTwin,
  type VerifiedContractRow,
} from '../store/select-verified-contracts.ts';
import { selectVerificationCheck, upsertVerificationCheck } from '../store/verification-checks.ts';
import { fromHex } from '../terms/hex.ts';
import type { OnchainContract } from '../terms/onchain-contract.ts';
import type { SourceClaim } from '../terms/source-claim.ts';
import type { CompilationResult, SideOutcome, VerificationOutcome } from '../terms/verification-outcome.ts';
import { hashCodeSkeleton } from './code-skeleton.ts';
import type { ContractCheck } from './contract-check.ts';
import { createSkeletonIndex } from './skeleton-index.ts';
import { isNamed, toFiles, toStoredClaims } from './stored-claim.ts';

export type KeptCheck = { checkedAtMs: number; claimHash: Buffer; codeHash: Buffer | null; check: ContractCheck };

export type VerificationArchive = {
  findCheck(chainId: string, address: string): Promise<KeptCheck | null>;
  keepCheck(onchain: OnchainContract, kept: { claimHash: Buffer; check: ContractCheck }): Promise<void>;
  findContract(chainId: string, address: string): Promise<VerifiedContractRow | null>;
  /** A verified contract with the same code, byte for byte. */
  findTwin(onchain: OnchainContract): Promise<VerifiedContractRow | null>;
  /** Stores a match, unless a better one is stored. */
  keepContract(onchain: OnchainContract, outcome: VerificationOutcome, origin: MatchOrigin): Promise<void>;
  /** Stores a match with a compilation that is stored, unless a better one is. Rejects if it cannot be stored. */
  keepSimilar(onchain: OnchainContract, compilationId: bigint, sides: Sides): Promise<void>;
  /** Matches that this process has stored: what was found before may be outdated if it has grown. */
  keptContracts(): number;
  /** Claims of verified contracts whose code may be of the same source, likeliest first. */
  findSimilar(runtimeCode: Buffer): Promise<SourceClaim[]>;
  /** The metadata with this hash (`hashMetadata`) and its sources, of a verified contract with similar code. */
  findMetadata(runtimeCode: Buffer, hash: string): Promise<InputFile[] | null>;
};

type Sides = Pick<VerificationOutcome, 'creation' | 'runtime'>;
type Log = (sentence: string, error: Error) => void;

/** Each is compiled. */
const maxSimilar = 20;

export function createVerificationArchive({ db, log }: { db: Database; log: Log }): VerificationArchive {
  let kept = 0;
  const skeletons = createSkeletonIndex(db);
  return {
    keptContracts: () => kept,
    async findCheck(chainId, address) {
      const row = await orNull(selectVerificationCheck(db, BigInt(chainId), fromHex(address)));
      return (
        row && {
          checkedAtMs: row.checkedAt.getTime(),
          claimHash: row.claimHash,
          codeHash: row.runtimeCodeHash,
          check: JSON.parse(row.answer) as ContractCheck,
        }
      );
    },
    async keepCheck(onchain, { claimHash, check }) {
      await tryKeeping(() =>
        upsertVerificationCheck(db, {
          ...keyOf(onchain),
          claimHash,
          runtimeCodeHash: codeHashOf(onchain),
          answer: JSON.stringify(check),
        }),
      );
    },
    findContract: (chainId, address) => orNull(selectVerifiedContract(db, BigInt(chainId), fromHex(address))),
    async findTwin(onchain) {
      const codeHash = codeHashOf(onchain);
      return codeHash && orNull(selectVerifiedTwin(db, codeHash));
    },
    async keepContract(onchain, outcome, origin) {
      const { compilation } = outcome;
      if (compilation === null || outcome.code !== 'match') return;
      await tryKeeping(async () => {
        await insertVerifiedContract(db, toNewContract(onchain, outcome, compilation, origin));
        const { runtimeCode: code } = onchain;
        if (code) await insertCodeSkeletons(db, [{ codeHash: sha256(code), skeletonHash: hashCodeSkeleton(code) }]);
      });
      kept += 1;
    },
    async keepSimilar(onchain, compilationId, { creation, runtime }) {
      const sides = {
        creation: toNewSide(creation, toBytes(creation.onchainCode)),
        runtime: toNewSide(runtime, onchain.runtimeCode),
      };
      await insertSimilarMatch(db, { ...toMatch(onchain), ...sides, origin: 'similar', proxy: null, compilationId });
      kept += 1;
    },
    async findSimilar(runtimeCode) {
      return (await detailsOfSimilar(runtimeCode)).flatMap(toStoredClaims).slice(0, maxSimilar);
    },
    async findMetadata(runtimeCode, hash) {
      const details = (await detailsOfSimilar(runtimeCode)).find((one) => isNamed(one, hash));
      return details ? toFiles(details) : null;
    },
  };

  async function detailsOfSimilar(runtimeCode: Buffer): Promise<VerificationDetails[]> {
    await tryKeeping(skeletons.complete);
    const similar = await orNull(selectSimilarContracts(db, hashCodeSkeleton(runtimeCode), maxSimilar));
    const found: VerificationDetails[] = [];
    for (const { chainId, address } of similar ?? []) {
      const details = await selectVerificationDetails(db, chainId, address);
      if (details) found.push(details);
    }
    return found;
  }

  async function tryKeeping(keep: () => Promise<unknown>): Promise<void> {
    try {
      await keep();
    } catch (error) {
      log('the result of a contract check could not be kept', error as Error);
    }
  }
}

/** SHA-256 of everything in a claim, independent of the order of members. */
export function hashClaim(claim: SourceClaim): Buffer {
  return sha256(Buffer.from(JSON.stringify(sortMembers(claim))));
}

export function codeHashOf({ runtimeCode }: OnchainContract): Buffer | null {
  return runtimeCode && sha256(runtimeCode);
}

const undefinedTable = '42P01';

/** Null if the database has no such table, as one that this program does not own. */
export async function orNull<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof QueryError && error.code === undefinedTable) return null;
    throw error;
  }
}

function toNewContract(
  onchain: OnchainContract,
  { runtime, creation, proxy }: VerificationOutcome,
  compilation: CompilationResult,
  origin: MatchOrigin,
): Parameters<typeof insertVerifiedContract>[1] {
  const { abi, metadata, devdoc, userdoc, storageLayout, transientStorageLayout, sourceIds } = compilation;
  // For a clone the address's own code is stored, so that other clones are recognized by it.
  const ownCreationCode = proxy ? (onchain.creationCodes[0] ?? null) : toBytes(creation.onchainCode);
  return {
    ...toMatch(onchain),
    origin,
    compilation: {
      compiler: compilation.language === 'Vyper' ? 'vyper' : 'solc',
      version: compilation.compilerVersion,
      language: compilation.language,
      name: compilation.target.name,
      path: compilation.target.path,
      settings: compilation.settings,
      artifacts: { abi, metadata, devdoc, userdoc, storageLayout, transientStorageLayout, sources: sourceIds },
      creationArtifacts: compilation.creationArtifacts,
      runtimeArtifacts: compilation.runtimeArtifacts,
      sources: compilation.sources,
      sourceHashes: compilation.sourceHashes,
      index: { shapes: compilation.shapes.map(toIndexed), signatures: compilation.signatures.map(toIndexed) },
    },
    creation: toNewSide(creation, ownCreationCode),
    runtime: toNewSide(runtime, onchain.runtimeCode),
    proxy,
  };
}

function toMatch(onchain: OnchainContract): Pick<NewMatch, 'chainId' | 'address' | 'deployment' | 'keccak'> {
  return {
    ...keyOf(onchain),
    deployment: {
      transactionHash: toBytes(onchain.creation?.transactionHash),
      blockNumber: onchain.creation?.blockNumber ?? null,
      transactionIndex: onchain.creation?.transactionIndex ?? null,
      deployer: toBytes(onchain.creation?.deployer),
    },
    keccak: keccak256,
  };
}

function toIndexed<T extends { hash: string }>(entry: T): Omit<T, 'hash'> & { hash: Buffer } {
  return { ...entry, hash: Buffer.from(entry.hash, 'hex') };
}

function toNewSide(
  { match, transformations, transformationValues: values, compiledCode }: SideOutcome,
  onchainCode: Buffer | null,
) {
  return { match, transformations, values, onchainCode, compiledCode: toBytes(compiledCode) };
}

function keyOf({ chainId, address }: OnchainContract): { chainId: bigint; address: Buffer } {
  return { chainId: BigInt(chainId), address: fromHex(address) };
}

function toBytes(hex: string | null | undefined): Buffer | null {
  return hex ? fromHex(hex) : null;
}

function sortMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortMembers);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => [name, sortMembers(member)]),
  );
}
