// The same made-up requests to two mirrors.

import type { Database } from '../../../packages/postgres/wire/database.ts';
import { createSeededRandom } from '../../../packages/simulated-network/ledger/seeded-random.ts';
import { openServer } from '../../../packages/test-support/http/open-server.ts';
import type { DialectName } from '../../../src/api/frame/asked-dialect.ts';
import { type FuzzRequest, toUrl } from '../../fuzz/fuzz-request.ts';
import type { LedgerWords } from '../../fuzz/ledger-words.ts';
import { makeRequest } from '../../fuzz/make-request.ts';

export type AnswerComparison = {
  dialect: DialectName;
  seed: string;
  requests: number;
  words: LedgerWords;
  /** That are left out: these may differ. */
  mayDiffer(request: FuzzRequest): boolean;
};

/** `different`: each request with both answers. */
export async function compareAnswers(
  [expected, found]: readonly [Database, Database],
  { dialect, seed, requests, words, mayDiffer }: AnswerComparison,
): Promise<{ different: string[]; statuses: Record<number, number> }> {
  const apps = [openServer(expected, dialect), openServer(found, dialect)];
  const random = createSeededRandom(`${seed}, ${dialect}`);
  const different: string[] = [];
  const statuses: Record<number, number> = {};
  try {
    for (let count = 0; count < requests; count++) {
      const request = makeRequest(random, words);
      const [one, other] = await Promise.all(apps.map((app) => ask(app, request)));
      statuses[one!.statusCode] = (statuses[one!.statusCode] ?? 0) + 1;
      const isEqual = one!.statusCode === other!.statusCode && one!.body === other!.body;
      if (isEqual || mayDiffer(request) || /^\/metrics/.test(request.path)) continue;
      different.push([toUrl(request), describe(one!), describe(other!)].join('\n  '));
    }
  } finally {
    for (const app of apps) await app.close();
  }
  return { different, statuses };
}

type Answer = { statusCode: number; body: string };

async function ask(app: ReturnType<typeof openServer>, request: FuzzRequest): Promise<Answer> {
  const payload = request.body === '' ? undefined : Buffer.from(request.body, 'latin1');
  return app.inject({
    method: request.method as 'GET',
    url: toUrl(request),
    headers: Object.fromEntries(request.headers),
    ...(payload ? { payload } : {}),
  });
}

const describe = ({ statusCode, body }: Answer): string => `${statusCode} ${body.slice(0, 1500)}`;

/**
 * Storage at a moment: of a slot that was read since it was written the time differs, and one that was never written is
 * not listed (docs/reference/exports.md).
 */
export function isOfPastStorage({ path, query }: FuzzRequest): boolean {
  const isStorage = /(?:contracts\/[^/]+\/state|hooks\/[^/]+\/storage)/i.test(path);
  return isStorage && query.some((part) => /timestamp/i.test(part));
}
