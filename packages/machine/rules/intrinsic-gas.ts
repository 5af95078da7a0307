// What a transaction costs before its first opcode, and at least.
import { prices } from './gas-prices.ts';
import type { Rules } from './rules.ts';

export type TransactionSize = {
  data: Uint8Array;
  isCreation: boolean;
  /** Of the access list. */
  addresses?: number;
  slots?: number;
  authorizations?: number;
};

export type IntrinsicGas = {
  gas: number;
  /** Gas used is never less; 0 where there is no such rule. The limit has to cover it, too. */
  floor: number;
};

export function intrinsicGas(size: TransactionSize, { fork }: Rules): IntrinsicGas {
  const { data, isCreation, addresses = 0, slots = 0, authorizations = 0 } = size;
  let zeros = 0;
  for (const byte of data) if (byte === 0) zeros += 1;
  const others = data.length - zeros;
  let gas = prices.transaction + zeros * prices.zeroByte + others * prices.otherByte;
  if (isCreation) {
    gas += prices.create;
    if (fork.limitsInitCode) gas += Math.ceil(data.length / 32) * prices.initCodeWord;
  }
  gas += addresses * prices.listedAddress + slots * prices.listedSlot + authorizations * prices.authorization;
  const floor = fork.hasDataFloor ? prices.transaction + prices.floorToken * (zeros + 4 * others) : 0;
  return { gas, floor };
}
