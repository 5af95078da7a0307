// Pages of accounts of a simulated ledger: every number on them and in their files is the API's.

import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { parseExactJson } from '../../../packages/store/read/parse-exact-json.ts';
import { openSimulated, type SimulatedServer } from '../../../packages/test-support/http/open-simulated.ts';
import { columnOf } from '../../../packages/test-support/http/read-page.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 240_000 });

let server: SimulatedServer;
let app: SimulatedServer['app'];
let accounts: string[];
/** An account without a transfer, one with most, system accounts. */
const some = ['0.0.2', '0.0.3', '0.0.98', '0.0.800', '0.0.801', '0.0.1001', '0.0.1002'];

beforeAll(async () => {
  server = await openSimulated('busy');
  app = server.app;
  const listed = await json('/api/v1/accounts?limit=100&order=desc');
  accounts = [...some, ...(listed.accounts as { account: string }[]).map(({ account }) => account)];
});

afterAll(() => server?.close());

type Json = Record<string, unknown>;
type Transfer = { account: string; amount: bigint; token_id: string };
type Transaction = {
  consensus_timestamp: string;
  transaction_id: string;
  charged_tx_fee: bigint;
  transfers: Transfer[];
  token_transfers: Transfer[];
  nft_transfers: { token_id: string; serial_number: bigint; receiver_account_id: string; sender_account_id: string }[];
  staking_reward_transfers: Transfer[];
};

async function json(url: string): Promise<Json> {
  const { body, statusCode } = await app.inject({ url });
  expect([statusCode, url]).toEqual([200, url]);
  return parseExactJson(body) as Json;
}

async function page(path: string): Promise<string> {
  const { body, statusCode } = await app.inject({ url: `/demo/${path}` });
  expect([statusCode, path]).toEqual([200, path]);
  return body;
}

async function file(path: string): Promise<Record<string, string>[]> {
  return parse(await page(path), { columns: true });
}

const listAll = <T>(url: string, member: string): Promise<T[]> => server.listAll<T>(url, member, parseExactJson);

const transactionsOf = (id: string): Promise<Transaction[]> =>
  listAll<Transaction>(`/api/v1/transactions?account.id=${id}&limit=100`, 'transactions');

/** Of an account in a list of transfers. */
const sumOf = (transfers: readonly Transfer[], account: string): bigint =>
  transfers.reduce((sum, one) => sum + (one.account === account ? one.amount : 0n), 0n);

/** `1,234.5 ℏ` as a page has it → tinybar. */
function readHbar(text: string): bigint {
  const [, sign, whole, rest = ''] = /^([−+]?)([\d,]+)(?:\.(\d+))?/.exec(text)!;
  const size = BigInt(whole!.replaceAll(',', '')) * 100_000_000n + BigInt(rest.padEnd(8, '0') || '0');
  return sign === '−' ? -size : size;
}

/** A decimal fraction as a file has it → smallest units. */
function readUnits(text: string, digits: number): bigint {
  const [, sign, whole, rest = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text)!;
  const size = BigInt(whole!) * 10n ** BigInt(digits) + BigInt(rest.padEnd(digits, '0') || '0');
  return sign === '-' ? -size : size;
}

const withoutTags = (markup: string): string => markup.replaceAll(/<[^>]*>/g, '').trim();
const cells = (body: string, name: string): string[] => columnOf(body, name).map(withoutTags);

