import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { parseCompilerVersion } from './compiler-version.ts';
import { createDownload } from './create-download.ts';

const [missing, other] = ['0.8.99+commit.00000000', '0.8.98+commit.00000000'].map(
  (text) => parseCompilerVersion(text)!,
);

test('off is off', () => {
  expect(createDownload({ download: 'off', downloadUrl: '' }, () => undefined)).toBeNull();
});

test('what the list does not have is requested once, whatever requests name it', async () => {
  let asked = 0;
  const server = createServer((_, response) => {
    asked += 1;
    response.end('{"builds":[]}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const downloadUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const download = createDownload({ download: 'list', downloadUrl }, () => undefined)!;
  for (const version of [missing!, missing!, other!, missing!]) expect(await download(version, '/nowhere')).toBe(false);
  expect(asked).toBe(2);
  server.close();
});
