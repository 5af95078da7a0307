// What people write into memos, names, symbols, metadata and keys is text on the pages of an account, and in its files.
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openServer } from '../../../packages/test-support/http/open-server.ts';
import type { SetupRow } from '../../../packages/test-support/rows/setup-row.ts';
import { type StoredRows, storeRows } from '../../../packages/test-support/rows/store-rows.ts';
import { blockRow, blockTimes, entityRow } from '../../../packages/test-support/rpc/chain-rows.ts';

const { start: at } = blockTimes(1n);
const hostile = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "'; drop table token; --",
  '=HYPERLINK("http://evil.example")',
  '+SUM(A1)',
  '-2+3',
  '@cmd',
  '\t=1',
  '\r=1',
  '\nx',
  'x;=1',
  'x; "+1',
  '＝1',
  "'=1",
  '\u202eevil\u202c',
  'javascript:alert(1)',
  'data:text/html,<b>x</b>',
  'https://evil.example/"onclick="alert(1)',
  'a,b;c\nd\r\ne"f',
  '{{constructor.constructor("alert(1)")()}}',
  '</title><svg onload=alert(1)>',
  'x'.repeat(100),
];

function tokenRows(place: number): SetupRow[] {
  const text = hostile[place]!;
  const token_id = BigInt(2000 + place);
  const moment = at + BigInt(place) * 10n;
  return [
    entityRow(token_id, { type: 'TOKEN' }),
    {
      table: 'token',
      row: {
        ...{ token_id, created_timestamp: 1n, decimals: place, initial_supply: 1n, name: text, symbol: text },
        ...{
          timestamp_range: '[1,)',
          treasury_account_id: 1001n,
          freeze_status: 0,
          kyc_status: 0,
          pause_status: 'NOT_APPLICABLE',
        },
        ...{
          type: place % 2 === 0 ? 'FUNGIBLE_COMMON' : 'NON_FUNGIBLE_UNIQUE',
          supply_type: 'INFINITE',
          total_supply: 1n,
          max_supply: 0n,
        },
      },
    },
    {
      table: 'token_account',
      row: {
        account_id: 1001n,
        token_id,
        associated: true,
        balance: 5n,
        created_timestamp: 1n,
        timestamp_range: '[1,)',
        automatic_association: false,
      },
    },
    {
      table: 'nft',
      row: {
        token_id,
        serial_number: 1n,
        account_id: 1001n,
        created_timestamp: 1n,
        deleted: false,
        metadata: Buffer.from(text),
        timestamp_range: '[1,)',
      },
    },
    {
      table: 'transaction',
      row: {
        ...{
          consensus_timestamp: moment,
          payer_account_id: 1001n,
          valid_start_ns: moment - 5n,
          type: 14,
          result: 22,
          nonce: 0,
        },
        ...{ memo: Buffer.from(text), charged_tx_fee: 7n, scheduled: false, node_account_id: 3n },
      },
    },
    {
      table: 'crypto_transfer',
      row: { consensus_timestamp: moment, payer_account_id: 1001n, entity_id: 1001n, amount: -7n, is_approval: false },
    },
    {
      table: 'token_transfer',
      row: {
        consensus_timestamp: moment,
        payer_account_id: 1001n,
        token_id,
        account_id: 1001n,
        amount: -5n,
        is_approval: false,
      },
    },
  ];
}

let stored: StoredRows;
let app: ReturnType<typeof openServer>;
beforeAll(async () => {
  const memo = hostile[0]!;
  stored = await storeRows([
    blockRow(0n),
    blockRow(1n),
    entityRow(1001n, { memo, key: Buffer.from('deadbeef', 'hex'), balance: 1_000n, alias: Buffer.from(hostile[1]!) }),
    ...hostile.flatMap((_, place) => tokenRows(place)),
  ]);
  app = openServer(stored.db, 'spec');
});
afterAll(async () => {
  await app?.close();
  await stored?.close();
});

describe.each(['', '/assets', '/operations', '/tokens', '/nfts', '/rewards', '/allowances', '/hooks'])(
  'the page%s',
  (end) => {
    it('has no element, attribute or link that the ledger wrote', async () => {
      const { body, statusCode } = await app.inject({ url: `/demo/account/0.0.1001${end}` });
      expect(statusCode).toBe(200);
      expect(body).not.toMatch(/<script>|<img src=x|<svg onload|<b>x|onclick="|\u202e/);
      // The one script of all pages, and no handler of an event.
      expect(body.match(/<script/g)).toEqual(['<script']);
      expect(body).not.toMatch(/<[^>]+\son\w+=/);
      const links = [...body.matchAll(/href="([^"]*)"/g)].map(([, href]) => href!);
      const foreign = links.filter((href) => !href.startsWith('/') && !href.startsWith('#'));
      // An address of the web, with what could end the attribute written in another way.
      expect(foreign.filter((href) => href !== 'https://evil.example/%22onclick=%22alert(1)')).toEqual([]);
    });
  },
);

it('a metadata never becomes a link that runs', async () => {
  const { body } = await app.inject({ url: '/demo/account/0.0.1001/nfts?limit=100' });
  expect(body).not.toContain('href="javascript');
});

/** What has an apostrophe where a spreadsheet would begin a formula. */
const changed: Record<string, string> = {
  "'; drop table token; --": "'; drop table token;' --",
  '=HYPERLINK("http://evil.example")': `'=HYPERLINK("http://evil.example")`,
  '+SUM(A1)': "'+SUM(A1)",
  '-2+3': "'-2+3",
  '@cmd': "'@cmd",
  '\t=1': "'\t'=1",
  '\r=1': "'\r'=1",
  '\nx': "'\nx",
  'x;=1': "x;'=1",
  'x; "+1': `x;' "+1`,
  '＝1': "'＝1",
  "'=1": "''=1",
};
const asText = (text: string): string => changed[text] ?? text;

it('files have every text as it was written, and no formula', async () => {
  const file = async (end: string) => {
    const { body } = await app.inject({ url: `/demo/account/0.0.1001/${end}` });
    return parse(body, { columns: true, record_delimiter: '\r\n' }) as Record<string, string>[];
  };
  const tokens = await file('tokens.csv');
  expect(tokens.map(({ name }) => name)).toEqual(hostile.map(asText));
  expect(tokens.map(({ symbol }) => symbol)).toEqual(hostile.map(asText));
  const nfts = await file('nfts.csv?order=asc');
  expect(nfts.map(({ metadata }) => metadata)).toEqual(hostile.map(asText));
  expect(nfts.map(({ metadata_hex: hex }) => Buffer.from(hex!, 'hex').toString())).toEqual(hostile);
  const lines = await file('transactions.csv');
  const hbar = lines.filter(({ asset }) => asset === 'HBAR');
  expect(hbar.map(({ memo }) => memo)).toEqual(hostile.map(asText));
  expect(hbar.map(({ amount, fee_hbar: fee }) => [amount, fee])).toEqual(
    hostile.map(() => ['-0.00000007', '0.00000007']),
  );
  const moved = lines.filter(({ asset }) => asset !== 'HBAR');
  expect(moved.map(({ symbol, amount }) => [symbol, amount])).toEqual(
    hostile.map((text, place) => [asText(text), place === 0 ? '-5' : `-0.${'5'.padStart(place, '0')}`]),
  );
});
