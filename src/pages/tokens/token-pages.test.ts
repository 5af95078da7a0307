// Pages of tokens and NFTs: their numbers are those of the API, and what people named them is text.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OpenedPages, openPages } from '../../../packages/test-support/http/open-pages.ts';
import { toSetupRows } from '../../../packages/test-support/rows/setup-rows.ts';
import type { JsonObject } from '../../../packages/test-support/rows/spec-file.ts';

const hostile = '<script>alert(1)</script>"\'&\u202E';

let pages: OpenedPages;
beforeAll(async () => {
  const relation = { token_id: '0.0.1500', associated: true, created_timestamp: 6n, timestamp_range: '[6,)' };
  const setup: JsonObject = {
    entities: [
      { num: 1500n, type: 'TOKEN', memo: hostile, created_timestamp: 5n, timestamp_range: '[5,)' },
      { num: 1600n, type: 'TOKEN', deleted: true, created_timestamp: 5n, timestamp_range: '[9,)' },
      { num: 1700n, type: 'TOKEN', created_timestamp: 5n, timestamp_range: '[5,)' },
    ],
    tokens: [
      {
        ...{ token_id: '0.0.1500', name: hostile, symbol: hostile, decimals: 3n, created_timestamp: 5n },
        ...{ initial_supply: 1_000_000n, total_supply: 2_000_500n, treasury_account_id: '0.0.1001' },
        ...{ timestamp_range: '[8,)', type: 'FUNGIBLE_COMMON', pause_status: 'PAUSED' },
      },
      {
        ...{ token_id: '0.0.1500', name: 'Old', symbol: 'OLD', decimals: 3n, created_timestamp: 5n },
        ...{ initial_supply: 1_000_000n, total_supply: 1_500_000n, treasury_account_id: '0.0.1001' },
        ...{ timestamp_range: '[5,8)', type: 'FUNGIBLE_COMMON', custom_fees: [] },
      },
      {
        ...{ token_id: '0.0.1600', name: 'Art', symbol: 'ART', created_timestamp: 5n, total_supply: 2n },
        ...{ timestamp_range: '[5,)', type: 'NON_FUNGIBLE_UNIQUE' },
      },
      {
        ...{ token_id: '0.0.1700', name: 'Cards', symbol: 'CARD', created_timestamp: 5n, total_supply: 7n },
        ...{ timestamp_range: '[5,)', type: 'NON_FUNGIBLE_UNIQUE' },
      },
    ],
    tokenaccounts: [
      { ...relation, account_id: '0.0.1001', balance: 1_500_500n },
      { ...relation, account_id: '0.0.1002', balance: 500_000n },
      { ...relation, account_id: '0.0.1003', balance: 0n },
    ],
  };
  const nft = (serial_number: bigint, metadata: string, token_id = 1600n) => ({
    table: 'nft',
    row: {
      ...{ token_id, serial_number, account_id: 1001n, created_timestamp: 5n + serial_number, deleted: false },
      ...{ metadata: Buffer.from(metadata), timestamp_range: `[${5n + serial_number},)` },
    },
  });
  const collected = (serial: bigint, metadata: string) => nft(serial, metadata, 1700n);
  pages = await openPages([
    ...toSetupRows(setup, { shard: 0n, realm: 0n }),
    nft(1n, 'ipfs://QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWnPbdG'),
    nft(2n, '{"image":"javascript:alert(1)","name":"<b>"}'),
    // A collection whose pictures are in many places, one of which is called as the ledger is.
    collected(1n, '{"image":"ipfs://QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWnPbdG/1.png"}'),
    collected(2n, 'https://ipfs.io/2.json'),
    collected(3n, '{"image":"https://evil.example/3.png\\">"}'),
    collected(4n, JSON.stringify({ image: `data:image/svg+xml,${hostile}` })),
    collected(5n, '{"image":"https://ledger/5.png"}'),
    collected(6n, 'no address'),
    collected(7n, '{"image":"https://pictures.example/7.png"}'),
  ]);
});
afterAll(() => pages?.close());

const page = (path: string) => pages.page(path);

describe('a fungible token', () => {
  it('is shown with its decimals, its holders by share, and its supply over time', async () => {
    const shown = await page('token/0.0.1500');
    expect([shown.statusCode, shown.active, shown.errors]).toEqual([200, [], []]);
    expect(shown.facts.get('Now')).toBe('2,000.5');
    expect(shown.facts.get('At the beginning')).toBe('1,000');
    expect(shown.tables.get('Largest holders')).toEqual([
      { Account: '0.0.1001 Treasury', Balance: '1,500.5', Share: '75 %' },
      { Account: '0.0.1002', Balance: '500', Share: '24.99 %' },
    ]);
    // A version has what there was at its end.
    expect(shown.tables.get('Supply over time')).toEqual([
      { Time: '1970-01-01 00:00:00', Supply: '2,000.5' },
      { Time: '1970-01-01 00:00:00', Supply: '1,500' },
      { Time: '1970-01-01 00:00:00', Supply: '1,000' },
    ]);
    expect(shown.links).toContain('/api/v1/tokens/0.0.1500');
  });

  it('its name and memo are text, with what is hidden in them', async () => {
    const shown = await page('token/0.0.1500');
    const visible = `<script>alert(1)</script>"'&U+202E`;
    expect(shown.headings[0]).toBe(`Token ${visible} (${visible}) Fungible Paused`);
    expect(shown.facts.get('Memo')).toBe(visible);
  });

  it('its list of holders is that of the API, page by page', async () => {
    const api = (await pages.app.inject('/api/v1/tokens/0.0.1500/balances?limit=1')).json();
    const shown = await page('token/0.0.1500/holders?limit=1');
    expect(shown.tables.get('Holders of 0.0.1500')!.map(({ Account }) => Account)).toEqual(
      api.balances.map(({ account }: { account: string }) => account),
    );
    const next = shown.links.find((link) => link.startsWith('/demo/token/0.0.1500/holders?'))!;
    expect(next).toBe(`/demo/token/0.0.1500/holders?${api.links.next.split('?')[1]}`);
  });
});

