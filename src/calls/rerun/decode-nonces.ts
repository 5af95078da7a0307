// Nonces of contracts after a transaction, as its stored function result says them.
import { toEntityIdOrNone } from '../../../packages/protocol/hapi/entity-id.ts';
import { proto, toBigInt } from '../../../packages/protocol/hapi/hapi.ts';

/** What cannot be decoded says none. */
export function decodeNonces(functionResult: Buffer | null): { id: bigint; nonce: bigint }[] {
  if (!functionResult?.length) return [];
  try {
    return (proto.ContractFunctionResult.decode(functionResult).contractNonces ?? []).map(({ contractId, nonce }) => ({
      id: toEntityIdOrNone(contractId),
      nonce: toBigInt(nonce),
    }));
  } catch {
    return []; // The column holds the network's bytes.
  }
}
