// One result with its logs, decoded. Each log has the ABI of its own contract.
import type { ContractAbis } from '../../../contracts/abi/create-contract-abis.ts';
import { decodeLogs, decodeResults, type LogBytes, type ResultBytes } from './decode-items.ts';

export async function decodeDetail<L extends LogBytes, T extends ResultBytes & { logs: readonly L[] }>(
  result: T,
  abis: ContractAbis,
) {
  const [decoded] = await decodeResults([result], abis);
  return { ...decoded!, logs: await decodeLogs(result.logs, abis) };
}