describe('an NFT', () => {
  it('whose metadata is an address has a link to it, and nothing that loads it', async () => {
    const shown = await page('token/0.0.1600/1');
    expect([shown.statusCode, shown.active, shown.errors]).toEqual([200, [], []]);
    expect(shown.links).toContain('https://ipfs.io/ipfs/QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWnPbdG');
  });

  it('whose metadata is JSON shows it, and no link that would run', async () => {
    const shown = await page('token/0.0.1600/2');
    expect([shown.statusCode, shown.active]).toEqual([200, []]);
    expect(shown.facts.get('image')).toBe('javascript:alert(1)');
    expect(shown.links.filter((link) => link.startsWith('javascript'))).toEqual([]);
    expect(shown.text).toContain('"name": "<b>"');
  });

  it('is in the list of its token', async () => {
    const shown = await page('token/0.0.1600/nfts');
    expect(shown.tables.get('NFTs of 0.0.1600')!.map((row) => row['Serial number'])).toEqual([
      '#2 Deleted',
      '#1 Deleted',
    ]);
  });
});

describe('pictures of a collection', () => {
  const ipfsPicture = '/ipfs/QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWnPbdG/1.png';
  const policyOf = async (path: string) => {
    const { headers } = await pages.app.inject(`/demo${path}`);
    const parts = String(headers['content-security-policy']).split('; ');
    return parts.filter((part) => /^(?:img|connect)-src/.test(part));
  };

  it('are not loaded before the visitor chose from where', async () => {
    const shown = await page('token/0.0.1700/pictures');
    expect([shown.statusCode, shown.active, shown.errors]).toEqual([200, [], []]);
    expect(shown.text).toMatch(/#7At pictures\.example.*#6It names no picture.*#4In the ledger itself.*#1At ipfs\.io/s);
    expect(await policyOf('/token/0.0.1700/pictures')).toEqual(["connect-src 'self'", "img-src 'self'"]);
  });

  it.each([
    [
      'dweb.link',
      [`https://dweb.link${ipfsPicture}`],
      ["connect-src 'self'", "img-src 'self' data: https://dweb.link https://*.ipfs.dweb.link"],
    ],
    // A gateway, and an address at the same host.
    [
      'ipfs.io',
      [`https://ipfs.io${ipfsPicture}`],
      ["connect-src 'self' https://ipfs.io", "img-src 'self' data: https://ipfs.io"],
    ],
    [
      'pictures.example',
      ['https://pictures.example/7.png'],
      ["connect-src 'self'", "img-src 'self' data: https://pictures.example"],
    ],
    [
      'evil.example',
      ['https://evil.example/3.png%22%3E'],
      ["connect-src 'self'", "img-src 'self' data: https://evil.example"],
    ],
    ['ledger', [`data:image/svg+xml,${hostile}`], ["connect-src 'self'", "img-src 'self' data:"]],
    ['other.example', [], ["connect-src 'self'", "img-src 'self'"]],
  ])('from %s alone', async (place, images, policy) => {
    const path = `token/0.0.1700/pictures?picture=${place}`;
    const shown = await page(path);
    expect([shown.statusCode, shown.errors]).toEqual([200, []]);
    expect(shown.active).toEqual(images.map((source) => `img src=${source.slice(0, 80)}`));
    expect(await policyOf(`/${path}`)).toEqual(policy);
  });

  it('are as many as a page has, from a serial number on', async () => {
    const shown = await page('token/0.0.1700/pictures?serialnumber=lt:3');
    expect(shown.text).toMatch(/#2At ipfs\.io\.#1At ipfs\.io\./);
    expect(shown.text).not.toContain('#3');
    expect((await page('token/0.0.1700/pictures?serialnumber=x')).statusCode).toBe(400);
    expect((await page('token/0.0.1/pictures')).statusCode).toBe(404);
  });
});

describe('what is not there', () => {
  it.each([
    ['token/0.0.1', 404, 'Not found'],
    ['token/0.0.x', 400, 'Invalid parameter: tokenid'],
    ['token/0.0.1600/77', 404, 'Not found'],
    ['token/0.0.1600/x', 400, 'Invalid parameter: serialnumber'],
    ['token/0.0.1500/holders?limit=x', 400, 'Invalid parameter: limit'],
    ['token/0.0.1/holders', 404, 'Not found'],
  ])('%s is %s', async (path, status, sentence) => {
    const shown = await page(path);
    expect([shown.statusCode, shown.errors]).toEqual([status, []]);
    expect(shown.text).toContain(sentence);
  });
});
