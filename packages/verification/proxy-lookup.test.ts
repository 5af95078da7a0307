// Questions to other chains: a share for each client, an end in time, and no second one for what was just answered.
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterEach, expect, it, vi } from 'vitest';
import { runAs } from '../kit/shares/current-client.ts';
import { createRpcChain } from './onchain/rpc-chain.ts';
import { createProxyLookup } from './proxy-lookup.ts';
import type { Chain } from './registry/chain-registry.ts';

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

const chain: Chain = {
  ...{ chainId: '1', name: 'Other', explorers: [] },
  bytecode: { kind: 'rpc', urls: [], timeoutMs: 60_000 },
};
const addressOf = (n: number): string => `0x${n.toString(16).padStart(40, '0')}`;
const clone = `0x363d3d373d3d3d363d73${'be'.repeat(20)}5af43d82803e903d91602b57fd5bf3`;

/** Answers that it is a minimal proxy, when it is released. */
async function openChain(limits: Partial<Parameters<typeof createProxyLookup>[0]>) {
  const held: (() => void)[] = [];
  let questions = 0;
  let isOpen = false;
  server = createServer(async (request, response: ServerResponse) => {
    const { id } = (await json(request)) as { id: number };
    questions += 1;
    const answer = () => response.end(JSON.stringify({ jsonrpc: '2.0', id, result: clone }));
    if (isOpen) answer();
    else held.push(answer);
  });
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const source = createRpcChain({ chainId: '1', urls: [url], timeoutMs: 60_000 });
  const find = createProxyLookup({ onchainSource: () => source, ...limits });
  return {
    ask: (client: string, n: number) => runAs(client, () => find(chain, addressOf(n))),
    questions: () => questions,
    release() {
      isOpen = true;
      for (const answer of held.splice(0)) answer();
    },
  };
}

const proxy = { kind: 'eip1167', implementations: [`0x${'be'.repeat(20)}`] };

it('a client has its share of places, and others have theirs', async () => {
  const opened = await openChain({ maxAsked: 4, perClient: 2 });
  const first = [opened.ask('one', 1), opened.ask('one', 2)];
  await expect(opened.ask('one', 3)).rejects.toMatchObject({ code: 'too_many_jobs', retryAfterSeconds: 5 });
  const second = [opened.ask('two', 4), opened.ask('two', 5)];
  // All places are taken: who has most gives one away.
  const third = opened.ask('three', 6);
  const all = Promise.allSettled([...first, ...second, third]);
  await vi.waitUntil(() => opened.questions() === 5);
  opened.release();
  const ended = await all;
  expect(ended.filter(({ status }) => status === 'rejected')).toHaveLength(1);
  expect(ended.at(-1)).toEqual({ status: 'fulfilled', value: proxy });
  expect(await opened.ask('one', 7)).toEqual(proxy);
});

it('the same question is asked once, also of others, and its answer kept for a while', async () => {
  const opened = await openChain({});
  const asked = Array.from({ length: 20 }, (_, n) => opened.ask(`client ${n}`, 1));
  await vi.waitUntil(() => opened.questions() === 1);
  opened.release();
  expect(new Set((await Promise.all(asked)).map((found) => JSON.stringify(found)))).toEqual(
    new Set([JSON.stringify(proxy)]),
  );
  expect(await opened.ask('late', 1)).toEqual(proxy);
  // Its code, and that of what it forwards to.
  expect(opened.questions()).toBe(2);
});

it('a chain that does not answer in time', async () => {
  const opened = await openChain({ maxMs: 50 });
  await expect(opened.ask('one', 1)).rejects.toMatchObject({
    code: 'cannot_fetch_bytecode',
    message: expect.stringContaining('was not answered in 0.05 seconds'),
  });
});
