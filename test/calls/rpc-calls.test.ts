// eth_call and eth_estimateGas over contracts that are compiled here: what a client gets of each kind of end, in its
// units and forms.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { SetupRow } from '../../packages/test-support/rows/setup-row.ts';
import { type StoredRows, storeRows } from '../../packages/test-support/rows/store-rows.ts';
import { openRpc, type TestRpc } from '../../packages/test-support/rpc/open-rpc.ts';
import type { CompiledContract } from '../support/contracts/compile-solidity.ts';
import { encode, selectorOf, typesOf } from './abi.ts';
import { compileContracts, hostileRows } from './world.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 240_000 });

const names = ['Reverter', 'StorageContract', 'TestAddressThis', 'EthCall', 'EvmCodes'];
const addresses = Object.fromEntries(names.map((name, at) => [name, longZero(2001 + at)]));
const hostile = longZero(1001);
const user = longZero(3001);

let stored: StoredRows;
let rpc: TestRpc;
beforeAll(async () => {
  const code = await compileContracts();
  stored = await storeRows([...hostileRows(code), ...contractRows(code), entity(3001, 'ACCOUNT', 500)]);
  rpc = openRpc(stored.db);
});
afterAll(async () => {
  expect(rpc?.failures).toEqual([]);
  await rpc?.close();
  await stored?.close();
});

const call = (fn: string, ...args: unknown[]): string =>
  `0x${selectorOf(fn)}${encode(typesOf(fn.slice(fn.indexOf('(') + 1, -1)), args)}`;
const uint = (value: number | bigint): string => `0x${value.toString(16).padStart(64, '0')}`;

async function error(method: string, ...params: unknown[]) {
  const { status, body } = await rpc.post({ jsonrpc: '2.0', id: 1, method, params });
  return { status, ...body.error };
}

describe('a call', () => {
  it('that reverts has code 3, its reason and its data, with 200', async () => {
    const ask = (fn: string) => error('eth_call', { to: addresses.Reverter, data: call(fn) }, 'latest');
    const reason = `0x${selectorOf('Error(string)')}${encode(['string'], ['RevertReasonPure'])}`;
    expect(await ask('revertPure()')).toEqual({
      ...{ status: 200, code: 3, message: 'execution reverted: RevertReasonPure', data: reason },
    });
    expect(await ask('revertWithCustomErrorPure()')).toEqual({
      status: 200,
      ...{ code: 3, message: 'execution reverted: CONTRACT_REVERT_EXECUTED', data: '0x0bd3d39c' },
    });
    expect((await ask('revertWithPanic()')).data).toBe(`0x4e487b71${uint(0x12).slice(2)}`);
    expect(await ask('revertWithNothing()')).toMatchObject({ status: 200, code: 3, data: '0x' });
  });

  it('that fails otherwise has code -32000 and the status', async () => {
    const failed = (text: string) => ({
      ...{ status: 400, code: -32000, message: `Error occurred during transaction simulation: ${text}` },
    });
    const to = hostile;
    expect(await error('eth_call', { to, data: call('loop()'), gas: '0xf4240' }, 'latest')).toEqual(
      failed('INSUFFICIENT_GAS'),
    );
    expect(await error('eth_call', { to, data: '0x', gas: '0x1' }, 'latest')).toEqual(
      failed('gas field must be greater than or equal to 21000'),
    );
    expect(await error('eth_call', { to, data: call('loop()'), from: `0x${'9'.repeat(40)}` }, 'latest')).toEqual(
      failed('Sender account not found.'),
    );
    expect(await error('eth_call', { to, data: '0x' }, '0xffff')).toEqual(failed('Unknown block number'));
    expect(await error('eth_call', { to, data: '0x', value: `0x${'f'.repeat(64)}` }, 'latest')).toMatchObject({
      code: -32000,
    });
    expect(await error('eth_estimateGas', { to, data: call('loop()') })).toEqual(failed('INSUFFICIENT_GAS'));
  });

  it('takes input before data, a creation without receiver, and what Ethereum clients send beside', async () => {
    const to = addresses.EthCall;
    const data = call('multiplySimpleNumbers()');
    expect(await rpc.ask('eth_call', { to, data: '0x12345678', input: data }, 'latest')).toBe(uint(4));
    expect(await rpc.ask('eth_call', { to, input: data, type: '0x2', nonce: '0x1', gasPrice: '0x0' }, 'safe')).toBe(
      uint(4),
    );
    // PUSH1 2a, MSTORE8, RETURN one byte: the code that is made.
    expect(await rpc.ask('eth_call', { data: '0x602a60005360016000f3' }, 'latest')).toBe('0x2a');
    // To nobody it answers nothing.
    expect(await rpc.ask('eth_call', { to: `0x${'7'.repeat(40)}`, data }, 'latest')).toBe('0x');
  });

  it('sends weibar as tinybar: less than one is one, more is cut', async () => {
    // CALLVALUE, MSTORE, RETURN a word.
    const overrides = { [addresses.EthCall!]: { code: '0x345f5260205ff3' } };
    const of = (value: string) =>
      rpc.ask('eth_call', { from: user, to: addresses.EthCall, value }, 'latest', overrides);
    expect(await of('0x0')).toBe(uint(0));
    expect(await of('0x1')).toBe(uint(1));
    expect(await of(`0x${(25_000_000_000n).toString(16)}`)).toBe(uint(2));
    // Without a sender the treasury pays.
    const paid = { to: addresses.EthCall, value: '0x2540be400' };
    expect(await rpc.ask('eth_call', paid, 'latest', overrides)).toBe(uint(1));
  });

  it.each([
    ['a number', () => '0x64'],
    ['{ blockNumber }', () => ({ blockNumber: '0x64' })],
    ['a hash', async () => (await rpc.ask('eth_getBlockByNumber', '0x64', false)).hash],
    ['{ blockHash }', async () => ({ blockHash: (await rpc.ask('eth_getBlockByNumber', '0x64', false)).hash })],
  ])('sees the block that %s names', async (_name, name) => {
    const data = call('getBlockTimestamp()');
    const at = await name();
    expect(await rpc.ask('eth_call', { to: addresses.EvmCodes, data }, at)).toBe(uint(1_700_000_000 + 200));
    expect(await rpc.ask('eth_call', { to: addresses.EvmCodes, data }, 'latest')).toBe(uint(1_700_000_000 + 400));
  });

  it('sees balances, code and slots that it says itself', async () => {
    const { StorageContract, TestAddressThis } = addresses;
    const slot = { [StorageContract!]: { stateDiff: { [uint(0)]: uint(77) } } };
    expect(await rpc.ask('eth_call', { to: StorageContract, data: call('slot0()') }, 'latest', slot)).toBe(uint(77));
    const whole = { [StorageContract!]: { state: { [uint(1)]: uint(78) } } };
    expect(await rpc.ask('eth_call', { to: StorageContract, data: call('slot0()') }, 'latest', whole)).toBe(uint(0));
    const rich = { [TestAddressThis!]: { balance: `0x${(5n * 10n ** 10n).toString(16)}` } };
    expect(await rpc.ask('eth_call', { to: TestAddressThis, data: call('getBalance()') }, 'latest', rich)).toBe(
      uint(5),
    );
    const inDecimals = { [TestAddressThis!]: { balance: 7 * 10 ** 10, nonce: 3 } };
    expect(await rpc.ask('eth_call', { to: TestAddressThis, data: call('getBalance()') }, 'latest', inDecimals)).toBe(
      uint(7),
    );
    const refusals = [
      [{ '0x12': {} }, 'Expected an object of up to 100'],
      [{ [user]: { balance: 2 ** 53 } }, "'balance' for StateOverride"],
      [{ [user]: { nonce: -1 } }, "'nonce' for StateOverride"],
      [{ [user]: { nonce: 0.5 } }, "'nonce' for StateOverride"],
      [{ [user]: { movePrecompileToAddress: user } }, "'movePrecompileToAddress' for StateOverride"],
      [{ [user]: { state: {}, stateDiff: {} } }, 'mutually exclusive'],
      [{ [user]: { stateDiff: { '0x0': 'x' } } }, "'stateDiff' for StateOverride"],
    ] as const;
    for (const [given, text] of refusals) {
      const { code, message } = await error('eth_call', { to: StorageContract, data: '0x' }, 'latest', given);
      expect([code, message]).toEqual([-32602, expect.stringContaining(text)]);
    }
  });
});

