// The filter of logs that Ethereum puts into receipts and headers: three bits of 2,048 for each address and topic.
import { keccak256 } from '../keccak256.ts';

export const bloomLength = 256;

export function logBloomOf(logs: readonly { address: Uint8Array; topics: readonly Uint8Array[] }[]): Buffer {
  const bits = Buffer.alloc(bloomLength);
  for (const { address, topics } of logs) {
    for (const item of [address, ...topics]) {
      const digest = keccak256(item);
      for (const place of [0, 2, 4]) {
        const bit = digest.readUInt16BE(place) & 0x7ff;
        bits[bloomLength - 1 - (bit >> 3)]! |= 1 << (bit & 7);
      }
    }
  }
  return bits;
}
