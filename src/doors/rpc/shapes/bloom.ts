// The filter of logs of a transaction that has none stored.
import { keccak256 } from '../../../../packages/protocol/keccak256.ts';
import type { RpcLog } from './log.ts';

const length = 256;
const emptyBloom = `0x${'00'.repeat(length)}`;

/** Empty stands for no logs; leading zeros are not stored. */
export function toBloom(stored: Buffer | null): string {
  return stored?.length ? `0x${stored.toString('hex').padStart(2 * length, '0')}` : emptyBloom;
}

/** The filter of the logs of all. */
export function joinBlooms(blooms: readonly string[]): string {
  const bits = Buffer.alloc(length);
  for (const bloom of blooms) {
    const more = Buffer.from(bloom.slice(2), 'hex');
    for (let at = 0; at < length; at++) bits[at]! |= more[at]!;
  }
  return `0x${bits.toString('hex')}`;
}

export function bloomOf(logs: readonly Pick<RpcLog, 'address' | 'topics'>[]): string {
  const bits = Buffer.alloc(length);
  for (const { address, topics } of logs) {
    for (const item of [address, ...topics]) {
      const digest = keccak256(Buffer.from(item.slice(2), 'hex'));
      for (const place of [0, 2, 4]) {
        const bit = digest.readUInt16BE(place) & 0x7ff;
        bits[length - 1 - (bit >> 3)]! |= 1 << (bit & 7);
      }
    }
  }
  return `0x${bits.toString('hex')}`;
}
