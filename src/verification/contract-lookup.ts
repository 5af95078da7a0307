// Queries about verified contracts. An address that was never checked counts as verified if its code on our own chain is,
// byte for byte, that of a verified one.
import {
  selectVerificationDetails,
  type VerificationDetails,
} from '../store/verification/select-verification-details.ts';
import {
  selectVerifiedContract,
  selectVerifiedOnAllChains,
  selectVerifiedPage,
  type VerifiedContractRow,
  type VerifiedPage,
} from '../store/verification/select-verified-contracts.ts';
import type { Database } from '../store/wire/database.ts';
import type { VerificationArchive } from './archive/verification-archive.ts';
import type { Chain } from './registry/chain-registry.ts';
import { fromHex } from './terms/hex.ts';
import type { OnchainContract, OnchainSource } from './terms/onchain-contract.ts';

export type FoundContract = {
  contract: VerifiedContractRow;
  /** Set if the match is that of another contract with the same code. */
  similarTo: VerifiedContractRow | null;
};

export type ContractLookup = {
  /** `address`: 0x and 40 lower-case hex digits. */
  find(chain: Chain, address: string): Promise<FoundContract | null>;
  details(found: FoundContract): Promise<VerificationDetails | null>;
  /** What the chain itself knows; may call another chain. */
  onchain(chain: Chain, address: string): Promise<OnchainContract>;
  onAllChains(address: string): Promise<VerifiedContractRow[]>;
  page(chain: Chain, page: VerifiedPage): Promise<VerifiedContractRow[]>;
};

type Options = { db: Database; archive: VerificationArchive; onchainSource: (chain: Chain) => OnchainSource };

export function createContractLookup({ db, archive, onchainSource }: Options): ContractLookup {
  return {
    async find(chain, address) {
      const stored = await selectVerifiedContract(db, BigInt(chain.chainId), fromHex(address));
      if (stored) return { contract: stored, similarTo: null };
      // A lookup makes no network calls.
      if (chain.bytecode.kind !== 'ledger') return null;
      const onchain = await onchainSource(chain).read(address);
      if (onchain.kind !== 'contract') return null;
      const byOwnAddress =
        onchain.address === address ? null : await archive.findContract(chain.chainId, onchain.address);
      if (byOwnAddress) return { contract: byOwnAddress, similarTo: null };
      const twin = await archive.findTwin(onchain);
      if (!twin) return null;
      const own = { chainId: BigInt(chain.chainId), address: fromHex(onchain.address), creationMatch: null };
      return { contract: { ...twin, ...own }, similarTo: twin };
    },
    details({ contract, similarTo }) {
      const { chainId, address } = similarTo ?? contract;
      return selectVerificationDetails(db, chainId, address);
    },
    onchain: (chain, address) => onchainSource(chain).read(address),
    onAllChains: (address) => selectVerifiedOnAllChains(db, fromHex(address)),
    page: (chain, page) => selectVerifiedPage(db, BigInt(chain.chainId), page),
  };
}
