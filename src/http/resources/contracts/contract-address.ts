// EVM addresses in rows of contracts.
import { toJsonLongZeroAddress } from '../../values/json-text.ts';
import type { Kind } from '../../values/kind.ts';
import { evmAddress } from '../../values/kinds.ts';

/** That of the row's contract: its own where it has one, else the one that its number makes. */
export const contractAddress: Kind<{ evmAddress: Uint8Array | null; contractId: bigint | null }> = {
  schema: evmAddress.schema,
  write: ({ evmAddress: address, contractId: id }) => evmAddress.write({ evmAddress: address, id }),
};

/** The address that an entity's number makes, whether it has one of its own or not. */
export const longZeroAddress: Kind<bigint | null> = { schema: evmAddress.schema, write: toJsonLongZeroAddress };
