// The worked examples of JSON-RPC over the world of the calls.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type StoredRows, storeRows } from '../../packages/test-support/rows/store-rows.ts';
import { openRpc, type TestRpc } from '../../packages/test-support/rpc/open-rpc.ts';
import { findRealData } from '../../packages/test-support/streams/real-data.ts';
import type { CompiledContract } from '../support/contracts/compile-solidity.ts';
import { encode, selectorOf, typesOf } from './abi.ts';
import { compileContracts, type Described, toRows } from './world.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 240_000 });

type Example = {
  id: string;
  method: string;
  params: unknown[];
  text?: string;
  expect: {
    result?: unknown;
    error?: { code: number; message?: string };
    http?: number;
    code?: string;
    members?: object;
  };
};

const data = findRealData('calls.json');
const world = data.isAbsent ? null : (JSON.parse(readFileSync(data.path, 'utf8')) as Described & { rpc: Example[] });

let code: Record<string, CompiledContract>;
let stored: StoredRows;
let rpc: TestRpc;
beforeAll(async () => {
  if (!world) return;
  code = await compileContracts();
  stored = await storeRows(toRows(world, code));
  rpc = openRpc(stored.db);
});
afterAll(async () => {
  await rpc?.close();
  await stored?.close();
});

/** The relay refuses them; by JSON-RPC 2.0 a request without an id has no answer (docs/reference/json-rpc.md). */
const notifications: ReadonlySet<string> = new Set(['envelope/no id']);
/** The relay refuses these methods; clients ask for them, and the page says what is answered. */
const answeredHere: ReadonlyMap<string, unknown> = new Map([['constants/net_peerCount unsupported', '0x0']]);

describe.skipIf(data.isAbsent)(`worked examples of JSON-RPC${data.hint}`, () => {
  it.each(world?.rpc ?? [])('$id', async ({ id, method, params, text, expect: expected }) => {
    const { status, body } = await rpc.post(text ?? { jsonrpc: '2.0', id: 1, method, params: params.map(resolve) });
    if (notifications.has(id)) return expect({ status, body }).toEqual({ status: 204, body: null });
    if (answeredHere.has(id)) return expect(body).toEqual({ jsonrpc: '2.0', id: 1, result: answeredHere.get(id) });
    expect({ status, body }).toMatchObject({ status: expected.http ?? 200 });
    if (expected.error) expect(body.error).toMatchObject(expected.error);
    else if (expected.code) expect(body.result).toBe(`0x${codeOf(expected.code).evm.deployedBytecode.object}`);
    else if (expected.members) expect(body.result).toMatchObject(expected.members);
    else expect(body).toEqual({ jsonrpc: '2.0', id: 1, result: expected.result });
    expect(rpc.failures).toEqual([]);
  });
});

function codeOf(name: string): CompiledContract {
  return code[world!.contracts[name]?.contract ?? name]!;
}

/** Names of the world by addresses, functions by call data. */
function resolve(value: unknown): unknown {
  if (typeof value === 'object' && value !== null && 'fn' in value) {
    const { fn, args = [], ...call } = value as { fn: string; args?: unknown[] };
    const types = typesOf(fn.slice(fn.indexOf('(') + 1, -1));
    return { ...resolveMembers(call), data: `0x${selectorOf(fn)}${encode(types, args.map(resolve))}` };
  }
  if (typeof value !== 'string' || !value.startsWith('@')) return value;
  const { num, evm } = (world!.accounts[value.slice(1)] ?? world!.contracts[value.slice(1)])!;
  return evm ?? `0x${num.toString(16).padStart(40, '0')}`;
}

function resolveMembers(value: object): object {
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, resolve(member)]));
}
