// JSON-RPC sent to `/` of this port, where Ethereum clients expect it: it is answered elsewhere, and the answer says
// where, in their form.
import type { Answer } from '../../../packages/web-server/route.ts';

const maxBatch = 100;
/** More than any real batch of calls. */
export const maxCallBytes = 65_536;

const notServed = {
  code: -32601,
  message:
    'JSON-RPC is answered at /rpc of this port, and at / of the port of --rpc-port. Here is the REST API of a mirror node under /api/v1 (see /docs).',
  data: { rpc: '/rpc', rest: '/api/v1', documentation: '/docs', openapi: '/api/v1/docs/openapi.json' },
};
const batchTooLarge = { code: -32600, message: `A batch may have at most ${maxBatch} requests.` };

/** null = the body is not JSON-RPC. */
export function refuseJsonRpc(body: Uint8Array): Answer | null {
  const request = parse(body);
  if (!Array.isArray(request)) return isCall(request) ? toAnswer(toRefusal(request)) : null;
  if (!request.some(isCall)) return null;
  if (request.length > maxBatch) return toAnswer({ jsonrpc: '2.0', id: null, error: batchTooLarge });
  return toAnswer(request.map((call: unknown) => toRefusal(isCall(call) ? call : {})));
}

type Call = { id?: unknown };

function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString());
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function isCall(value: unknown): value is Call {
  return typeof value === 'object' && value !== null && 'jsonrpc' in value && 'method' in value;
}

function toRefusal({ id }: Call): object {
  // An id that is not exact as a number is not repeated.
  const isExact = typeof id === 'string' || Number.isSafeInteger(id);
  return { jsonrpc: '2.0', id: isExact ? id : null, error: notServed };
}

/** Clients read the error of a 200 only. */
function toAnswer(body: object): Answer {
  return { status: 200, body: JSON.stringify(body) };
}