describe('the page of an account', () => {
  it('has the balance of the API, and a chart that ends with it', async () => {
    for (const id of accounts) {
      const body = await page(`account/${id}`);
      const { balance } = (await json(`/api/v1/accounts/${id}`)) as { balance: { balance: bigint } };
      const [, figure] = /<dt>Balance<\/dt><dd>(.*?)<\/dd>/s.exec(body)!;
      expect([id, readHbar(withoutTags(figure!))]).toEqual([id, balance.balance]);
      const [, newest] = /id="balance-chart-words">Newest (.*?), highest/s.exec(body)!;
      expect([id, readHbar(withoutTags(newest!))]).toEqual([id, balance.balance]);
      expect(Buffer.byteLength(body)).toBeLessThan(80_000);
    }
  });

  it('has a balance after each transaction, which is the sum of all transfers until then', async () => {
    for (const id of accounts.filter((account) => account !== '0.0.98' && account !== '0.0.800')) {
      const { balance } = (await json(`/api/v1/accounts/${id}`)) as { balance: { balance: bigint } };
      let left = balance.balance;
      const transactions = await transactionsOf(id);
      const expected = transactions.map(({ transfers }) => {
        const after = left;
        left -= sumOf(transfers, id);
        return after;
      });
      const shown: bigint[] = [];
      for (let path: string | null = `account/${id}/operations`; path !== null; ) {
        const body: string = await page(path);
        shown.push(...cells(body, 'Balance').map(readHbar));
        path = /<a href="\/demo\/([^"]+)" rel="next">/.exec(body)?.[1]?.replaceAll('&#38;', '&') ?? null;
      }
      expect([id, shown]).toEqual([id, expected]);
    }
  });

  it('is found by every form of its name, and no other', async () => {
    const { evm_address: address } = (await json('/api/v1/accounts/0.0.1001')) as { evm_address: string };
    for (const name of ['1001', '0.1001', address, address.slice(2)]) {
      expect(await page(`account/${name}`)).toContain('<code data-copy>0.0.1001</code>');
    }
    expect(await page(`address/${address}`)).toContain('<code data-copy>0.0.1001</code>');
    const missing = await app.inject({ url: '/demo/account/0.0.3999999' });
    expect([missing.statusCode, missing.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
    const invalid = await app.inject({ url: '/demo/account/%3Cscript%3E' });
    expect(invalid.statusCode).toBe(400);
    expect(invalid.body).not.toContain('<script>');
  });

  it.each([
    'assets',
    'operations',
    'rewards',
    'allowances',
    'hooks',
    'tokens',
    'nfts',
    'airdrops/pending',
    'airdrops/outstanding',
    'allowances/crypto',
    'allowances/tokens',
    'allowances/nfts',
  ])('has %s, small, and its JSON is there', async (end) => {
    for (const id of accounts.slice(0, 20)) {
      const body = await page(`account/${id}/${end}`);
      expect(Buffer.byteLength(body)).toBeLessThan(80_000);
      const [, path] = /<a href="([^"]+)">This page as JSON/.exec(body)!;
      await json(path!.replaceAll('&#38;', '&'));
      const [, csv] = /<a href="\/demo\/([^"]+)" download>/.exec(body)!;
      await file(csv!.replaceAll('&#38;', '&'));
    }
  });

  it('keeps its conditions on the next page, and refuses what is no day', async () => {
    const body = await page(
      'account/0.0.1001/operations?type=&transactiontype=CRYPTOTRANSFER&result=&from=2020-01-01&to=&limit=2',
    );
    expect(body).toContain('<option value="CRYPTOTRANSFER" selected>');
    expect(body).toContain('name="from" value="2020-01-01"');
    const [, next] = /<a href="([^"]+)" rel="next">/.exec(body)!;
    const query = new URLSearchParams(next!.replaceAll('&#38;', '&').split('?')[1]);
    expect([query.get('transactiontype'), query.get('from'), query.get('limit')]).toEqual([
      'CRYPTOTRANSFER',
      '2020-01-01',
      '2',
    ]);
    expect(query.get('timestamp')).toMatch(/^lt:\d+\.\d{9}$/);
    for (const bad of ['from=2026-02-30', 'to=1.1.2026', 'from=1969-12-31', 'result=x', 'transactiontype=NONE']) {
      expect((await app.inject({ url: `/demo/account/0.0.1001/operations?${bad}` })).statusCode).toBe(400);
    }
  });

  it('has a statement that begins and ends with the balances of its first and last row', async () => {
    const body = await page('account/0.0.1001/operations');
    const [, statement] = /<section class="paper"(.*?)<\/section>/s.exec(body)!;
    const value = (name: string): string =>
      withoutTags(new RegExp(`<dt>${name}</dt><dd>(.*?)</dd>`, 's').exec(statement!)![1]!);
    const [newest] = cells(body, 'Balance');
    expect(value('Network')).toBe('demo');
    expect(readHbar(value('Balance at the end'))).toBe(readHbar(newest!));
    const shown = (await transactionsOf('0.0.1001')).slice(0, 25);
    const change = shown.reduce((sum, { transfers }) => sum + sumOf(transfers, '0.0.1001'), 0n);
    expect(readHbar(value('Balance at the end')) - readHbar(value('Balance at the begin'))).toBe(change);
  });

  it('has a statement of a time in which nothing moved', async () => {
    const before = await page('account/0.0.1001/operations?from=1999-01-01&to=1999-12-31');
    expect(before).toContain('<dt>Balance at the begin</dt><dd><span class="amount">0 ');
    expect(before).toContain('1999-01-01 00:00:00.000000000 UTC');
    expect(before).toContain('1999-12-31 23:59:59.999999999 UTC');
    const after = await page('account/0.0.1001/operations?from=2150-01-01&to=2150-12-31');
    const [, end] = /<dt>Balance at the end<\/dt><dd>(.*?)<\/dd>/s.exec(after)!;
    const { balance } = (await json('/api/v1/accounts/0.0.1001')) as { balance: { balance: bigint } };
    expect(readHbar(withoutTags(end!))).toBe(balance.balance);
  });

  it('has balances oldest first as well, and none where transactions are left out', async () => {
    const newestFirst = cells(await page('account/0.0.1001/operations?limit=100'), 'Balance');
    const oldestFirst = cells(await page('account/0.0.1001/operations?limit=100&order=asc'), 'Balance');
    const all = (await transactionsOf('0.0.1001')).length;
    const shared = Math.max(0, 200 - all);
    expect(oldestFirst.toReversed().slice(0, shared)).toEqual(newestFirst.slice(newestFirst.length - shared));
    expect(cells(await page('account/0.0.1001/operations?result=success'), 'Balance')).toEqual([]);
  });
});

