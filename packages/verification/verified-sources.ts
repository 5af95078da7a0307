// Checked sources of the mirrored ledger's contracts as people read them: one file at a time, and never more than is
// shown.

import type { Database } from '../postgres/wire/database.ts';
import { orNull } from './archive/verification-archive.ts';
import type { ContractLookup, FoundContract } from './contract-lookup.ts';
import { type ImmutableName, nameImmutables } from './layout/name-immutables.ts';
import type { Chain } from './registry/chain-registry.ts';
import { type NamedContractRow, selectContractsByName } from './store/select-contracts-by-name.ts';
import { selectImmutablePlaces } from './store/select-immutable-places.ts';
import {
  type SourceFileName,
  type SourceFileRow,
  selectVerifiedCompilation,
  selectVerifiedFile,
  selectVerifiedFiles,
  type VerifiedCompilationRow,
} from './store/select-verified-sources.ts';
import type { VerificationJob, VerificationJobs } from './verification-jobs.ts';

export type VerifiedSources = {
  /** Decimal. */
  readonly chainId: string;
  /** `address`: 0x and 40 lower-case hex digits. null = it was not checked. */
  find(address: string): Promise<FoundContract | null>;
  compilation(found: FoundContract): Promise<VerifiedCompilationRow | null>;
  /** Contracts whose name begins so, in any case. */
  named(start: string, limit: number): Promise<NamedContractRow[]>;
  /** null = there is no such check. */
  findJob(id: string): Promise<VerificationJob | null>;
  /** Whether sources can be handed in: results are kept. */
  readonly takesSources: boolean;
  /** By path, those after the first `from`. */
  files(found: FoundContract, page: { from: number; limit: number }): Promise<SourceFileRow[]>;
  file(found: FoundContract, file: SourceFileName): Promise<{ path: string; content: Buffer } | null>;
  /** Names of what a constructor wrote into the code, by the compiler's number; those of which they are known. */
  immutables(found: FoundContract): Promise<ReadonlyMap<string, ImmutableName>>;
};

type Options = {
  db: Database;
  /** At present. */
  chain(): Chain;
  lookup: Pick<ContractLookup, 'find'>;
  /** null = no check is made here at present. */
  jobs(): Pick<VerificationJobs, 'find'> | null;
};

export function createVerifiedSources({ db, chain, lookup, jobs }: Options): VerifiedSources {
  /** Sources are stored with the contract that was checked. */
  const keyOf = ({ contract, similarTo }: FoundContract) => similarTo ?? contract;
  return {
    get chainId() {
      return chain().chainId;
    },
    get takesSources() {
      return jobs() !== null;
    },
    async findJob(id) {
      const found = jobs()?.find(id);
      return found ? orNull(found) : null;
    },
    async named(start, limit) {
      return (await orNull(selectContractsByName(db, { chainId: BigInt(chain().chainId), start, limit }))) ?? [];
    },
    find: (address) => orNull(lookup.find(chain(), address)),
    compilation(found) {
      const { chainId, address } = keyOf(found);
      return selectVerifiedCompilation(db, chainId, address);
    },
    files(found, page) {
      const { chainId, address } = keyOf(found);
      return selectVerifiedFiles(db, { chainId, address, ...page });
    },
    file(found, file) {
      const { chainId, address } = keyOf(found);
      return selectVerifiedFile(db, { chainId, address, file });
    },
    async immutables(found) {
      const { chainId, address } = keyOf(found);
      const row = await selectImmutablePlaces(db, chainId, address);
      if (row === null) return new Map();
      return nameImmutables({
        code: row.code,
        references: JSON.parse(row.references),
        sourceMap: row.sourceMap,
        sourceIds: row.sourceIds === null ? null : JSON.parse(row.sourceIds),
        sources: new Map(row.paths.map((path, at) => [path, row.contents[at]!])),
      });
    },
  };
}
