// One address has all files open and reads none of them; others get theirs whole.
import type { IncomingMessage } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { doorShares } from '../../packages/kit/shares/door-shares.ts';
import { ask, type FairServer, honest, hostile, openFairServer, textOf } from '../support/fairness.ts';

const { places } = doorShares.downloads;
let server: FairServer;
beforeAll(async () => {
  server = await openFairServer();
});
afterAll(() => server?.close());

const file = (from: string): Promise<IncomingMessage> =>
  ask({ port: server.httpPort, from, path: '/testnet/transactions.csv' });

it('one address that opens every file keeps nobody from theirs', async () => {
  const own = await Promise.all(
    honest.map(async (from) => {
      // Again and again: a file of this ledger is short, and is open only for a moment.
      const hostileFiles = Array.from({ length: places }, () => file(hostile).catch(() => null));
      const answer = await file(from);
      const text = await textOf(answer);
      for (const one of await Promise.all(hostileFiles)) one?.destroy();
      return { status: answer.statusCode, lines: text.trim().split('\r\n').length, isWhole: answer.complete };
    }),
  );
  const lines = own[0]!.lines;
  expect(lines).toBeGreaterThan(20);
  expect(own).toEqual(honest.map(() => ({ status: 200, lines, isWhole: true })));
  expect(await server.metric('ledger_mirror_places_refused_total', 'by="all"')).toBe(0);
  expect(server.failures).toEqual([]);
});