describe('the file of movements', () => {
  it('has what every transaction of the API moved, by asset, and nothing else', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(accounts.length - 1), async (place) => {
        const id = accounts[place]!;
        const lines = await file(`account/${id}/transactions.csv`);
        const expected = (await transactionsOf(id)).reverse();
        const hbar = lines.filter(({ asset }) => asset === 'HBAR');
        expect(
          hbar.map((line) => [
            line.consensus_timestamp,
            line.transaction_id,
            readUnits(line.amount!, 8),
            readUnits(line.staking_reward_hbar!, 8),
          ]),
        ).toEqual(
          expected.map((one) => [
            one.consensus_timestamp,
            one.transaction_id,
            sumOf(one.transfers, id),
            sumOf(one.staking_reward_transfers, id),
          ]),
        );
        const tokens = new Map<string, bigint>();
        const nfts = new Map<string, number>();
        for (const one of expected) {
          for (const { account, amount, token_id } of one.token_transfers) {
            const key = `${one.consensus_timestamp} ${token_id}`;
            if (account === id) tokens.set(key, (tokens.get(key) ?? 0n) + amount);
          }
          for (const { token_id, receiver_account_id, sender_account_id } of one.nft_transfers) {
            if (receiver_account_id === sender_account_id) continue;
            const key = (sign: string): string => `${one.consensus_timestamp} ${token_id} ${sign}`;
            if (receiver_account_id === id) nfts.set(key('+'), (nfts.get(key('+')) ?? 0) + 1);
            if (sender_account_id === id) nfts.set(key('-'), (nfts.get(key('-')) ?? 0) + 1);
          }
        }
        const decimals = new Map<string, number>();
        const fungible = lines.filter((line) => line.asset !== 'HBAR' && line.nft_serials === '');
        for (const { asset } of fungible) {
          if (!decimals.has(asset!)) decimals.set(asset!, Number((await json(`/api/v1/tokens/${asset}`)).decimals));
        }
        expect(
          new Map(
            fungible.map((line) => [
              `${line.consensus_timestamp} ${line.asset}`,
              readUnits(line.amount!, decimals.get(line.asset!)!),
            ]),
          ),
        ).toEqual(new Map([...tokens].filter(([, amount]) => amount !== 0n)));
        const ofNfts = lines.filter((line) => line.nft_serials !== '');
        expect(
          new Map(
            ofNfts.map((line) => [
              `${line.consensus_timestamp} ${line.asset} ${line.amount!.startsWith('-') ? '-' : '+'}`,
              Math.abs(Number(line.amount)),
            ]),
          ),
        ).toEqual(nfts);
      }),
      { numRuns: 25 },
    );
  });

  it('says what an hbar was worth when the day began, and what the amount was', async () => {
    const lines = (await file('account/0.0.1001/transactions.csv')).filter(({ asset }) => asset === 'HBAR');
    expect(lines.length).toBeGreaterThan(20);
    for (const { consensus_timestamp: at, amount, usd_per_hbar: perHbar, value_usd: value } of lines.slice(-10)) {
      const day = Number(at!.slice(0, -10)) - (Number(at!.slice(0, -10)) % 86_400);
      const before = await app.inject({ url: `/api/v1/network/exchangerate?timestamp=${day}.000000000` });
      const found =
        before.statusCode === 200
          ? before
          : await app.inject({ url: `/api/v1/network/exchangerate?timestamp=gte:${day}&timestamp=lt:${day + 86_400}` });
      const { current_rate: rate } = JSON.parse(found.body) as {
        current_rate: { cent_equivalent: number; hbar_equivalent: number };
      };
      expect(Number(perHbar)).toBeCloseTo(rate.cent_equivalent / rate.hbar_equivalent / 100, 6);
      expect(
        Math.abs(Number(value) - (Number(amount) * rate.cent_equivalent) / rate.hbar_equivalent / 100),
      ).toBeLessThan(0.000_001);
    }
  });

  it('of a year has that year alone', async () => {
    const all = await file('account/0.0.1001/transactions.csv');
    const years = new Set(all.map(({ time_utc: time }) => time!.slice(0, 4)));
    const parts = await Promise.all(
      [...years].sort().map((year) => file(`account/0.0.1001/transactions.csv?year=${year}`)),
    );
    expect(parts.flat()).toEqual(all);
    expect(await file('account/0.0.1001/transactions.csv?year=1999')).toEqual([]);
  });
});

