// Checked sources of the mirrored ledger's contracts as people read them: one file at a time, and never more than is shown.
import { selectVerifiedAbi } from '../store/verification/select-verified-abi.ts';
import {
  type SourceFileRow,
  selectVerifiedCompilation,
  selectVerifiedFile,
  selectVerifiedFiles,
  type VerifiedCompilationRow,
} from '../store/verification/select-verified-sources.ts';
import type { Database } from '../store/wire/database.ts';
import { orNothing } from './archive/verification-archive.ts';
import type { ContractLookup, FoundContract } from './contract-lookup.ts';
import type { Chain } from './registry/chain-registry.ts';

export type VerifiedSources = {
  /** Decimal. */
  chainId: string;
  /** `address`: 0x and 40 lower-case hex digits. null = it was not checked. */
  find(address: string): Promise<FoundContract | null>;
  compilation(found: FoundContract): Promise<VerifiedCompilationRow | null>;
  /** By path, those after one. */
  files(found: FoundContract, page: { after: string; limit: number }): Promise<SourceFileRow[]>;
  file(found: FoundContract, path: string): Promise<Buffer | null>;
  /** Where variables lie: parsed JSON of the compiler, of any kind. */
  layout(found: FoundContract): Promise<unknown>;
};

type Options = { db: Database; chain: Chain; lookup: Pick<ContractLookup, 'find'> };

const maxLayoutLength = 1_000_000;

export function createVerifiedSources({ db, chain, lookup }: Options): VerifiedSources {
  /** Sources are stored with the contract that was checked. */
  const keyOf = ({ contract, similarTo }: FoundContract) => similarTo ?? contract;
  return {
    chainId: chain.chainId,
    find: (address) => orNothing(lookup.find(chain, address)),
    compilation(found) {
      const { chainId, address } = keyOf(found);
      return selectVerifiedCompilation(db, chainId, address);
    },
    files(found, page) {
      const { chainId, address } = keyOf(found);
      return selectVerifiedFiles(db, { chainId, address, ...page });
    },
    file(found, path) {
      const { chainId, address } = keyOf(found);
      return selectVerifiedFile(db, { chainId, address, path });
    },
    async layout(found) {
      const row = await selectVerifiedAbi(db, keyOf(found).id, maxLayoutLength);
      return row?.storageLayout == null ? null : (JSON.parse(row.storageLayout) as unknown);
    },
  };
}
