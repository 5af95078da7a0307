// The filter of logs of a transaction that has none stored.
import { bloomLength, logBloomOf } from '../../../../packages/protocol/ethereum/log-bloom.ts';
import type { RpcLog } from './log.ts';

const emptyBloom = `0x${'00'.repeat(bloomLength)}`;

/** Empty stands for no logs; leading zeros are not stored. */
export function toBloom(stored: Buffer | null): string {
  return stored?.length ? `0x${stored.toString('hex').padStart(2 * bloomLength, '0')}` : emptyBloom;
}

/** The filter of the logs of all. */
export function joinBlooms(blooms: readonly string[]): string {
  const bits = Buffer.alloc(bloomLength);
  for (const bloom of blooms) {
    const more = Buffer.from(bloom.slice(2), 'hex');
    for (let at = 0; at < bloomLength; at++) bits[at]! |= more[at]!;
  }
  return `0x${bits.toString('hex')}`;
}

export function bloomOf(logs: readonly Pick<RpcLog, 'address' | 'topics'>[]): string {
  const toBytes = (text: string): Buffer => Buffer.from(text.slice(2), 'hex');
  const read = logs.map(({ address, topics }) => ({ address: toBytes(address), topics: topics.map(toBytes) }));
  return `0x${logBloomOf(read).toString('hex')}`;
}
