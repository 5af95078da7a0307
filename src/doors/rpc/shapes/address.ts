// Addresses of entities: their own, or the one that their number makes.
import { toLongZeroAddress } from '../../../../packages/protocol/hapi/evm-address.ts';
import { hex } from '../terms/hex.ts';

/** Addresses of entities that have one of their own, by id. */
export type KnownAddresses = ReadonlyMap<bigint, Buffer>;

export function addressOf(own: Buffer | null | undefined, id: bigint): string {
  return hex(own?.length ? own : toLongZeroAddress(id));
}
