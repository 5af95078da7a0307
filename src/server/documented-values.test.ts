// In `spec`, what the API document says of a value is what is taken: by Ajv, another reader of the document.

import { Ajv2020 } from 'ajv/dist/2020.js';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defaultHttpSettings } from '../../packages/test-support/http/default-settings.ts';
import { openServer } from '../../packages/test-support/http/open-server.ts';
import { toSetupRows } from '../../packages/test-support/rows/setup-rows.ts';
import { type StoredRows, storeRows } from '../../packages/test-support/rows/store-rows.ts';
import { findDialect } from '../api/dialect/find-dialect.ts';
import { createApiDocument } from './document/api-document.ts';

let stored: StoredRows;
let servers: Record<'spec' | 'hiero', FastifyInstance>;
beforeAll(async () => {
  stored = await storeRows(toSetupRows({ accounts: [{ num: 1001n }] }, { shard: 0n, realm: 0n }));
  servers = { spec: openServer(stored.db, 'spec'), hiero: openServer(stored.db, 'hiero') };
});
afterAll(async () => {
  for (const server of Object.values(servers ?? {})) await server.close();
  await stored?.close();
});

type Body = { _status?: { messages: { message: string }[] } };

async function ask(url: string, dialect: 'spec' | 'hiero' = 'spec') {
  // Some endpoints want the word; what they answer comes as it is.
  const response = await servers[dialect].inject({ url, headers: { 'accept-encoding': 'gzip;q=0' } });
  const { _status } = response.json<Body>();
  return { status: response.statusCode, messages: _status?.messages.map(({ message }) => message) ?? [] };
}

const ajv = new Ajv2020({ strict: false, validateFormats: false });

type Schema = { type: string; items?: Schema };

/** One value of a query by its schema: texts become numbers and truth values where the schema has such. */
function allows(schema: Schema, raw: string): boolean {
  const { type, items } = schema;
  if (type === 'array') return allows(items!, raw);
  if (type === 'boolean') return ['true', 'false'].includes(raw);
  return ajv.validate(schema, type === 'integer' && /^\d+$/.test(raw) ? Number(raw) : raw);
}

const texts =
  'asc ASC true TRUE false 5 0 05 101 2147483648 0.0.5 0.0.5.6 1.5 1,5 cryptotransfer CRYPTOTRANSFER FAIL fail CREDIT credit UTF-8 utf-8 base64 BASE64 0x10 0xzz TotalCoins totalcoins rpc_relay RPC_RELAY INTRINSIC intrinsic abc'
    .split(' ')
    .concat(['', `0x${'ab'.repeat(20)}`, 'ab'.repeat(32)]);
const raws = texts.flatMap((text) => [text, `eq:${text}`, `a:eq:${text}`]).concat('EQ:5', ':asc', 'gt:true');

describe('what the document does not allow is refused', () => {
  const { paths } = createApiDocument({ dialect: findDialect('spec'), settings: defaultHttpSettings });
  const operations = Object.entries(paths).flatMap(([path, { get }]) =>
    (get?.parameters ?? [])
      .filter((parameter) => parameter.in === 'query')
      .map((parameter) => ({ path, parameters: get!.parameters!, ...parameter })),
  );
  // Most parameters are those of many endpoints.
  const different = new Map(operations.map((one) => [`${one.name} ${JSON.stringify(one.schema)}`, one]));
  it.each([...different.values()])('$path $name', async ({ path, name, schema, parameters }) => {
    let url = path;
    for (const { in: place, name: step, schema: own } of parameters) {
      if (place === 'path') url = url.replace(`{${step}}`, String(own.examples[0]));
    }
    const refused = raws.filter((raw) => !allows(schema as unknown as Schema, raw));
    expect(refused.length > 0 || name === '_').toBe(true);
    const taken: string[] = [];
    for (const raw of refused) {
      const { status } = await ask(`${url}?${name}=${encodeURIComponent(raw)}`);
      if (status !== 400) taken.push(raw);
    }
    expect(taken).toEqual([]);
  });
});

describe('values of the specification', () => {
  const digits = '9'.repeat(19);
  it.each([
    `block.number=${digits}`,
    'block.number=9223372036854775808',
    `block.number=eq:0x${'f'.repeat(65)}`,
    `block.number=${digits}&transaction.index=2147483647`,
    `from=0x${'ab'.repeat(20)}&internal=true`,
    'from=0.0.5&limit=100&order=asc',
  ])('contracts/results?%s', async (query) => {
    expect(await ask(`/api/v1/contracts/results?${query}`)).toEqual(
      // No entity has the address.
      query.startsWith('from=0x') ? { status: 404, messages: ['Not found'] } : { status: 200, messages: [] },
    );
  });

  it('a block of the list is beyond every number', async () => {
    expect(await ask(`/api/v1/blocks?block.number=gt:${digits}`)).toEqual({ status: 200, messages: [] });
    expect(await ask(`/api/v1/contracts/0.0.5/results?block.number=${digits}`)).toEqual({ status: 200, messages: [] });
  });

  it.each(['limit=eq:5', 'order=ASC', 'order=eq:asc', 'internal=eq:true', 'from=eq:0.0.5', 'from=ne:0.0.5'])(
    '%s is for the other dialect',
    async (query) => {
      const name = query.slice(0, query.indexOf('='));
      const url = `/api/v1/contracts/results?${query}`;
      expect(await ask(url)).toEqual({ status: 400, messages: [`Invalid parameter: ${name}`] });
      expect(await ask(url, 'hiero')).toEqual({ status: 200, messages: [] });
    },
  );

  it.each(['transactions=TRUE', 'transactiontype=cryptotransfer', 'transactiontype=eq:CRYPTOTRANSFER'])(
    'accounts: %s is for the other dialect',
    async (query) => {
      const name = query.slice(0, query.indexOf('='));
      const url = `/api/v1/accounts/0.0.5?${query}`;
      expect(await ask(url)).toEqual({ status: 400, messages: [`Invalid parameter: ${name}`] });
      expect((await ask(url, 'hiero')).status).toBe(404);
    },
  );

  it('a position needs its block, and one beyond int32 is none', async () => {
    const usage =
      'Invalid parameter usage: transaction.index - transaction.index requires block.number or block.hash filter to be specified';
    expect(await ask('/api/v1/contracts/results?transaction.index=1')).toEqual({ status: 400, messages: [usage] });
    expect(await ask('/api/v1/contracts/results?transaction.index=2147483648&block.number=1')).toEqual({
      status: 400,
      messages: ['Invalid parameter: transaction.index'],
    });
  });
});
