// A short fuzz of both dialects, and proof that it would notice: an answer that is wrong in any way that it judges is
// found and shortened.

import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../packages/postgres/wire/database.ts';
import { createSeededRandom } from '../../packages/simulated-network/ledger/seeded-random.ts';
import { openServer } from '../../packages/test-support/http/open-server.ts';
import { isLong } from '../../packages/test-support/run/is-long.ts';
import { fuzz } from './fuzz.ts';
import { type FuzzRequest, toUrl } from './fuzz-request.ts';
import { type FuzzTargets, openFuzzTargets } from './fuzz-targets.ts';
import { judgeAnswer } from './judge-answer.ts';
import { makeGoodRequest } from './make-good-request.ts';
import type { FuzzAnswer } from './send-request.ts';
import { shortenRequest } from './shorten-request.ts';

let opened: FuzzTargets;
beforeAll(async () => {
  opened = await openFuzzTargets({ dialects: ['spec', 'hiero'], seed: 'suite', blocks: 15 });
});
afterAll(() => opened?.close());

it('made-up requests are answered well', { timeout: 300_000 }, async () => {
  const requests = isLong ? 3000 : 1000;
  const report = await fuzz({ targets: opened.targets, seed: 'suite', requests });
  expect(report.faults.join('\n')).toBe('');
  expect(report.requests).toBe(requests);
  // Enough of them get past the checks of their parameters.
  expect(report.statuses[200]).toBeGreaterThan(0.25 * requests);
  expect(report.statuses[404]).toBeGreaterThan(0.06 * requests);
});

describe.skipIf(isLong)('one answer shows one block', () => {
  /** Remembered: what files said at a time that is past, and what the note of a 404 says of the mirror. */
  const unchanging = [
    // What a proof is made of says itself of which block it is.
    ...['find-block-path', 'select-unit-at', 'select-unit-by-number', 'select-unit-by-hash', 'select-kept-files'],
    ...['select-next-signed', 'select-verified-proofs', 'find-ledger-trust', 'select-ledger-trust'],
    ...['select-block-paths', 'select-block-roots', 'select-history-nodes'],
    ...['select-file-version', 'select-file-changes'],
    ...['find-mirror-extent', 'select-mirror-extent', 'select-oldest-block'],
    ...['find-import-revision', 'select-import-revisions'],
    ...['find-bootstrap-progress', 'select-bootstrap-run', 'find-left-out-part', 'select-left-out-parts'],
  ];
  /**
   * Of several attempts at a page only the last one counts. An account tells by which block it was read, and its
   * transactions are read up to there.
   */
  const ofOneBlock = ['select-account', 'select-first-transactions', 'select-newest-of-types', 'select-transactions'];

  it.each(['spec', 'hiero'] as const)('%s: several queries are asked within a snapshot', async (dialect) => {
    const outside: { name: string; values?: unknown[] | undefined }[] = [];
    let snapshots = 0;
    const random = createSeededRandom(`one block, ${dialect}`);
    for (const { db, words } of opened.databases) {
      const counting: Database = {
        ...db,
        query(named) {
          // First with the copies of transfers, then with their tables: only the last attempt at the same rows counts.
          const last = outside.at(-1);
          if (last?.name === named.name && isDeepStrictEqual(last.values, named.values)) outside.pop();
          outside.push(named);
          return db.query(named);
        },
        snapshot(work) {
          snapshots += 1;
          return db.snapshot(work);
        },
      };
      const app = openServer(counting, dialect);
      for (let number = 0; number < 250; number++) {
        const url = toUrl(makeGoodRequest(random, words));
        outside.length = 0;
        await app.inject(url);
        const counted = outside.map(({ name }) => name).filter((name) => !unchanging.includes(name));
        if (counted.every((name) => ofOneBlock.includes(name))) continue;
        if (counted.length > 1) expect.soft(counted, url).toHaveLength(1);
      }
      await app.close();
    }
    expect(snapshots).toBeGreaterThan(30);
  });
});

describe.skipIf(isLong)('the judge', () => {
  const request: FuzzRequest = { method: 'GET', path: '/api/v1/schedules', query: [], headers: [], body: '' };
  const answerOf = (text: string, changes: Partial<FuzzAnswer> = {}): FuzzAnswer => {
    const body = Buffer.from(text);
    const etag = `W/"${body.length.toString(16)}-${createHash('sha1').update(body).digest('base64').slice(0, 27)}"`;
    const headers = { 'content-type': 'application/json; charset=utf-8', etag };
    return { status: 200, headers, body, durationMs: 1, ...changes };
  };
  const good = answerOf('{"schedules":[],"links":{"next":null}}');
  const judge = (answer: FuzzAnswer, changes: Partial<FuzzRequest> = {}) =>
    judgeAnswer({ ...request, ...changes }, answer, opened.targets[0]!.validator);

  it('has nothing against a good answer', () => {
    expect(judge(good)).toEqual([]);
  });

  it.each<[string, () => FuzzAnswer, Partial<FuzzRequest>?]>([
    ['an error of ours', () => answerOf('{"_status":{"messages":[{"message":"Internal error"}]}}', { status: 500 })],
    ['an unknown status', () => ({ ...good, status: 418 })],
    ['a body that is no JSON', () => answerOf('{"schedules":[')],
    ['a member too many', () => answerOf('{"schedules":[],"links":{"next":null},"more":1}')],
    ['a tag of another body', () => ({ ...good, headers: { ...good.headers, etag: 'W/"1-x"' } })],
    ['no tag', () => ({ ...good, headers: { 'content-type': 'application/json' } })],
    ['a link in one place only', () => answerOf('{"schedules":[],"links":{"next":"/api/v1/schedules?limit=1"}}')],
    ['broken compression', () => ({ ...good, headers: { ...good.headers, 'content-encoding': 'br' } })],
    ['HEAD with a body', () => good, { method: 'HEAD' }],
    ['304 with a body', () => ({ ...good, status: 304 })],
    ['OPTIONS with an answer', () => good, { method: 'OPTIONS' }],
  ])('finds %s', (_, answer, changes) => {
    expect(judge(answer(), changes)).not.toEqual([]);
  });
});

it.skipIf(isLong)('a failing request is shortened to what makes it fail', async () => {
  const request: FuzzRequest = {
    method: 'HEAD',
    path: '/api/v1/accounts/0.0.12345678',
    query: ['limit=1', 'order=asc', 'timestamp=gte:1700000000.123456789', 'foo=bar', 'transactions=true'],
    headers: [
      ['Accept', '*/*'],
      ['Origin', 'x'],
    ],
    body: '{}',
  };
  const shortest = await shortenRequest(request, async ({ path, query, headers }) => {
    return (
      path.includes('56') &&
      query.some((pair) => pair.includes('gte:17')) &&
      headers.some(([name]) => name === 'Origin')
    );
  });
  expect(shortest).toEqual({ method: 'GET', path: '/56', query: ['gte:17'], headers: [['Origin', 'x']], body: '' });
});
