// Hands a request on to a JSON-RPC relay, which sends transactions: unchanged, and its answer unchanged. What is under
// way cannot be taken back: a client gets at most as many places as are left for others.
import type { Registry } from 'prom-client';
import { createClientPlaces, PlacesFull } from '../../../packages/kit/shares/client-places.ts';
import { currentClient } from '../../../packages/kit/shares/current-client.ts';
import { countPlaces } from '../../../packages/kit/shares/door-places.ts';
import { doorShares } from '../../../packages/kit/shares/door-shares.ts';
import { RpcError, rpcError } from './terms/rpc-error.ts';

/** A relay waits for the transaction's consensus. */
const usualTimeoutMs = 30_000;
const maxAnswerBytes = 65_536;

type Options = { fetchUrl: typeof fetch; timeoutMs: number; registry: Registry };

export function createRelayClient(
  url: string,
  { fetchUrl = fetch, timeoutMs = usualTimeoutMs, registry }: Pick<Options, 'registry'> & Partial<Options>,
) {
  const { places: max } = doorShares.relayed;
  const counts = countPlaces('relayed', registry);
  const places = createClientPlaces({ max, ...counts });

  /** Throws PlacesFull. */
  function enter(client: string): { leave(): void } {
    if (places.heldBy(client) < max - places.held()) return places.enter(client, { withdraw() {}, rank: () => null });
    counts.onRefused('client');
    throw new PlacesFull(places.heldBy(client) > 0 ? 'client' : 'all');
  }

  return async (method: string, params: readonly unknown[]): Promise<unknown> => {
    const { leave } = enter(currentClient());
    try {
      return readAnswer(await send(method, params));
    } finally {
      leave();
    }
  };

  async function send(method: string, params: readonly unknown[]): Promise<unknown> {
    try {
      const answer = await fetchUrl(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
        signal: AbortSignal.timeout(timeoutMs),
        redirect: 'error',
      });
      return JSON.parse(await readBounded(answer));
    } catch (error) {
      // Which of the two failed is what a client has to know; the address of the relay is not.
      throw rpcError.internal(`the relay does not answer (${(error as Error).name})`);
    }
  }
}

async function readBounded({ body }: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body ?? []) {
    size += part.length;
    if (size > maxAnswerBytes) throw new RangeError('the answer is too long');
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}

function readAnswer(answer: unknown): unknown {
  const { result, error } = (answer ?? {}) as {
    result?: unknown;
    error?: { code?: unknown; message?: unknown; data?: unknown };
  };
  if (!error) return result ?? null;
  const { code, message, data } = error;
  throw new RpcError(Number.isSafeInteger(code) ? (code as number) : -32603, String(message ?? ''), data);
}
