// Finds entities by EVM address or alias: those created earlier in this block, then a cache, then the database. Lookups
// are synchronous for handlers: `preload` fetches from the database what a block mentions, before its items are handled.
import type { proto } from '../protocol/hapi.ts';

export type EntityLookup = {
  /** 0n when unknown. Long-zero addresses are read as numbers. */
  byEvmAddress(address: Uint8Array): bigint;
  byAlias(alias: Uint8Array): bigint;
  /** AccountID with number or alias (20-byte alias = EVM address). */
  account(id: proto.IAccountID | null | undefined): bigint;
  /** ContractID with number or EVM address. */
  contract(id: proto.IContractID | null | undefined): bigint;
  /** Called when a handler learns an address or alias of a new entity. */
  remember(entityId: bigint, names: { evmAddress?: Uint8Array | null; alias?: Uint8Array | null }): void;
};
