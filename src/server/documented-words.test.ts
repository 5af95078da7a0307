// The words that queries take are those of the Hiero mirror node's document, in its case: what its clients send is
// taken by both dialects.
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { proto } from '../../packages/protocol/hapi/hapi.ts';
import { encodeFeeSchedule } from '../../packages/simulated-network/formats/encode-fee-schedule.ts';
import { simpleFees } from '../../packages/simulated-network/ledger/simple-fees.ts';
import { defaultHttpSettings } from '../../packages/test-support/http/default-settings.ts';
import { openServer } from '../../packages/test-support/http/open-server.ts';
import { fileRows } from '../../packages/test-support/rows/encode-prices.ts';
import { toSetupRows } from '../../packages/test-support/rows/setup-rows.ts';
import { type StoredRows, storeRows } from '../../packages/test-support/rows/store-rows.ts';
import { findDialect } from '../api/dialect/find-dialect.ts';
import { createApiDocument } from './document/api-document.ts';

/** By `<method> <path> <parameter>`, `*` for any path. Of its document, and where that has only a text, of its code. */
const hieroWords: Record<string, readonly string[]> = {
  'get * order': ['asc', 'desc'],
  'get /api/v1/transactions result': ['success', 'fail'],
  'get /api/v1/transactions type': ['credit', 'debit'],
  'get /api/v1/topics/{topicId}/messages encoding': ['base64', 'utf-8', 'utf8'],
  'post /api/v1/network/fees mode': ['INTRINSIC', 'STATE'],
  'get /api/v1/network/supply q': ['totalcoins', 'circulating'],
  'get /api/v1/network/registered-nodes type': ['BLOCK_NODE', 'GENERAL_SERVICE', 'MIRROR_NODE', 'RPC_RELAY'],
};
/** It has no list of these in its document. */
const unlistedWords: Record<string, readonly string[]> = {
  'get /api/v1/tokens type': ['ALL', 'FUNGIBLE_COMMON', 'NON_FUNGIBLE_UNIQUE'],
};
/** Only some of them: the list grows with HAPI. */
const transactionTypes = ['ATOMICBATCH', 'CRYPTOTRANSFER', 'CONTRACTCREATEINSTANCE', 'TOKENGRANTKYC', 'UTILPRNG'];
/** Of parameters that the Hiero mirror node does not have. */
const ownWords: Record<string, readonly string[]> = { items: ['all', 'single'] };

const dialects = ['spec', 'hiero'] as const;

function queryWords(dialect: (typeof dialects)[number]) {
  const { paths } = createApiDocument({ dialect: findDialect(dialect), settings: defaultHttpSettings });
  return Object.entries(paths).flatMap(([path, operations]) =>
    (['get', 'post'] as const).flatMap((method) =>
      (operations[method]?.parameters ?? []).flatMap(({ in: place, name, schema }) => {
        const { enum: own, items } = schema as { enum?: string[]; items?: { enum?: string[] } };
        const words = own ?? items?.enum;
        return place === 'query' && words ? [{ method, path, name, words }] : [];
      }),
    ),
  );
}

describe.each(dialects)('%s', (dialect) => {
  const found = queryWords(dialect);

  it('documents the words of the Hiero mirror node, and no others', () => {
    const strange = found.filter(({ method, path, name, words }) => {
      if (name === 'transactiontype') return !transactionTypes.every((type) => words.includes(type));
      const expected = hieroWords[`${method} ${path} ${name}`] ?? hieroWords[`${method} * ${name}`] ?? ownWords[name];
      return JSON.stringify(words.toSorted()) !== JSON.stringify(expected?.toSorted());
    });
    expect(strange).toEqual([]);
    expect(found.length).toBeGreaterThan(30);
  });

  it('has every one of its lists', () => {
    const names = new Set(
      found.flatMap(({ method, path, name }) => [`${method} ${path} ${name}`, `${method} * ${name}`]),
    );
    expect(Object.keys(hieroWords).filter((name) => !names.has(name))).toEqual([]);
  });
});

describe('what clients send', () => {
  let stored: StoredRows;
  let servers: Record<'spec' | 'hiero', FastifyInstance>;
  beforeAll(async () => {
    const zero = { shard: 0n, realm: 0n };
    stored = await storeRows([
      ...toSetupRows({ accounts: [{ num: 1001n }, { num: 2001n, type: 'TOPIC' }] }, zero),
      ...fileRows([[113n, 5n, 17, Buffer.from(encodeFeeSchedule(simpleFees))]]),
    ]);
    servers = { spec: openServer(stored.db, 'spec'), hiero: openServer(stored.db, 'hiero') };
  });
  afterAll(async () => {
    for (const server of Object.values(servers ?? {})) await server.close();
    await stored?.close();
  });

  const bodyBytes = proto.TransactionBody.encode({ cryptoDelete: {} }).finish();
  const signedTransactionBytes = proto.SignedTransaction.encode({ bodyBytes }).finish();
  const payload = Buffer.from(proto.Transaction.encode({ signedTransactionBytes }).finish());
  const send = async (dialect: 'spec' | 'hiero', method: 'GET' | 'POST', url: string) =>
    servers[dialect].inject({
      method,
      url,
      ...(method === 'POST' && { payload, headers: { 'content-type': 'application/protobuf' } }),
    });

  const requests = Object.entries({
    ...hieroWords,
    ...unlistedWords,
    'get /api/v1/transactions transactiontype': transactionTypes,
  })
    .flatMap(([key, words]) => words.map((text) => [...key.split(' '), text] as [string, string, string, string]))
    .map(([method, path, name, text]) => {
      const concrete = path.replace('*', '/api/v1/accounts').replace('{topicId}', '2001');
      return [method.toUpperCase() as 'GET' | 'POST', `${concrete}?${name}=${text}`] as const;
    });

  it.each(requests)('%s %s', async (method, url) => {
    for (const dialect of dialects) {
      const { statusCode, payload: body } = await send(dialect, method, url);
      // Of a supply nothing is stored.
      const expected = url.includes('supply') ? [200, 404] : [200];
      expect(expected, `${dialect}: ${body}`).toContain(statusCode);
    }
  });

  it.each(['intrinsic', 'state', 'State'])('modes of fees in another case: %s', async (mode) => {
    for (const dialect of dialects) {
      const { statusCode } = await send(dialect, 'POST', `/api/v1/network/fees?mode=${mode}`);
      expect(statusCode).toBe(200);
    }
  });

  it('no other mode', async () => {
    for (const dialect of dialects) {
      const { statusCode } = await send(dialect, 'POST', '/api/v1/network/fees?mode=EXACT');
      expect(statusCode).toBe(400);
    }
  });
});
