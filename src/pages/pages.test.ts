// What all pages have in common: the policy of the browser, the files that they load, refusals as pages.
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openServer } from '../../packages/test-support/http/open-server.ts';
import { readPage } from '../../packages/test-support/http/read-page.ts';
import { type StoredRows, storeRows } from '../../packages/test-support/rows/store-rows.ts';
import { toNetworkSlug } from './frame/network-slug.ts';

let stored: StoredRows;
let app: FastifyInstance;
beforeAll(async () => {
  stored = await storeRows([]);
  app = openServer(stored.db, 'spec');
});
afterAll(async () => {
  await app?.close();
  await stored?.close();
});

const strict = [
  ...["default-src 'none'", "style-src 'self'", "script-src 'self'", "connect-src 'self'", "img-src 'self'"],
  ...["base-uri 'none'", "form-action 'self'", "frame-ancestors 'none'"],
].join('; ');

describe('every page', () => {
  it.each([
    ['/', 200],
    ['/api', 200],
    ['/search', 200],
    ['/search?q=0.0.999', 404],
    ['/demo/transactions', 200],
    ['/demo/blocks?limit=x', 400],
    ['/demo/nothing', 404],
    ['/demo/a/b/c/d', 404],
    ['/mainnet/transaction/1', 404],
    ['/testnet', 404],
  ])('%s has a policy without exceptions, and good markup', async (url, status) => {
    const { statusCode, headers, body } = await app.inject(url);
    const page = readPage(body);
    expect([statusCode, headers['content-type']]).toEqual([status, 'text/html; charset=utf-8']);
    expect(headers['content-security-policy']).toBe(strict);
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect([page.active, page.errors]).toEqual([[], []]);
    expect(page.headings.length).toBeGreaterThan(0);
    expect(body.length).toBeLessThan(80_000);
  });

  it.each([
    ['/demo/token/0.0.999', 'This mirror has no token 0.0.999.'],
    ['/demo/block/77', 'This mirror has no block 77.'],
    ['/demo/tx/1700000000.000000001', 'This mirror has no transaction 1700000000.000000001.'],
    ['/demo/account/0.0.999/operations', 'This mirror has no account 0.0.999.'],
    [`/demo/address/0x${'ab'.repeat(20)}`, `This mirror has no account with the address 0x${'ab'.repeat(20)}.`],
    ['/demo/nothing', 'No page has this address.'],
  ])('%s says what is missing', async (url, sentence) => {
    const { statusCode, body } = await app.inject(url);
    expect([statusCode, readPage(body).text]).toEqual([404, expect.stringContaining(sentence)]);
  });

  it('loads a style and a script that browsers keep', async () => {
    const { body } = await app.inject('/demo/blocks');
    const files = [...body.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, path]) => path!);
    expect(files).toHaveLength(2);
    for (const path of files) {
      const { statusCode, headers } = await app.inject(path);
      expect([statusCode, headers['cache-control']]).toEqual([200, 'public, max-age=31536000, immutable']);
    }
  });

  it('is not sent again to who has it', async () => {
    const first = await app.inject('/demo/blocks');
    const again = await app.inject({ url: '/demo/blocks', headers: { 'if-none-match': first.headers.etag! } });
    expect([again.statusCode, again.body]).toEqual([304, '']);
  });

  it('of another network says which one this is', async () => {
    const { body } = await app.inject('/mainnet/account/0.0.5');
    expect(readPage(body).text).toContain('This mirror holds the network demo.');
  });
});

describe('the name of the network in paths', () => {
  it.each([
    ['mainnet', 'mainnet'],
    ['Demo', 'demo'],
    ['my-net.1', 'my-net.1'],
    ['api', 'ledger'],
    ['V2', 'ledger'],
    ['a/b', 'ledger'],
    ['..', 'ledger'],
    ['', 'ledger'],
    ['netz äöü', 'ledger'],
  ])('%j is %s', (name, slug) => {
    expect(toNetworkSlug(name)).toBe(slug);
  });
});
