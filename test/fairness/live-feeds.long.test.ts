// One address has all streams of events, and goes on asking; others get theirs and keep them.
import type { IncomingMessage } from 'node:http';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { doorShares } from '../../packages/kit/shares/door-shares.ts';
import { ask, type FairServer, honest, hostile, openFairServer, settle } from '../support/fairness.ts';

const { places } = doorShares.liveFeeds;
let server: FairServer;
beforeAll(async () => {
  server = await openFairServer(['--max-connections', '4096']);
});
afterAll(() => server?.close());

type Stream = { answer: IncomingMessage; text(): string; isOpen(): boolean };

async function follow(from: string): Promise<Stream> {
  const answer = await ask({ port: server.httpPort, from, path: '/api/v1/transactions?follow=true&timestamp=gte:0' });
  let [text, isOpen] = ['', true];
  answer.on('data', (part) => {
    text += part;
  });
  answer.on('close', () => {
    isOpen = false;
  });
  return { answer, text: () => text, isOpen: () => isOpen };
}

it('one address that holds every stream keeps nobody out', async () => {
  const held: Stream[] = [];
  while (held.length < places) {
    held.push(...(await Promise.all(Array.from({ length: 100 }, () => follow(hostile)))));
  }
  expect(held.every(({ answer }) => answer.statusCode === 200)).toBe(true);
  const own = await Promise.all(honest.map(follow));
  expect(own.map(({ answer }) => answer.statusCode)).toEqual(honest.map(() => 200));

  const again = await Promise.all(Array.from({ length: 50 }, () => follow(hostile)));
  for (const { answer } of again) expect([answer.statusCode, answer.headers['retry-after']]).toEqual([429, '5']);
  await vi.waitUntil(() => held.filter(({ isOpen }) => !isOpen()).length === honest.length);
  // The newest went, and its client is told when to come back.
  const withdrawn = held.slice(-honest.length);
  expect(withdrawn.every(({ isOpen, text }) => !isOpen() && text().endsWith('retry: 5000\n\n'))).toBe(true);
  expect(withdrawn.every(({ answer }) => answer.complete)).toBe(true);
  await vi.waitUntil(() => own.every(({ text }) => text().includes('consensus_timestamp')));
  expect(own.every(({ isOpen }) => isOpen())).toBe(true);

  expect(await server.metric('ledger_mirror_places_withdrawn_total', 'door="liveFeeds"')).toBe(honest.length);
  expect(await server.metric('ledger_mirror_places_refused_total', 'door="liveFeeds",by="client"')).toBe(again.length);
  expect(await server.metric('ledger_mirror_places_refused_total', 'by="all"')).toBe(0);
  expect(server.failures).toEqual([]);
  for (const { answer } of [...held, ...own]) answer.destroy();
  await vi.waitUntil(async () => (await server.metric('live_streams_open')) === 0, { timeout: 30_000, interval: 200 });
  await settle();
});
