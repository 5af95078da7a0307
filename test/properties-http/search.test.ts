// The search: whatever names something on the ledger leads to its page, a program that asks for JSON to an endpoint
// that answers, and what leads nowhere shows what can be looked up.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { encodeBase32 } from '../../packages/kit/base32.ts';
import { formatEntityId } from '../../packages/protocol/hapi/entity-id.ts';
import { formatTimestamp } from '../../packages/protocol/hapi/timestamp.ts';
import { openSimulatedMirror, type SimulatedMirror } from './simulated-mirror.ts';

let mirror: SimulatedMirror;
beforeAll(async () => {
  mirror = await openSimulatedMirror('small');
});
afterAll(() => mirror.close());

async function select<Row>(text: string): Promise<Row> {
  const [row] = await mirror.db.query<Row>({ name: '', text });
  return row!;
}

const pathOf = (text: string) => `/search?q=${encodeURIComponent(text)}`;
const search = (text: string) => mirror.visit(pathOf(text));

/** Where it leads a program, once that has answered. */
async function follow(text: string): Promise<string> {
  const { status, location } = await mirror.visit(pathOf(text), { accept: 'application/json' });
  expect([text, status]).toEqual([text, 302]);
  const answer = await mirror.get('spec', location!);
  expect([location, answer.status]).toEqual([location, 200]);
  return location!;
}

/** Where it leads a reader. */
async function followAsReader(text: string): Promise<string> {
  const { status, location } = await search(text);
  expect([text, status]).toEqual([text, 302]);
  return location!;
}

test.each([
  ['accounts', `select id from entity where type = 'ACCOUNT' and alias is not null and deleted = false limit 1`],
  ['contracts', `select id from entity where type = 'CONTRACT' and deleted = false limit 1`],
  ['tokens', 'select token_id as id from token join custom_fee on entity_id = token_id limit 1'],
  ['schedules', 'select schedule_id as id from schedule limit 1'],
])('an id leads to %s, in each of its forms', async (collection, text) => {
  const { id } = await select<{ id: bigint }>(text);
  const path = `/api/v1/${collection}/${formatEntityId(id)}`;
  const longZero = id.toString(16).padStart(40, '0');
  for (const form of [`${id}`, `0.${id}`, `0.0.${id}`, ` 0.0.${id} `, `0x${longZero}`, longZero]) {
    expect(await follow(form)).toBe(path);
    expect(await followAsReader(form)).toBe(`/demo/${collection.slice(0, -1)}/${formatEntityId(id)}`);
  }
});

test('an EVM address leads to its account or contract, an alias to its account', async () => {
  for (const type of ['ACCOUNT', 'CONTRACT']) {
    const { id, address } = await select<{ id: bigint; address: Buffer }>(
      `select id, evm_address as address from entity where type = '${type}' and evm_address is not null and deleted = false limit 1`,
    );
    const path = `/api/v1/${type.toLowerCase()}s/${formatEntityId(id)}`;
    for (const prefix of ['', '0x', '0.0.']) expect(await follow(prefix + address.toString('hex'))).toBe(path);
  }
  const { id, alias } = await select<{ id: bigint; alias: Buffer }>(
    `select id, alias from entity where type = 'ACCOUNT' and length(alias) > 20 and deleted = false limit 1`,
  );
  for (const text of [encodeBase32(alias), `0.0.${encodeBase32(alias)}`]) {
    expect(await follow(text)).toBe(`/api/v1/accounts/${formatEntityId(id)}`);
  }
});

test('a transaction is found by its hash, its id and its moment', async () => {
  const plain = `from transaction t join transaction_hash h using (consensus_timestamp)
    where not exists (select from contract_result r where r.consensus_timestamp = t.consensus_timestamp)
    and t.parent_consensus_timestamp is null order by 1 desc limit 1`;
  const called = `from contract_result r join transaction t using (consensus_timestamp)
    join transaction_hash h using (consensus_timestamp) where t.parent_consensus_timestamp is null order by 1 desc limit 1`;
  type Named = { at: bigint; hash: Buffer; payer: bigint; start: bigint };
  const columns = `select consensus_timestamp as at, t.transaction_hash as hash, t.payer_account_id as payer, t.valid_start_ns as start`;
  for (const [from, path] of [
    [plain, /^\/api\/v1\/transactions\/0\.0\.\d+-\d+-\d{9}$/],
    [called, /^\/api\/v1\/contracts\/results\/0x[0-9a-f]{64}$/],
  ] as const) {
    const { at, hash, payer, start } = await select<Named>(`${columns} ${from}`);
    const moment = (ns: bigint, point: string) =>
      `${ns / 1_000_000_000n}${point}${String(ns % 1_000_000_000n).padStart(9, '0')}`;
    const names = [
      `0x${hash.toString('hex')}`,
      hash.toString('hex').toUpperCase(),
      `0x${hash.subarray(0, 32).toString('hex')}`,
      moment(at, '.'),
      `0.0.${payer}@${moment(start, '.')}`,
      `0.0.${payer}-${moment(start, '-')}`,
    ];
    for (const name of names) {
      const location = await follow(name);
      expect([name, location]).toEqual([name, expect.stringMatching(path)]);
      expect([name, await followAsReader(name)]).toEqual([name, `/demo/transaction/${moment(at, '.')}`]);
      // The very transaction, and not one beside it.
      const { text } = await mirror.get('spec', location);
      expect([name, text]).toEqual([name, expect.stringContaining(moment(at, '.'))]);
    }
  }
});

