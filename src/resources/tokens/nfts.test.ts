// What the specifications do not show of single NFTs: the order of refusals, unknown beginnings, and what a deletion
// says.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answers, openAnswers } from '../../../packages/test-support/http/answers.ts';
import { toSetupRows } from '../../../packages/test-support/rows/setup-rows.ts';
import { type StoredRows, storeRows } from '../../../packages/test-support/rows/store-rows.ts';

const dialects = ['spec', 'hiero'] as const;
const path = '/api/v1/tokens/0.0.1500/nfts';

let stored: StoredRows;
let answers: Answers;
beforeAll(async () => {
  const nft = { token_id: '0.0.1500', account_id: '0.0.1001', created_timestamp: 5n, deleted: false };
  const moved = { receiver_account_id: 1001, sender_account_id: 1002, is_approval: true, token_id: 1500 };
  const setup = {
    entities: [{ num: 1500n, type: 'TOKEN', deleted: true, timestamp_range: '[9,)' }],
    nfts: [
      { ...nft, serial_number: 1n, timestamp_range: '[7,)' },
      { ...nft, serial_number: 1n, timestamp_range: '[5,7)', account_id: '0.0.1002' },
      { ...nft, serial_number: 2n, deleted: null, metadata: null, created_timestamp: null, timestamp_range: '[6,)' },
      { ...nft, serial_number: 3n, token_id: '0.0.1600', deleted: null, timestamp_range: '[6,)' },
      // Of its versions those of 3 and 8 have no transaction, that of 10 is a change of the treasury.
      { ...nft, serial_number: 5n, token_id: '0.0.1800', created_timestamp: 3n, timestamp_range: '[11,)' },
      ...['[3,4)', '[4,8)', '[8,10)', '[10,11)'].map((timestamp_range) => ({
        ...nft,
        serial_number: 5n,
        token_id: '0.0.1800',
        created_timestamp: 3n,
        timestamp_range,
      })),
    ],
  };
  const transaction = (consensus_timestamp: bigint, type: number, serial_number: number, token_id = 1500) => ({
    table: 'transaction',
    row: {
      consensus_timestamp,
      type,
      payer_account_id: 1001n,
      valid_start_ns: consensus_timestamp - 1n,
      result: 22,
      nft_transfer: JSON.stringify([
        { ...moved, token_id: 7, serial_number },
        { ...moved, serial_number, token_id },
      ]),
    },
  });
  stored = await storeRows([
    ...toSetupRows(setup, { shard: 0n, realm: 0n }),
    transaction(5n, 37, 1),
    transaction(6n, 14, 2),
    transaction(7n, 14, 1),
    transaction(9n, 35, 1),
    transaction(4n, 14, 5, 1800),
    transaction(10n, 36, -1, 1800),
    // Moves all others, and this one elsewhere by itself: its own transfer counts, wherever it stands.
    {
      table: 'transaction',
      row: {
        ...transaction(11n, 36, -1, 1800).row,
        nft_transfer: JSON.stringify([
          { ...moved, serial_number: -1, token_id: 1800 },
          { ...moved, serial_number: 5, token_id: 1800, receiver_account_id: 1009 },
        ]),
      },
    },
  ]);
  answers = openAnswers(stored.db);
});
afterAll(async () => {
  await answers?.close();
  await stored?.close();
});

const messagesOf = (body: unknown) =>
  (body as { _status: { messages: { message: string }[] } })._status.messages.map(({ message }) => message);

describe.each(dialects)('refusals in the dialect %s', (dialect) => {
  it.each<[url: string, status: number, ...messages: string[]]>([
    ['/api/v1/tokens/0.0.x/nfts?limit=0', 400, 'Invalid parameter: tokenid'],
    ['/api/v1/tokens/0.0.x/nfts/0?x=1&x=2', 400, 'Unknown query parameter: x'],
    ['/api/v1/tokens/0.0.x/nfts/0', 400, 'Invalid parameter: tokenid'],
    [`${path}/0`, 400, 'Invalid parameter: serialnumber'],
    [`${path}/9223372036854775808`, 400, 'Invalid parameter: serialnumber'],
    [`${path}/9`, 404, 'Not found'],
    [`${path}/x/transactions?limit=0`, 400, 'Invalid parameter: serialnumber'],
    [`${path}/1/transactions?limit=0&foo=1`, 400, 'Invalid parameter: limit', 'Unknown query parameter: foo'],
    [`${path}?account.id=x&serialnumber=0`, 400, 'Invalid parameter: account.id', 'Invalid parameter: serialnumber'],
  ])('%s', async (url, status, ...messages) => {
    const answer = await answers.get(dialect, url);
    expect([answer.status, messagesOf(answer.body)]).toEqual([status, messages]);
  });
});