describe('files of lists of an account', () => {
  const lists = [
    ['tokens', (id: string) => `/api/v1/accounts/${id}/tokens`, 'tokens', 'token_id', 'token_id'],
    ['nfts', (id: string) => `/api/v1/accounts/${id}/nfts`, 'nfts', 'serial_number', 'serial_number'],
    ['rewards', (id: string) => `/api/v1/accounts/${id}/rewards`, 'rewards', 'consensus_timestamp', 'timestamp'],
    [
      'allowances/crypto',
      (id: string) => `/api/v1/accounts/${id}/allowances/crypto`,
      'allowances',
      'spender',
      'spender',
    ],
    [
      'allowances/tokens',
      (id: string) => `/api/v1/accounts/${id}/allowances/tokens`,
      'allowances',
      'token_id',
      'token_id',
    ],
    ['allowances/nfts', (id: string) => `/api/v1/accounts/${id}/allowances/nfts`, 'allowances', 'token_id', 'token_id'],
    ['airdrops/pending', (id: string) => `/api/v1/accounts/${id}/airdrops/pending`, 'airdrops', 'token_id', 'token_id'],
    [
      'airdrops/outstanding',
      (id: string) => `/api/v1/accounts/${id}/airdrops/outstanding`,
      'airdrops',
      'token_id',
      'token_id',
    ],
    ['hooks', (id: string) => `/api/v1/accounts/${id}/hooks`, 'hooks', 'hook_id', 'hook_id'],
  ] as const;
  it.each(lists)('%s: the items of the API', async (path, url, member, column, of) => {
    let count = 0;
    for (const id of accounts) {
      const lines = await file(`account/${id}/${path}.csv`);
      const items = await listAll<Record<string, unknown>>(url(id), member);
      expect([id, lines.map((line) => line[column])]).toEqual([id, items.map((item) => `${item[of]}`)]);
      count += items.length;
    }
    // At least one account of the ledger has some.
    expect(count).toBeGreaterThan(0);
  });
});
