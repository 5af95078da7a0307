// BLOCKHASH in calls, by REST and by JSON-RPC, now and after an older block: the hashes of the 256 blocks before, and
// no others.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { assemble } from '../../../packages/test-support/evm/assemble.ts';
import { returnTop } from '../../../packages/test-support/evm/run-code.ts';
import { openServer } from '../../../packages/test-support/http/open-server.ts';
import { type StoredRows, storeRows } from '../../../packages/test-support/rows/store-rows.ts';
import { blockHashOf, blockRow, entityRow, priceRows } from '../../../packages/test-support/rpc/chain-rows.ts';
import { openRpc, type TestRpc } from '../../../packages/test-support/rpc/open-rpc.ts';

const newest = 300n;
const contract = `0x${(2001).toString(16).padStart(40, '0')}`;
const wordOf = (n: bigint): string => `0x${n.toString(16).padStart(64, '0')}`;
const nothing = wordOf(0n);

let stored: StoredRows;
let rpc: TestRpc;
const servers: Partial<Record<'spec' | 'hiero', ReturnType<typeof openServer>>> = {};
beforeAll(async () => {
  stored = await storeRows([
    ...Array.from({ length: Number(newest) + 1 }, (_, n) => blockRow(BigInt(n))),
    ...priceRows(5n, 50),
    entityRow(2n, { balance: 10n ** 18n }),
    entityRow(2001n, { type: 'CONTRACT' }),
    {
      table: 'contract',
      row: { id: 2001n, runtime_bytecode: Buffer.from(assemble(`PUSH 0 CALLDATALOAD BLOCKHASH ${returnTop}`)) },
    },
  ]);
  rpc = openRpc(stored.db);
  for (const dialect of ['spec', 'hiero'] as const) servers[dialect] = openServer(stored.db, dialect);
});
afterAll(async () => {
  for (const server of Object.values(servers)) await server.close();
  await rpc?.close();
  await stored?.close();
});

it.each<[block: bigint, asked: bigint, isKnown: boolean]>([
  [newest, 299n, true],
  [newest, 300n, false],
  [newest, 301n, false],
  [newest, 44n, true],
  [newest, 43n, false],
  [newest, 0n, false],
  [280n, 279n, true],
  [280n, 280n, false],
  [280n, 290n, false],
  [280n, 24n, true],
  [280n, 23n, false],
  [256n, 0n, true],
  [257n, 0n, false],
  [1n, 0n, true],
])('after block %s, of block %s: %s', async (block, asked, isKnown) => {
  const expected = isKnown ? `0x${blockHashOf(asked).slice(0, 64)}` : nothing;
  const data = wordOf(asked);
  expect(await rpc.ask('eth_call', { to: contract, data }, `0x${block.toString(16)}`)).toBe(expected);
  for (const server of Object.values(servers)) {
    const payload = { to: contract, data, block: block === newest ? 'latest' : `${block}` };
    const { statusCode, body } = await server.inject({ method: 'POST', url: '/api/v1/contracts/call', payload });
    expect([statusCode, JSON.parse(body)]).toEqual([200, { result: expected }]);
  }
});