describe.each(dialects)('what is found in the dialect %s', (dialect) => {
  it.each<[url: string, serials: bigint[]]>([
    [path, [2n, 1n]],
    [`${path}?serialnumber=ne:2`, [1n]],
    [`${path}?serialnumber=1&serialnumber=2`, []],
    [`${path}?account.id=1001&account.id=lt:1002&order=asc`, [1n, 2n]],
    [`${path}?account.id=${'ab'.repeat(20)}`, []],
    [`${path}?serialnumber=gt:9223372036854775807`, []],
  ])('%s', async (url, serials) => {
    const { status, body } = await answers.get(dialect, url);
    expect([status, (body.nfts as { serial_number: bigint }[]).map((nft) => nft.serial_number)]).toEqual([
      200,
      serials,
    ]);
  });

  it('an NFT is deleted with its token; what is not known is null', async () => {
    const one = (await answers.get(dialect, `${path}/1`)).body;
    expect(one).toMatchObject({
      deleted: true,
      metadata: '',
      modified_timestamp: '0.000000007',
      account_id: '0.0.1001',
    });
    const two = (await answers.get(dialect, `${path}/2`)).body;
    expect(two).toMatchObject({ deleted: true, metadata: null, created_timestamp: null });
    const other = (await answers.get(dialect, '/api/v1/tokens/1600/nfts/3')).body;
    expect(other).toMatchObject({ deleted: null });
  });

  it('the transactions of an NFT are those of its versions and the end of its token', async () => {
    const { status, body } = await answers.get(dialect, `${path}/1/transactions`);
    const nobody = { is_approval: false, receiver_account_id: null, sender_account_id: null };
    const both = { is_approval: true, receiver_account_id: '0.0.1001', sender_account_id: '0.0.1002' };
    const shown = (body.transactions as Record<string, unknown>[]).map(({ nonce, transaction_id, ...rest }) => rest);
    expect([status, shown]).toEqual([
      200,
      [
        { consensus_timestamp: '0.000000009', type: 'TOKENDELETION', ...nobody },
        { consensus_timestamp: '0.000000007', type: 'CRYPTOTRANSFER', ...both },
        { consensus_timestamp: '0.000000005', type: 'TOKENMINT', ...both },
      ],
    ]);
  });

  it.each<[query: string, times: string[], next: string | null]>([
    ['limit=2', ['0.000000009', '0.000000007'], `${path}/1/transactions?limit=2&timestamp=lt:0.000000007`],
    ['limit=2&timestamp=lt:0.000000007', ['0.000000005'], null],
    ['timestamp=0.000000007&timestamp=0.000000005', [], null],
    ['timestamp=ne:0.000000007&order=asc', ['0.000000005', '0.000000009'], null],
  ])('transactions of an NFT with %s', async (query, times, next) => {
    const { body } = await answers.get(dialect, `${path}/1/transactions?${query}`);
    expect((body.transactions as { consensus_timestamp: string }[]).map((item) => item.consensus_timestamp)).toEqual(
      times,
    );
    expect(body.links).toEqual({ next });
  });

  it('a change of the treasury names both sides where the dialect has it', async () => {
    const { body } = await answers.get(dialect, '/api/v1/tokens/0.0.1800/nfts/5/transactions?limit=2');
    const all = { receiver_account_id: '0.0.1001', sender_account_id: '0.0.1002', is_approval: true };
    const nobody = { receiver_account_id: null, sender_account_id: null, is_approval: false };
    expect(body.transactions).toMatchObject([
      { consensus_timestamp: '0.000000011', ...all, receiver_account_id: '0.0.1009' },
      { consensus_timestamp: '0.000000010', type: 'TOKENUPDATE', ...(dialect === 'spec' ? all : nobody) },
    ]);
  });

  it.each(['asc', 'desc'])('a page is full of transactions though moments before them have none, %s', async (order) => {
    const pages: string[][] = [];
    let url: string | null = `/api/v1/tokens/0.0.1800/nfts/5/transactions?limit=1&order=${order}`;
    while (url !== null) {
      const { body }: { body: Record<string, unknown> } = await answers.get(dialect, url);
      pages.push((body.transactions as { consensus_timestamp: string }[]).map((item) => item.consensus_timestamp));
      url = (body.links as { next: string | null }).next;
    }
    const times = ['0.000000004', '0.000000010', '0.000000011'].map((time) => [time]);
    const inOrder = order === 'asc' ? times : times.toReversed();
    // A full page has a link, also where nothing follows it.
    expect(pages).toEqual([...inOrder, []]);
  });

  it('is partial where the beginning of an NFT is not known, and where the NFT is not', async () => {
    expect((await answers.get(dialect, `${path}/2/transactions`)).status).toBe(206);
    const none = await answers.get(dialect, '/api/v1/tokens/1700/nfts/1/transactions');
    expect([none.status, none.body]).toEqual([200, { transactions: [], links: { next: null } }]);
    const token = await answers.get(dialect, `${path}/77/transactions`);
    expect([token.status, (token.body.transactions as unknown[]).length]).toEqual([206, 1]);
  });
});
