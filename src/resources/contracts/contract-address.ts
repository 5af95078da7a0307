// EVM addresses in rows of contracts.
import { toJsonLongZeroAddress } from '../../api/values/json-text.ts';
import type { Kind } from '../../api/values/kind.ts';
import { evmAddress } from '../../api/values/kinds.ts';

/** Of the row's contract: its own, or the long-zero address. */
export const contractAddress: Kind<{ evmAddress: Uint8Array | null; contractId: bigint | null }> = {
  schema: evmAddress.schema,
  write: ({ evmAddress: address, contractId: id }) => evmAddress.write({ evmAddress: address, id }),
};

/** The long-zero address, whether the entity has its own or not. */
export const longZeroAddress: Kind<bigint | null> = { schema: evmAddress.schema, write: toJsonLongZeroAddress };