test('a block is found by its hash', async () => {
  const { hash, index } = await select<{ hash: string; index: bigint }>('select hash, index from record_file limit 1');
  expect(await follow(hash)).toBe(`/api/v1/blocks/${index}`);
  expect(await followAsReader(hash)).toBe(`/demo/block/${index}`);
});

test('a public key leads to its account, or to all that have it', async () => {
  const { key, id } = await select<{ key: string; id: bigint }>(
    `select public_key as key, min(id) as id from entity where length(public_key) = 64 and type in ('ACCOUNT', 'CONTRACT')
      group by 1 having count(*) = 1 and min(type::text) = 'ACCOUNT' limit 1`,
  );
  for (const text of [key, `0x${key}`, key.toUpperCase(), `302a300506032b6570032100${key}`]) {
    expect(await follow(text)).toBe(`/api/v1/accounts/${formatEntityId(id)}`);
  }
  await mirror.db.query({
    name: '',
    text: `update entity set public_key = '${key}' where id = (select max(id) from entity where type = 'ACCOUNT' and id <> ${id})`,
  });
  const path = await followAsReader(key);
  expect(path).toBe(`/demo/accountsWithKey/${key}`);
  const { status, text } = await mirror.visit(path);
  expect([status, text]).toEqual([200, expect.stringContaining(`/demo/account/${formatEntityId(id)}`)]);
  expect(await follow(key)).toBe(`/api/v1/accounts?account.publickey=${key}`);
});

test('a number behind an id is an NFT, or a message', async () => {
  const nft = await select<{ token: bigint; serial: bigint }>(
    'select token_id as token, serial_number as serial from nft limit 1',
  );
  for (const mark of ['/', '#']) {
    const text = `0.0.${nft.token}${mark}${nft.serial}`;
    expect(await follow(text)).toBe(`/api/v1/tokens/0.0.${nft.token}/nfts/${nft.serial}`);
    expect(await followAsReader(text)).toBe(`/demo/token/0.0.${nft.token}/${nft.serial}`);
  }
  const message = await select<{ topic: bigint; number: bigint; at: bigint }>(
    'select topic_id as topic, sequence_number as number, consensus_timestamp as at from topic_message limit 1',
  );
  const text = `${message.topic}/${message.number}`;
  expect(await follow(text)).toBe(`/api/v1/topics/0.0.${message.topic}/messages/${message.number}`);
  expect(await followAsReader(text)).toBe(`/demo/transaction/${formatTimestamp(message.at)}`);
});

/** Where each hit of a page of several leads. */
async function hitsOf(text: string): Promise<string[]> {
  const found = await search(text);
  expect([text, found.status]).toEqual([text, 200]);
  return [...found.text.matchAll(/<td class="at-title"><a href="([^"]+)">/g)].map(([, location]) => location!);
}

test('a number is a block, and whatever has that id: one of them is shown at once, both on a page', async () => {
  const { newest } = await select<{ newest: bigint }>('select max(index) as newest from record_file');
  const entity = await select<{ id: bigint; type: string }>(
    `select id, type from entity where id <= ${newest} and type = 'ACCOUNT' order by id limit 1`,
  );
  expect(await hitsOf(`${entity.id}`)).toEqual([`/demo/account/0.0.${entity.id}`, `/demo/block/${entity.id}`]);
  const { alone } = await select<{ alone: bigint }>(
    `select index as alone from record_file where not exists (select from entity where id = index) order by 1 limit 1`,
  );
  expect(await follow(`${alone}`)).toBe(`/api/v1/blocks/${alone}`);
  expect(await follow(`00${alone}`)).toBe(`/api/v1/blocks/${alone}`);
});

