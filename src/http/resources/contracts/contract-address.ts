// The EVM address of a contract in a row: its own where it has one, else the one that its number makes.
import type { Kind } from '../../values/kind.ts';
import { evmAddress } from '../../values/kinds.ts';

export const contractAddress: Kind<{ evmAddress: Uint8Array | null; contractId: bigint | null }> = {
  schema: evmAddress.schema,
  write: ({ evmAddress: address, contractId: id }) => evmAddress.write({ evmAddress: address, id }),
};
