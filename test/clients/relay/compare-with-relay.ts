// Asks the relay and the mirror's own JSON-RPC the same, over a ledger that does not go on, and compares status and
// body.
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { createScratchDatabase } from '../../../packages/test-support/postgres/scratch-database.ts';
import { writeSimulatedStream } from '../../../packages/test-support/streams/simulated-stream.ts';
import { serveHere } from '../../support/program/serve-here.ts';
import { type Answer, explain } from './relay-differences.ts';
import { type RelayRequest, readRelayRequests } from './relay-requests.ts';
import { startRelay } from './start-relay.ts';

export type Comparison = { request: RelayRequest; relay: Answer; own: Answer; reasons: readonly string[] | null };

const chainId = '0x128';
const together = 8;
const attempts = 20;

/** `reasons`: why they differ; none = they do not, null = nobody knows. */
export async function compareWithRelay(folder: string, seed: string): Promise<Comparison[]> {
  const scratch = await createScratchDatabase();
  const stream = await writeSimulatedStream({ seed, blocks: 60, transactionsPerBlock: 60 });
  await stream.importInto(scratch.connectionString);
  stream.close();
  const flags = ['--rpc-port', '0', '--dialect', 'hiero', '--status-service', 'off', '--opcode-rate', '1000'];
  const server = await serveHere(scratch.connectionString, [...flags, '--limit-max', '1000', '--no-synthetic-results']);
  const relay = await startRelay(folder, server.url, chainId);
  try {
    const requests = await readRelayRequests(server.url);
    const place = server.places.find((one) => one.startsWith('JSON-RPC and web sockets: '))!;
    return await compareAll(requests, relay.url, place.split(': ')[1]!);
  } finally {
    await relay.close();
    await server.close();
    await scratch.close();
  }
}

async function compareAll(requests: readonly RelayRequest[], relayUrl: string, rpcUrl: string): Promise<Comparison[]> {
  const compared: Comparison[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < requests.length) {
      const place = next;
      next += 1;
      const request = requests[place]!;
      const relay = await ask(relayUrl, request.body);
      const own = await ask(rpcUrl, request.body);
      const reasons = isDeepStrictEqual(relay, own) ? [] : explain(request, relay, own);
      compared[place] = { request, relay, own, reasons };
    }
  };
  await Promise.all(Array.from({ length: together }, work));
  return compared;
}

/** As clients do: what comes at a busy moment is asked again. */
async function ask(url: string, body: unknown): Promise<Answer> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await send(url, body);
    const error = (answer.body as { error?: { code?: number; data?: unknown } } | null)?.error;
    const isBusy = error?.code === -32010 || (error?.code === -32020 && error.data === 503);
    if (!isBusy || attempt === attempts) return answer;
    await sleep(1000);
  }
}

async function send(url: string, body: unknown): Promise<Answer> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: body instanceof Uint8Array ? Buffer.from(body) : JSON.stringify(body),
  });
  // The relay puts the id of a request before each text.
  const text = (await answer.text()).replaceAll(/\[Request ID: [^\]]*\] /g, '');
  return { status: answer.status, body: parse(text) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return { text };
  }
}
