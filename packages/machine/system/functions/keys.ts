// Keys as they are stored.
import { proto, toBigInt } from '../../../protocol/hapi/hapi.ts';
import { readWord } from '../../base/word.ts';

/** null: it cannot be read; keys are stored as they came. */
export function decodeKey(stored: Uint8Array): proto.IKey | null {
  try {
    return proto.Key.decode(stored);
  } catch {
    return null;
  }
}

/** Long-zero, unless the key says an EVM address; 0n: no contract. */
export function contractAddress(id: proto.IContractID | null | undefined): bigint {
  if (!id) return 0n;
  const { evmAddress } = id;
  return evmAddress?.length ? readWord(evmAddress, 0, 20) : BigInt.asUintN(64, toBigInt(id.contractNum));
}
