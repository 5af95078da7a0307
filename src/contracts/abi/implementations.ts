// The contract behind a proxy: named in its code (EIP-1167), in its storage, or by the beacon that its storage names
// (ERC-1967).

import type { Database } from '../../../packages/postgres/wire/database.ts';
import type { SystemRealm } from '../../../packages/protocol/hapi/system-entity.ts';
import { findAddressSlot } from '../../../packages/verification/layout/storage-layout.ts';
import type { OnchainContract, OnchainSource } from '../../../packages/verification/terms/onchain-contract.ts';
import { readAddressSlot, readStorageProxy, type StorageProxy } from '../onchain/storage-proxy.ts';
import type { VerifiedAbis } from './verified-abis.ts';

export type Implementation = { kind: 'eip1167' | StorageProxy['kind']; contract: OnchainContract };

export type Implementations = {
  /** null = it is no proxy, or it is not known of what. */
  find(contract: OnchainContract): Promise<Implementation | null>;
};

type Options = { db: Database; onchain: OnchainSource; system: SystemRealm; verified: VerifiedAbis };

export function createImplementations({ db, onchain, system, verified }: Options): Implementations {
  /** Where a checked beacon keeps its implementation is known from its sources. */
  async function readBeacon(beacon: OnchainContract): Promise<string | null> {
    const slot = findAddressSlot((await verified.of(beacon))?.verified.layout, beaconVariables);
    return slot && readAddressSlot(db, beacon, slot, system);
  }

  return {
    async find(contract) {
      if (contract.implementation) return { kind: 'eip1167', contract: contract.implementation };
      const proxy = await readStorageProxy(db, contract, system);
      if (proxy === null) return null;
      const target = await onchain.read(proxy.address);
      if (proxy.kind === 'eip1967') return { kind: proxy.kind, contract: target };
      const address = await readBeacon(target);
      return address === null ? null : { kind: proxy.kind, contract: await onchain.read(address) };
    },
  };
}

/** OpenZeppelin's and those that follow it. */
const beaconVariables = ['_implementation', 'implementation', '__implementation'];
