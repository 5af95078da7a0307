import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { chooseEncoding, compress } from './content-encoding.ts';

it.each([
  [undefined, null],
  ['', null],
  ['identity', null],
  ['gzip, deflate, br', 'br'],
  ['gzip', 'gzip'],
  ['GZIP', 'gzip'],
  ['deflate', 'deflate'],
  ['br;q=0.5, gzip', 'gzip'],
  ['br;q=0', null],
  ['*', 'br'],
  ['*;q=0.1, gzip;q=0.2', 'gzip'],
  ['zstd', null],
  ['br;q=x', null],
  ['identity, gzip;q=0.5', null],
])('%s', (accepted, encoding) => {
  expect(chooseEncoding(accepted)).toBe(encoding);
});

const decoders = { br: brotliDecompressSync, gzip: gunzipSync, deflate: inflateSync };

it.each(['br', 'gzip', 'deflate'] as const)('%s can be read again, whatever its size', async (encoding) => {
  for (const size of [1024, 300_000]) {
    const body = Buffer.from('{"transactions":[]}'.repeat(size / 16));
    const compressed = await compress(body, encoding);
    expect(compressed.length).toBeLessThan(body.length);
    expect(decoders[encoding](compressed).equals(body)).toBe(true);
  }
});
