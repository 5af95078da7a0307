// The checked ABI of one contract: that of its own match, or of a contract with the same code. Read ones are kept.
import { LRUCache } from 'lru-cache';
import type { Abi } from '../../../packages/abi/abi.ts';
import { toChecksumAddress } from '../../../packages/abi/checksum-address.ts';
import { readAbi } from '../../../packages/abi/read-abi.ts';
import type { Database } from '../../../packages/postgres/wire/database.ts';
import type { VerificationArchive } from '../../../packages/verification/archive/verification-archive.ts';
import { selectVerifiedAbi } from '../../../packages/verification/store/select-verified-abi.ts';
import type { VerifiedContractRow } from '../../../packages/verification/store/select-verified-contracts.ts';
import { toHex } from '../../../packages/verification/terms/hex.ts';
import type { OnchainContract } from '../../../packages/verification/terms/onchain-contract.ts';

export type VerifiedAbi = {
  /** Of the contract, as in its source. */
  name: string;
  abi: Abi;
  match: 'perfect' | 'partial';
  /** Checked for this contract, with EIP-55 checksum; it has the same code. null = the contract itself was checked. */
  similarTo: string | null;
  /** Where its variables lie, as the compiler says: parsed JSON of any kind. */
  layout?: unknown;
};

export type VerifiedAbis = {
  /** `size`: characters of JSON. */
  of(contract: OnchainContract): Promise<{ verified: VerifiedAbi; size: number } | null>;
};

/** Characters of JSON of one ABI, and of all that are kept. */
const maxAbiLength = 1_000_000;
const maxKeptLength = 16_000_000;

export function createVerifiedAbis({ db, archive }: { db: Database; archive: VerificationArchive }): VerifiedAbis {
  type Read = { name: string; abi: Abi; layout: unknown; size: number };
  /** By id of the match, which another match of the contract does not have. */
  const read = new LRUCache<bigint, Read>({
    maxSize: maxKeptLength,
    sizeCalculation: ({ size }) => size,
    async fetchMethod(id) {
      const row = await selectVerifiedAbi(db, id, maxAbiLength);
      const abi = readAbi(row?.abi == null ? null : JSON.parse(row.abi));
      const layout: unknown = row?.storageLayout == null ? null : JSON.parse(row.storageLayout);
      const size = 1000 + (row?.abi?.length ?? 0) + (row?.storageLayout?.length ?? 0);
      return { name: row?.name ?? '', abi, layout, size };
    },
  });

  async function findMatch(contract: OnchainContract) {
    for (const address of [contract.address, ...contract.otherAddresses]) {
      const row = await archive.findContract(contract.chainId, address);
      if (row) return { row, isTwin: false };
    }
    const row = await archive.findTwin(contract);
    return row && { row, isTwin: true };
  }

  return {
    async of(contract) {
      const match = await findMatch(contract);
      if (match === null) return null;
      const { name, abi, layout, size } = (await read.fetch(match.row.id))!;
      const similarTo = match.isTwin ? toChecksumAddress(toHex(match.row.address)) : null;
      return { verified: { name, abi, match: levelOf(match.row), similarTo, layout }, size };
    },
  };
}

function levelOf({ runtimeMatch, creationMatch }: VerifiedContractRow): 'perfect' | 'partial' {
  return runtimeMatch === 'perfect' || creationMatch === 'perfect' ? 'perfect' : 'partial';
}