test('tokens are found by their symbol, their name or a part of it, in any case', async () => {
  const all = await mirror.db.query<{ id: bigint; name: string; symbol: string }>({
    name: '',
    text: 'select token_id as id, name, symbol from token order by token_id',
  });
  const tokens = all.filter(({ name }) => name.length > 4);
  expect(tokens.length).toBeGreaterThan(3);
  const parts = [
    ...tokens.flatMap(({ name }) => [name, name.toLowerCase(), name.slice(0, 4).trim()]),
    ...all.flatMap(({ symbol }) => [symbol, symbol.toLowerCase(), symbol.toUpperCase()]),
  ];
  for (const part of new Set(parts)) {
    if (part.trim() !== part || part === '' || /^[\d.]+$/.test(part)) continue;
    const bySymbol = all.filter(({ symbol }) => symbol.toLowerCase() === part.toLowerCase()).slice(0, 25);
    const isName = Buffer.byteLength(part) >= 3;
    const byName = isName ? all.filter(({ name }) => name.toLowerCase().includes(part.toLowerCase())).slice(0, 25) : [];
    const paths = [...new Set([...bySymbol, ...byName])].map(({ id }) => `/demo/token/0.0.${id}`);
    if (paths.length === 1) expect([part, (await search(part)).location]).toEqual([part, paths[0]]);
    else expect([part, await hitsOf(part)]).toEqual([part, paths]);
  }
  await mirror.db.query({
    name: '',
    text: `update token set name = case when token_id % 2 = 0 then '100% <b>' else '1000 b' end
      where token_id in (${tokens[0]!.id}, ${tokens[1]!.id}) `,
  });
  // A wildcard of patterns is a character like any other, and so is markup.
  const marked = tokens.slice(0, 2).filter(({ id }) => id % 2n === 0n);
  for (const { id } of marked) expect((await search('00% <')).location).toBe(`/demo/token/0.0.${id}`);
  expect((await search('00_ b')).status).toBe(404);
});

test('a mistyped name says which are similar', async () => {
  const { id, name } = await select<{ id: bigint; name: string }>(
    'select token_id as id, name from token where length(name) > 7 order by token_id limit 1',
  );
  const end = await search(`${name.slice(0, -1)}#`);
  expect([end.status, end.text]).toEqual([404, expect.stringContaining(`/demo/token/0.0.${id}`)]);
  expect(end.text).toContain('Names that are similar:');
  const start = await search(`#${name.slice(1)}`);
  expect([start.status, start.text]).toEqual([404, expect.stringContaining('similar')]);
});

describe('what leads nowhere', () => {
  test.each([
    ['999999999', 404, 'Nothing of this name is kept here.'],
    [`0x${'ab'.repeat(20)}`, 404, 'Nothing of this name'],
    [`0x${'ab'.repeat(32)}`, 404, 'Nothing of this name'],
    [`0x${'ab'.repeat(48)}`, 404, 'Nothing of this name'],
    ['1.2.1234', 404, 'Nothing of this name'],
    ['1700000000.1', 404, 'Nothing of this name'],
    ['what is this', 404, 'Nothing of this name'],
    ['0x1234', 404, 'Nothing of this name'],
    ['0.0.99999999999999999999', 404, 'Nothing of this name'],
    ['0.0.1234/99999999999', 404, 'Nothing of this name'],
    ['0.0.1234#9999999999999999999', 404, 'Nothing of this name'],
    ['ab'.repeat(33), 404, 'Nothing of this name'],
    ['99999999999999999999', 404, 'Nothing of this name'],
    ['xy', 404, 'Nothing of this name'],
    ['\u0000\u0000', 400, 'none of the forms that are known'],
    ['x'.repeat(101), 400, 'none of the forms'],
    ['9999999999', 404, 'Nothing of this name'],
    ['x'.repeat(5000), 400, 'none of the forms'],
    ['<script>alert(1)</script>', 404, '&#60;script&#62;'],
    ['"><img src=x>', 404, '&#34;&#62;&#60;img'],
    ['\u0000', 400, 'none of the forms'],
  ])('%j: %d and a sentence', async (text, status, sentence) => {
    const found = await search(text);
    expect([found.status, found.text]).toEqual([status, expect.stringContaining(sentence)]);
    expect(found.text).toContain('What can be looked up');
    expect(found.text).not.toMatch(/<script>|<img src=x/);
  });

  test('without a text the box is shown', async () => {
    for (const url of ['/search', '/search?q=', '/search?other=1']) {
      const { status, text } = await mirror.visit(url);
      expect([status, text]).toEqual([200, expect.stringContaining('<form action="/search"')]);
    }
  });
});

test('a topic leads to its endpoint, a file is named as what it is', async () => {
  const topic = await select<{ id: bigint }>(`select id from entity where type = 'TOPIC' limit 1`);
  expect(await follow(`0.0.${topic.id}`)).toBe(`/api/v1/topics/0.0.${topic.id}`);
  const file = await select<{ id: bigint }>(`select id from entity where type = 'FILE' limit 1`);
  const { status, text } = await mirror.visit(pathOf(`0.0.${file.id}`), { accept: 'application/json' });
  expect([status, text]).toEqual([
    404,
    expect.stringContaining('It is a file; no endpoint of this server shows those.'),
  ]);
  const { at } = await select<{ at: bigint }>(`select created_timestamp as at from entity where id = ${file.id}`);
  expect(await hitsOf(`0.0.${file.id}`)).toEqual([`/demo/transaction/${formatTimestamp(at)}`]);
});
