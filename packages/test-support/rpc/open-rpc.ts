// JSON-RPC over a database, asked without a port.

import { gunzipSync } from 'node:zlib';
import { Registry } from 'prom-client';
import { type CallLimits, usualLimits } from '../../../src/calls/call-limits.ts';
import { createCalls } from '../../../src/calls/create-calls.ts';
import { createRpcAnswerer, type RpcOptions } from '../../../src/doors/rpc/answer-rpc.ts';
import { createMachine } from '../../../src/doors/rpc/machine/machine.ts';
import type { RpcContext } from '../../../src/doors/rpc/reading/context.ts';
import { createFilters } from '../../../src/doors/rpc/reading/filters.ts';
import { createLedger } from '../../../src/ledger/create-ledger.ts';
import { createTurns } from '../../kit/turns.ts';
import type { Database } from '../../postgres/wire/database.ts';
import { usualRealm } from '../../protocol/hapi/system-entity.ts';
import { admitAll } from '../../web-server/admission.ts';
import { unlimited } from '../http/open-server.ts';

type Json = ReturnType<typeof JSON.parse>;

export type TestRpc = {
  /** The body of the answer; null = it is empty. */
  post(body: unknown): Promise<{ status: number; body: Json }>;
  /** The same as text. */
  send(text: string): Promise<{ status: number; body: string }>;
  /** The result; throws for an error. */
  ask(method: string, ...params: unknown[]): Promise<Json>;
  /** Code and text of the error. */
  refusal(method: string, ...params: unknown[]): Promise<{ status: number; code: number; message: string }>;
  failures: unknown[];
  /** Ends the threads. */
  close(): Promise<void>;
};

export function openRpc(
  db: Database,
  context: Partial<RpcContext> = {},
  { limits, ...options }: Partial<Omit<RpcOptions, 'context'>> & { limits?: Partial<CallLimits> } = {},
): TestRpc {
  const clock = () => BigInt(Date.now()) * 1_000_000n;
  const failures: unknown[] = [];
  // Its threads start with the first call, and hold up no end of the process.
  const calls = createCalls({
    db,
    system: usualRealm,
    network: { chainId: 298n },
    limits: { ...unlimited, ...limits },
  });
  const { answer } = createRpcAnswerer({
    context: {
      ledger: createLedger({ db, clock, system: usualRealm }),
      ...{
        chainId: 298n,
        version: '1.2.3',
        filters: createFilters(new Registry()),
        turns: createTurns({ isBusy: () => false }),
        relay: null,
      },
      machine: createMachine({ calls, limits: usualLimits, maxGas: 15_000_000, traces: true }),
      ...context,
    },
    admission: admitAll,
    onFailure: (error) => failures.push(error),
    onAnswer: () => {},
    ...options,
  });
  const send: TestRpc['send'] = async (text) => {
    const given = await answer(Buffer.from(text), { client: 'test' });
    return { status: given.status, body: 'gzip' in given ? gunzipSync(given.gzip).toString() : given.body };
  };
  const post: TestRpc['post'] = async (given) => {
    const { status, body } = await send(typeof given === 'string' ? given : JSON.stringify(given));
    return { status, body: body === '' ? null : JSON.parse(body) };
  };
  const call = (method: string, params: unknown[]) => post({ jsonrpc: '2.0', id: 1, method, params });
  return {
    post,
    send,
    failures,
    close: calls.close,
    async ask(method, ...params) {
      const { body } = await call(method, params);
      if (body.error) throw new Error(`${method}: ${body.error.code} ${body.error.message}`);
      return body.result;
    },
    async refusal(method, ...params) {
      const { status, body } = await call(method, params);
      if (!body.error) throw new Error(`${method} was answered: ${JSON.stringify(body.result)}`);
      return { status, code: body.error.code, message: body.error.message };
    },
  };
}
