// Queries about verified contracts. An address that was never checked counts as verified if its code on our own chain
// is, byte for byte, that of a verified one, or if it forwards every call to one. What was found for all contracts
// (`whole-ledger/`) is looked up first.

import type { Database } from '../postgres/wire/database.ts';
import { fromLongZeroAddress, isLongZeroAddress } from '../protocol/hapi/evm-address.ts';
import { inRealm, type SystemRealm } from '../protocol/hapi/system-entity.ts';
import { orNull, type VerificationArchive } from './archive/verification-archive.ts';
import { createProxyLookup, type FindProxyOf } from './proxy-lookup.ts';
import type { Chain } from './registry/chain-registry.ts';
import { type ContractMatchRow, selectContractMatch } from './store/contract-matches.ts';
import { selectVerificationDetails, type VerificationDetails } from './store/select-verification-details.ts';
import { type AddressPage, countVerified, selectVerifiedAddresses } from './store/select-verified-addresses.ts';
import {
  selectVerifiedByAddresses,
  selectVerifiedContract,
  selectVerifiedNames,
  selectVerifiedOnAllChains,
  selectVerifiedPage,
  type VerifiedContractRow,
  type VerifiedPage,
} from './store/select-verified-contracts.ts';
import { fromHex, toHex } from './terms/hex.ts';
import type { OnchainContract, OnchainSource } from './terms/onchain-contract.ts';

export type FoundContract = {
  contract: VerifiedContractRow;
  /** Set if the match is that of another contract with the same code. */
  similarTo: VerifiedContractRow | null;
};

export type ContractLookup = {
  /** `address`: 0x and 40 lower-case hex digits. */
  find(chain: Chain, address: string): Promise<FoundContract | null>;
  /** Of those that are found, by address: what is stored is asked with one question. */
  findAll(chain: Chain, addresses: readonly string[]): Promise<Map<string, FoundContract>>;
  details(found: FoundContract): Promise<VerificationDetails | null>;
  /** What the chain itself knows; may call another chain. */
  onchain(chain: Chain, address: string): Promise<OnchainContract>;
  /** May call another chain, or run contracts of the ledger. */
  proxy: FindProxyOf;
  /** Of those that are found, what they are called in their sources, by address. */
  names(chain: Chain, addresses: readonly string[]): Promise<Map<string, string>>;
  onAllChains(address: string): Promise<VerifiedContractRow[]>;
  page(chain: Chain, page: VerifiedPage): Promise<VerifiedContractRow[]>;
  addresses(chain: Chain, page: AddressPage): Promise<Buffer[]>;
  count(chain: Chain): Promise<{ full: number; partial: number }>;
};

type Options = {
  db: Database;
  archive: VerificationArchive;
  onchainSource: (chain: Chain) => OnchainSource;
  /** Of the mirrored ledger. */
  system: SystemRealm;
};

export function createContractLookup({ db, archive, onchainSource, system }: Options): ContractLookup {
  /** What the search for the sources of all contracts has found. */
  async function findMatched(address: string): Promise<{ row: ContractMatchRow; match: VerifiedContractRow } | null> {
    const bytes = fromHex(address);
    const num = isLongZeroAddress(bytes) ? fromLongZeroAddress(bytes) : 0n;
    const asked = { address: bytes, contractId: num === 0n ? null : inRealm(num, system) };
    const row = await orNull(selectContractMatch(db, asked));
    if (row?.matchedChainId == null || row.matchedAddress === null) return null;
    const [match] = await selectVerifiedByAddresses(db, row.matchedChainId, [row.matchedAddress]);
    // The contract that it equals can have been checked with other code since.
    const isOutdated = row.kind === 'same_code' && !match?.onchainRuntimeCodeHash?.equals(row.codeHash!);
    return match === undefined || isOutdated ? null : { row, match };
  }

  async function findOnLedger(chain: Chain, address: string): Promise<FoundContract | null> {
    const chainId = BigInt(chain.chainId);
    const matched = await findMatched(address);
    if (matched) {
      const { row, match } = matched;
      if (match.chainId === chainId && match.address.equals(row.address)) {
        return { contract: match, similarTo: null };
      }
      const own = { chainId, address: row.address, creationMatch: null };
      return { contract: { ...match, ...own }, similarTo: match };
    }
    const onchain = await onchainSource(chain).read(address);
    if (onchain.kind !== 'contract') return null;
    const byOwnAddress =
      onchain.address === address ? null : await archive.findContract(chain.chainId, onchain.address);
    if (byOwnAddress) return { contract: byOwnAddress, similarTo: null };
    const twin = await archive.findTwin(onchain);
    if (!twin) return null;
    const own = { chainId, address: fromHex(onchain.address), creationMatch: null };
    return { contract: { ...twin, ...own }, similarTo: twin };
  }

  async function findBeside(chain: Chain, address: string, stored: VerifiedContractRow | null | undefined) {
    if (stored) return { contract: stored, similarTo: null };
    // A lookup makes no network calls.
    return chain.bytecode.kind === 'ledger' ? findOnLedger(chain, address) : null;
  }

  async function findAll(chain: Chain, addresses: readonly string[]): Promise<Map<string, FoundContract>> {
    const rows = await selectVerifiedByAddresses(db, BigInt(chain.chainId), addresses.map(fromHex));
    const stored = new Map(rows.map((row) => [toHex(row.address), row]));
    const all = new Map<string, FoundContract>();
    // One after another: a request has no more of the database than others.
    for (const address of addresses) {
      const found = await findBeside(chain, address, stored.get(address));
      if (found) all.set(address, found);
    }
    return all;
  }

  return {
    async find(chain, address) {
      return findBeside(chain, address, await selectVerifiedContract(db, BigInt(chain.chainId), fromHex(address)));
    },
    findAll,
    details({ contract, similarTo }) {
      const { chainId, address } = similarTo ?? contract;
      return selectVerificationDetails(db, chainId, address);
    },
    onchain: (chain, address) => onchainSource(chain).read(address),
    proxy: createProxyLookup({ onchainSource }),
    async names(chain, addresses) {
      const found = [...(await findAll(chain, addresses))].map(([address, { contract, similarTo }]) => ({
        address,
        id: (similarTo ?? contract).id,
      }));
      const ids = found.map(({ id }) => id);
      const names = new Map((await selectVerifiedNames(db, ids)).map((row) => [row.id, row.name]));
      return new Map(found.map(({ address, id }) => [address, names.get(id) ?? '']));
    },
    onAllChains: (address) => selectVerifiedOnAllChains(db, fromHex(address)),
    page: (chain, page) => selectVerifiedPage(db, BigInt(chain.chainId), page),
    addresses: (chain, page) => selectVerifiedAddresses(db, BigInt(chain.chainId), page),
    count: (chain) => countVerified(db, BigInt(chain.chainId)),
  };
}
