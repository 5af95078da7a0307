import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { proto } from '../../protocol/hapi/hapi.ts';
import { readRecordFileV6 } from '../../streams/record-stream/record-file-v6.ts';
import { findRealData } from '../../test-support/streams/real-data.ts';
import { logsBloom } from './logs-bloom.ts';

const mainnet = findRealData('streams/mainnet-2025-07-23/recordstreams');

test('no logs, no bits', () => {
  expect(logsBloom([]).every((byte) => byte === 0)).toBe(true);
});

test('up to three bits for the address and for each topic', () => {
  const bloom = logsBloom([{ address: Buffer.alloc(20, 1), topics: [Buffer.alloc(32, 2)] }]);
  const bits = [...bloom].reduce((sum, byte) => sum + byte.toString(2).replaceAll('0', '').length, 0);
  expect(bits).toBe(6);
});

test.skipIf(mainnet.isAbsent)(`the bits of topics are those that consensus nodes set${mainnet.hint}`, () => {
  const node = join(mainnet.path, readdirSync(mainnet.path)[0]!);
  const name = readdirSync(node).find((file) => file.endsWith('.rcd.gz'))!;
  const { items } = readRecordFileV6(gunzipSync(readFileSync(join(node, name))));
  const logs = items.flatMap(({ record }) => proto.TransactionRecord.decode(record).contractCallResult?.logInfo ?? []);
  expect(logs.length).toBeGreaterThan(5);
  for (const { topic, bloom } of logs) {
    if (!topic?.length) continue;
    const mine = logsBloom([{ address: topic[0]!, topics: topic }]);
    expect(mine.every((byte, index) => (byte & bloom![index]!) === byte)).toBe(true);
  }
});
