// Made-up right requests to every GET endpoint, in both dialects, to a server over each of two databases.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../../packages/postgres/wire/database.ts';
import { createSeededRandom } from '../../../packages/simulated-network/ledger/seeded-random.ts';
import { endpoints } from '../../fuzz/endpoints.ts';
import { describeRequest } from '../../fuzz/fuzz-request.ts';
import { readLedgerWords } from '../../fuzz/ledger-words.ts';
import { makeGoodRequest } from '../../fuzz/make-good-request.ts';
import { sendOverSocket } from '../../fuzz/send-request.ts';
import { serveCheckout } from '../../support/program/serve-checkout.ts';

export type RequestReport = {
  compared: number;
  /** By status of the first. */
  statuses: Record<number, number>;
  different: string[];
  meanMs: { expected: number; actual: number };
};

const ofTheMoment: ReadonlySet<string> = new Set(['date', 'x-request-id']);

/** @param requests how many in all */
export async function compareRequests(
  { expected, actual }: { expected: string; actual: string },
  { requests, seed }: { requests: number; seed: string },
): Promise<RequestReport> {
  const folder = mkdtempSync(join(tmpdir(), 'cluster-requests-'));
  const db = openDatabase({ connectionString: expected });
  const words = await readLedgerWords(db);
  await db.close();
  const asked = endpoints.filter(({ method }) => method === 'GET');
  const report: RequestReport = { compared: 0, statuses: {}, different: [], meanMs: { expected: 0, actual: 0 } };
  for (const dialect of ['spec', 'hiero']) {
    const serve = (databaseUrl: string) =>
      serveCheckout(join(import.meta.dirname, '../../..'), {
        databaseUrl,
        dataFolder: join(folder, 'data'),
        flags: ['--dialect', dialect, '--clock', '1800000000', '--answer-cache', '0'],
      });
    const servers = [await serve(expected), await serve(actual)] as const;
    for (let number = 0; number < requests / 2; number++) {
      const endpoint = asked[number % asked.length]!;
      const random = createSeededRandom(seed, `${dialect} ${endpoint.path} ${number}`);
      const request = makeGoodRequest(random, words, endpoint);
      const [one, other] = [await sendOverSocket(servers[0], request), await sendOverSocket(servers[1], request)];
      if (!one || !other) throw new Error(`No answer to ${describeRequest(request)}`);
      report.compared += 1;
      report.statuses[one.status] = (report.statuses[one.status] ?? 0) + 1;
      report.meanMs.expected += one.durationMs;
      report.meanMs.actual += other.durationMs;
      const texts = [one, other].map(({ status, headers, body }) => {
        const lines = Object.entries(headers).filter(([name]) => !ofTheMoment.has(name));
        return JSON.stringify([status, lines, body.toString('latin1')]);
      });
      if (texts[0] !== texts[1])
        report.different.push(`${dialect} ${describeRequest(request)}\n  ${texts.join('\n  ')}`);
    }
    for (const server of servers) await server.close();
  }
  rmSync(folder, { recursive: true, force: true });
  report.meanMs.expected /= report.compared;
  report.meanMs.actual /= report.compared;
  return report;
}
