// One address makes filters without end; those of others stay.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { doorShares } from '../../packages/kit/shares/door-shares.ts';
import { askRpc, type FairServer, honest, hostile, openFairServer } from '../support/fairness.ts';

let server: FairServer;
beforeAll(async () => {
  server = await openFairServer();
});
afterAll(() => server?.close());

it('filters of one address throw out nobody else’s', async () => {
  const port = server.portOf('JSON-RPC and web sockets');
  // As large as a filter may be: a few hundred are all that there is room for.
  const topics = Array.from({ length: 4 }, () => Array(100).fill(`0x${'1'.repeat(64)}`));
  const size = 400 + 150 * topics.flat().length;
  const many = Math.ceil((2 * doorShares.filterBytes.places) / size);
  const own = await Promise.all(honest.map((from) => askRpc(port, from, 'eth_newBlockFilter')));
  let made = 0;
  while (made < many) {
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, () => askRpc(port, hostile, 'eth_newFilter', { topics })),
    );
    for (const { error } of outcomes) expect(error).toBe(undefined);
    made += outcomes.length;
  }
  const later = await Promise.all(honest.map((from) => askRpc(port, from, 'eth_newFilter', { topics })));
  await Promise.all(Array.from({ length: 8 }, () => askRpc(port, hostile, 'eth_newFilter', { topics })));
  for (const [place, from] of honest.entries()) {
    for (const { result } of [own[place]!, later[place]!]) {
      expect((await askRpc(port, from, 'eth_getFilterChanges', result)).error).toBe(undefined);
    }
  }
  expect(await server.metric('ledger_mirror_places_withdrawn_total', 'door="filterBytes"')).toBeGreaterThan(many / 3);
  expect(server.failures).toEqual([]);
});
