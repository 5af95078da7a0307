// The page of one block: by number and hash, its neighbours, its transactions page by page, how it was verified.
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openServer } from '../../../packages/test-support/http/open-server.ts';
import { columnOf } from '../../../packages/test-support/http/read-page.ts';
import { type StoredRows, storeRows } from '../../../packages/test-support/rows/store-rows.ts';

const second = 1_000_000_000n;
const endOf = (index: bigint): bigint => (1_700_000_000n + index * 100n) * second;

const block = (index: bigint, unusual: object = {}) => ({
  table: 'record_file',
  row: {
    ...{
      index,
      count: 1n,
      digest_algorithm: 0n,
      version: 6n,
      load_start: 0n,
      load_end: 0n,
      file_hash: 'fe'.repeat(48),
    },
    ...{ consensus_start: endOf(index) - 60n * second, consensus_end: endOf(index), gas_used: 1234n, size: 5_678n },
    ...{
      hash: index.toString(16).padStart(96, 'a'),
      prev_hash: (index - 1n).toString(16).padStart(96, 'a'),
      name: `<b>${index}`,
    },
    ...unusual,
  },
});
const transaction = (consensus_timestamp: bigint) => ({
  table: 'transaction',
  row: { consensus_timestamp, valid_start_ns: consensus_timestamp, payer_account_id: 5n, type: 14n, result: 22n },
});

let stored: StoredRows;
let app: FastifyInstance;
beforeAll(async () => {
  const times = Array.from({ length: 60 }, (_, at) => endOf(5n) - BigInt(59 - at) * second);
  const verification = { rests_on: 8n, weight: 700n, total_weight: 1000n, rotations: 3n };
  stored = await storeRows([
    ...[block(4n), block(5n), block(6n, { version: 7n, file_hash: '' }), block(7n, { version: 7n })],
    ...[block(8n, { version: 7n }), block(9n, { version: 7n })],
    ...[endOf(4n), ...times, endOf(6n)].map(transaction),
    { table: 'block_verification', row: { consensus_end: endOf(6n), kind: 'chain', ...verification } },
    {
      table: 'block_verification',
      row: { consensus_end: endOf(8n), kind: 'signed', rests_on: 8n, attestation: 'namedKey', key_named_by: 6n },
    },
    {
      table: 'block_verification',
      row: { consensus_end: endOf(9n), kind: 'chain', rests_on: 9n, attestation: 'unproved' },
    },
    // Of the ledger before.
    { table: 'former_ledger', row: { until_block: 6n, ledger_id: Buffer.of(0xca, 0xfe), origin: 'pinned' } },
    { table: 'ledger_trust', row: { id: 1n, ledger_id: Buffer.of(0xbe, 0xef), origin: 'selfDeclared' } },
  ]);
  app = openServer(stored.db, 'spec');
});
afterAll(async () => {
  await app?.close();
  await stored?.close();
});

async function visit(path: string, status = 200): Promise<string> {
  const { statusCode, body } = await app.inject(`/demo/block/${path}`);
  expect(statusCode).toBe(status);
  return body;
}

const countOf = (body: string): number => columnOf(body, 'Id').length;

it.each(['5', `0x${'a'.repeat(95)}5`, `${'A'.repeat(95)}5`])('%s', async (name) => {
  const body = await visit(name);
  expect(body).toContain('<title>Block 5 ');
  for (const part of [
    `0x${'a'.repeat(95)}5`,
    `0x${'fe'.repeat(48)}`,
    '1,234',
    '5,678 bytes',
    '&#60;b&#62;5',
    'Signed by nodes',
  ]) {
    expect(body).toContain(part);
  }
  expect(body).toContain('href="/demo/block/4" rel="prev"');
  expect(body).toContain('href="/demo/block/6" rel="next"');
  expect(body).toContain('href="/api/v1/blocks/5"');
  expect(body).toContain('/proof?of=5');
});

it('the API answers beside it', async () => {
  await visit('5');
  expect((await app.inject('/api/v1/blocks/5')).statusCode).toBe(200);
});

it('the first and the last one have one neighbour', async () => {
  expect(await visit('4')).not.toContain('rel="prev"');
  expect(await visit('9')).not.toContain('rel="next"');
});

it('its transactions, and no others, page by page', async () => {
  let path: string | null = '5';
  const counts: number[] = [];
  while (path !== null) {
    const body = await visit(path);
    counts.push(countOf(body));
    path = /href="\/demo\/block\/([^"#]+)#transactions" rel="next"/.exec(body)?.[1]?.replaceAll('&#38;', '&') ?? null;
  }
  expect(counts).toEqual([25, 25, 10]);
});

it('a place outside of it shows no transaction of another', async () => {
  expect(countOf(await visit('5?after=1.000000000'))).toBe(25);
  expect(countOf(await visit('5?after=1799999999.000000000'))).toBe(0);
});

it('says what a verified block rests on', async () => {
  const body = await visit('6');
  expect(body).toMatch(
    /signed the later block <a href="\/demo\/block\/8">8<\/a>\. The chain of block hashes leads to it/,
  );
  for (const part of ['700 of 1,000', '70 %', '>cafe<', 'The operator of this mirror named it', 'root of the block']) {
    expect(body).toContain(part);
  }
  expect(await visit('7')).toContain('Not verified');
});

it.each([
  ['99', 404],
  ['0x', 400],
  ['abc', 400],
  ['99999999999999999999', 400],
  ['5?after=x', 400],
])('%s is %i', async (path, status) => {
  await visit(path, status);
});

it('why its key is trusted, and of which ledger it is', async () => {
  const named = await visit('8');
  for (const part of ['Verified', 'which was proved, named it', 'href="/demo/block/6"', '>beef<'])
    expect(named).toContain(part);
  const unproved = await visit('9');
  for (const part of ['Key not proved', 'the proof of the address book is not checked'])
    expect(unproved).toContain(part);
  expect(unproved).not.toContain('Verified');
  expect(await visit('6')).toContain('>cafe<');
  const { proof } = (await app.inject('/api/v1/blocks/9')).json();
  expect(proof).toMatchObject({ kind: 'unproved', key: 'unproved', ledger: 'self_declared', ledger_id: '0xbeef' });
  expect((await app.inject('/api/v1/blocks/6')).json().proof).toMatchObject({ key: 'wraps', ledger: 'pinned' });
});
