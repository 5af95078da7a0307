// Code that wants more than a call may have: every limit is an answer, no thread is lost, and other questions are answered as before.
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { openServer } from '../../packages/test-support/http/open-server.ts';
import { type StoredRows, storeRows } from '../../packages/test-support/rows/store-rows.ts';
import { type Calls, createCalls } from '../../src/calls/create-calls.ts';
import { usualRealm } from '../../src/protocol/hapi/system-entity.ts';
import { encode, selectorOf, typesOf } from './abi.ts';
import { compileContracts, hostileRows } from './world.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

let rows: StoredRows;
let calls: Calls;
let app: ReturnType<typeof openServer>;
const lost: Error[] = [];
beforeAll(async () => {
  rows = await storeRows(hostileRows(await compileContracts()));
  calls = createCalls({
    db: rows.db,
    system: usualRealm,
    chainId: 298n,
    limits: { threads: 2, timeMs: 4000, memory: 64 * 2 ** 20, reads: 1000 },
    onLost: (error) => lost.push(error),
  });
  const callLimits = { timeMs: 4000, memory: 64 * 2 ** 20, reads: 1000 };
  app = openServer(rows.db, 'spec', { calls, settings: { maxCallGas: 1_000_000_000, callLimits } });
});
afterAll(async () => {
  await app?.close();
  await calls?.close();
  await rows?.close();
});

async function ask(fn: string, args: unknown[] = [], more: object = {}) {
  const types = typesOf(fn.slice(fn.indexOf('(') + 1, -1));
  const { statusCode, body } = await app.inject({
    method: 'POST',
    url: '/api/v1/contracts/call',
    headers: { 'content-type': 'application/json' },
    payload: JSON.stringify({
      to: `0x${'3e9'.padStart(40, '0')}`,
      data: `0x${selectorOf(fn)}${encode(types, args)}`,
      ...more,
    }),
  });
  const { result, _status } = JSON.parse(body) as { result?: string; _status?: { messages: Record<string, string>[] } };
  return { status: statusCode, result, said: _status?.messages[0] };
}

const badRequest = (detail: string) => ({ status: 400, said: { message: 'Bad Request', detail, data: '' } });

it('answers each limit in its own words, and everything else as before', async () => {
  const before = await ask('coldSlots(uint256)', ['10']);
  expect(before).toMatchObject({ status: 200 });

  expect(await ask('loop()', [], { gas: 15_000_000 })).toMatchObject({
    status: 400,
    said: { message: 'INSUFFICIENT_GAS' },
  });
  expect(await ask('loop()')).toMatchObject(badRequest('The call takes longer than 4 seconds'));
  expect(await ask('grow()', [], { gas: 15_000_000 })).toMatchObject({
    status: 400,
    said: { message: 'INSUFFICIENT_GAS' },
  });
  expect(await ask('logs()')).toMatchObject(badRequest('The call needs more than 64 MiB of memory'));
  expect(await ask('coldSlots(uint256)', ['10000'])).toMatchObject(
    badRequest('The call reads more than 1000 values of the ledger'),
  );
  const much = await ask('returnMuch(uint256)', ['10000000'], { gas: 900_000_000 });
  expect(much.status).toBe(200);
  expect(much.result).toHaveLength(2 + 2 * 10_000_000);
  const deep = await ask('deep(uint256)', ['2000'], { gas: 900_000_000 });
  expect(deep.status).toBe(200);

  expect(await ask('coldSlots(uint256)', ['10'])).toEqual(before);
  expect(lost).toEqual([]);
  expect(calls.counts()).toMatchObject({ threads: 1, busy: 0, waiting: 0, lost: 0 });
});

it('answers others while hostile calls run, and all calls that wait', async () => {
  const hostile = Array.from({ length: 4 }, () => ask('loop()'));
  const others = Array.from({ length: 4 }, () => ask('coldSlots(uint256)', ['3'], { gas: 1_000_000 }));
  for (const answer of await Promise.all(hostile)) expect(answer.status).toBe(400);
  for (const answer of await Promise.all(others)) expect(answer.status).toBe(200);
  expect(lost).toEqual([]);
});
