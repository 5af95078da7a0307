// `node scripts/run.mjs test/compare/run-compare.ts --before <checkout> --requests 5000 --seed 1`: sends made-up
// requests to the servers of two checkouts over the same databases, in both dialects, and says where status, headers
// (but date and request id) or body differ. `--pages 200`: so many pages for people, and the API document, are compared,
// too. `--compact`: the server of `--after` reads copies in the compact form, moved up to their middle. Exit code 0 only
// when every difference is an intended one.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createSeededRandom } from '../../packages/simulated-network/ledger/seeded-random.ts';
import { compactShare } from '../../packages/test-support/postgres/compact-share.ts';
import { type FuzzDatabases, openFuzzDatabases } from '../fuzz/fuzz-databases.ts';
import { describeRequest } from '../fuzz/fuzz-request.ts';
import { decodeBody } from '../fuzz/judge-answer.ts';
import { makeRequest } from '../fuzz/make-request.ts';
import { type FuzzAnswer, sendOverSocket } from '../fuzz/send-request.ts';
import { serveCheckout } from '../support/program/serve-checkout.ts';
import { comparePages } from './compare-pages.ts';
import { describeDifference } from './describe-difference.ts';
import { intendedDifferences } from './intended-differences.ts';

const { values } = parseArgs({
  options: {
    before: { type: 'string' },
    after: { type: 'string', default: join(import.meta.dirname, '../..') },
    requests: { type: 'string', default: '5000' },
    seed: { type: 'string', default: '1' },
    blocks: { type: 'string', default: '60' },
    pages: { type: 'string', default: '200' },
    compact: { type: 'boolean', default: false },
  },
});
const requests = Number(values.requests);
if (!values.before || !Number.isSafeInteger(requests) || requests < 1) {
  console.error(
    'Usage: node scripts/run.mjs test/compare/run-compare.ts --before <checkout> [--after <checkout>] [--requests <count>] [--seed <text>] [--pages <count>] [--compact]',
  );
  process.exit(2);
}

const variants: Record<string, string[]> = {
  'as set out': [],
  'everything on': [
    ...['--delegation-address', '--bind-timestamp-range', '--token-balance-limit', '1'],
    ...['--limit-default', '2', '--limit-max', '5', '--max-repeated-parameters', '4'],
  ],
};

const ofTheMoment: ReadonlySet<string> = new Set(['date', 'x-request-id']);

/** Where the range of `--bind-timestamp-range` is cut by the clock, which two servers read at two moments. */
const presentCut = /lt:1794816\d{3}\.\d{9}/g;

const folder = mkdtempSync(join(tmpdir(), 'ledger-mirror-compare-'));
const databases = await openFuzzDatabases({ seed: values.seed, blocks: Number(values.blocks) });
const copies = values.compact ? await openCompactCopies() : null;
const counts: Record<string, number> = {};
const unintended: string[] = [];
const maxRequestLength = 1000;
let compared = 0;
let comparedPages = 0;
for (const dialect of ['spec', 'hiero']) {
  for (const [variant, flags] of Object.entries(variants)) {
    for (const [place, { name, connectionString, words }] of databases.list.entries()) {
      const options = {
        databaseUrl: connectionString,
        dataFolder: join(folder, 'data'),
        flags: ['--dialect', dialect, '--clock', '1800000000', ...flags],
      };
      const before = await serveCheckout(values.before, options);
      const read = copies === null ? connectionString : copies.list[place]!.connectionString;
      const after = await serveCheckout(values.after, { ...options, databaseUrl: read });
      const share = Math.ceil(requests / (4 * databases.list.length));
      for (let number = 0; number < share; number++) {
        const random = createSeededRandom(values.seed, `${dialect} ${variant} ${name} ${number}`);
        const request = makeRequest(random, words);
        const [old, now] = await Promise.all([sendOverSocket(before, request), sendOverSocket(after, request)]);
        compared++;
        if (toText(old) === toText(now)) continue;
        const difference = { request, dialect, before: decoded(old), after: decoded(now) };
        const intended = intendedDifferences.find(({ covers }) => covers(difference));
        if (intended) counts[intended.reason] = (counts[intended.reason] ?? 0) + 1;
        else
          unintended.push(
            `${dialect}, ${variant}, ${name}\n    ${describeRequest(request).slice(0, maxRequestLength)}\n${describeDifference(toText(old), toText(now))}`,
          );
      }
      if (variant === 'as set out' && name === 'network') {
        const pages = await comparePages(before.port, after.port, Number(values.pages));
        comparedPages += pages.compared;
        unintended.push(...pages.differences.map((difference) => `${dialect}, pages: ${difference}`));
      }
      await before.close();
      await after.close();
    }
  }
}
await databases.close();
await copies?.close();
rmSync(folder, { recursive: true, force: true });

for (const difference of unintended.slice(0, 40)) console.log(`DIFFERENT ${difference}`);
for (const [reason, count] of Object.entries(counts)) console.log(`${count} intended: ${reason}`);
console.log(
  `${compared} requests and ${comparedPages} pages and documents compared, ${unintended.length} unintended differences`,
);
process.exit(unintended.length === 0 ? 0 : 1);

async function openCompactCopies(): Promise<FuzzDatabases> {
  const opened = await openFuzzDatabases({ seed: values.seed, blocks: Number(values.blocks) });
  for (const { name, connectionString } of opened.list) {
    const { transactions, kept } = await compactShare(connectionString, { share: 0.5 });
    console.log(`${name}: ${transactions} transactions compacted, the rows of ${kept} kept`);
  }
  return opened;
}

function decoded(answer: FuzzAnswer | null): FuzzAnswer | null {
  return answer && { ...answer, body: answer.body.length === 0 ? answer.body : decodeBody(answer) };
}

function toText(answer: FuzzAnswer | null): string {
  if (!answer) return 'closed without an answer';
  const { status, headers, body } = answer;
  const atPresent = (headers.link ?? '').search(presentCut) >= 0;
  const lines = Object.entries(headers).filter(([name]) => !ofTheMoment.has(name) && !(atPresent && name === 'etag'));
  const text = JSON.stringify([status, lines, body.toString('latin1')]);
  return atPresent ? text.replaceAll(presentCut, 'lt:60 days ago') : text;
}
