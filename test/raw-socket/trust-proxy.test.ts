// Guesses of tokens are counted by client: behind a proxy that is trusted, by what it says of its client, and never by
// what the client says itself.
import { afterEach, expect, test } from 'vitest';
import { type Product, startProduct } from '../support/program/start-product.ts';

let product: Product;
afterEach(() => product.close());

async function guess(...forwardedFor: string[]): Promise<number> {
  const { status } = await fetch(`${product.url}/status/manage/components`, {
    headers: { authorization: 'Bearer wrong', 'x-forwarded-for': forwardedFor.join(', '), 'x-status-client': 'x' },
  });
  return status;
}

const token = ['--status-token', 'kim:a-token-of-sixteen-characters'];

test.each([
  ['no proxy is trusted', [], 429],
  ['another proxy is trusted', ['--trust-proxy', '192.0.2.0/24'], 429],
  ['this proxy is trusted', ['--trust-proxy', 'loopback'], 401],
])('%s', async (_what, flags, status) => {
  product = await startProduct([...token, ...flags]);
  for (let count = 0; count < 10; count++) expect(await guess('203.0.113.1')).toBe(401);
  expect(await guess('203.0.113.1')).toBe(429);
  expect(await guess('203.0.113.2')).toBe(status);
  // What stands left of the proxy's own word is the client's.
  expect(await guess('203.0.113.3', '203.0.113.1')).toBe(429);
});