it('an estimate is enough for the call, and not much more', async () => {
  const asked = { from: user, to: addresses.StorageContract, data: call('setSlot0(uint256)', '5') };
  const gas = await rpc.ask('eth_estimateGas', asked);
  expect(gas).toMatch(/^0x[1-9a-f]/);
  expect(await rpc.ask('eth_call', { ...asked, gas }, 'latest')).toBe('0x');
  expect(Number(gas)).toBeLessThan(60_000);
  expect(await rpc.ask('eth_estimateGas', asked, '0x1')).toBe(gas);
});

it('the throttle of calls is one for all: a batch of a hundred with much gas gets what is left of a second', async () => {
  const strict = openRpc(stored.db, {}, { limits: { gasPerSecond: 60_000_000, threads: 2 } });
  try {
    const params = [{ to: hostile, data: call('loop()'), gas: '0xe4e1c0' }, 'latest'];
    const batch = Array.from({ length: 100 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'eth_call', params }));
    const startedMs = performance.now();
    const { status, body } = await strict.post(batch);
    const seconds = (performance.now() - startedMs) / 1000;
    expect(status).toBe(200);
    expect(body.map(({ id }: { id: number }) => id)).toEqual(batch.map(({ id }) => id));
    const codes = body.map(({ error: { code } }: { error: { code: number } }) => code);
    const refused = codes.filter((code: number) => code === -32020).length;
    // Eight of a batch are asked at a time, and there is gas for four.
    expect(new Set(codes)).toEqual(new Set([-32000, -32020]));
    expect(refused).toBeGreaterThan(50);
    expect(seconds).toBeLessThan(60);
    const single = await Promise.all(Array.from({ length: 30 }, () => strict.post({ ...batch[0], id: 'one' })));
    const limited = single.filter(({ status: of }) => of === 429);
    expect(limited.length).toBeGreaterThanOrEqual(26);
    expect(limited[0]!.body.error).toEqual({
      code: -32020,
      message: 'Mirror node upstream failure: statusCode=429, message=Gas per second rate limit exceeded.',
      data: 429,
    });
    expect(strict.failures).toEqual([]);
  } finally {
    await strict.close();
  }
});

function longZero(num: number): string {
  return `0x${num.toString(16).padStart(40, '0')}`;
}

function entity(id: number, type: string, balance: number): SetupRow {
  const row = { id, num: id, shard: 0, realm: 0, memo: '', created_timestamp: 1, deleted: false, type, balance };
  return { table: 'entity', row: { ...row, timestamp_range: '[1,)' } };
}

function contractRows(code: Record<string, CompiledContract>): SetupRow[] {
  return names.flatMap((name, at) => [
    entity(2001 + at, 'CONTRACT', 0),
    {
      table: 'contract',
      row: { id: 2001 + at, runtime_bytecode: Buffer.from(code[name]!.evm.deployedBytecode.object, 'hex') },
    },
  ]);
}
