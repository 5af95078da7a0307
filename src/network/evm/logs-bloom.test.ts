import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { proto } from '../../protocol/hapi/hapi.ts';
import { readRecordFileV6 } from '../../protocol/record-stream/record-file-v6.ts';
import { logsBloom } from './logs-bloom.ts';

const mainnet = new URL('../../../../shared/data/streams/mainnet-2025-07-23/recordstreams/', import.meta.url);

test('no logs, no bits', () => {
  expect(logsBloom([]).every((byte) => byte === 0)).toBe(true);
});

test('up to three bits for the address and for each topic', () => {
  const bloom = logsBloom([{ address: Buffer.alloc(20, 1), topics: [Buffer.alloc(32, 2)] }]);
  const bits = [...bloom].reduce((sum, byte) => sum + byte.toString(2).replaceAll('0', '').length, 0);
  expect(bits).toBeGreaterThan(3);
  expect(bits).toBeLessThanOrEqual(6);
});

test.skipIf(!existsSync(mainnet))('the bits of topics are those that consensus nodes set', () => {
  const node = new URL(`${readdirSync(mainnet)[0]}/`, mainnet);
  const name = readdirSync(node).find((file) => file.endsWith('.rcd.gz'))!;
  const { items } = readRecordFileV6(gunzipSync(readFileSync(new URL(name, node))));
  const logs = items.flatMap(({ record }) => proto.TransactionRecord.decode(record).contractCallResult?.logInfo ?? []);
  expect(logs.length).toBeGreaterThan(5);
  for (const { topic, bloom } of logs) {
    if (!topic?.length) continue;
    const mine = logsBloom([{ address: topic[0]!, topics: topic }]);
    expect(mine.every((byte, index) => (byte & bloom![index]!) === byte)).toBe(true);
  }
});
