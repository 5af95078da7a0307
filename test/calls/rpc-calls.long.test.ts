// eth_call and eth_estimateGas over contracts that are compiled here: what a client gets of each kind of end, in its
// units and forms.
import { authorization } from 'micro-eth-signer';
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
    const halted = (text: string) => ({ ...failed(text), status: 200 });
    const to = hostile;
    expect(await error('eth_call', { to, data: call('loop()'), gas: '0xf4240' }, 'latest')).toEqual(
      halted('INSUFFICIENT_GAS: out of gas'),
    );
    for (const [code, end] of [
      ['0xfe', 'invalid opcode'],
      ['0x600056', 'invalid jump destination'],
      ['0x01', 'stack underflow'],
      // JUMPDEST, PUSH0, PUSH0, JUMP: for ever.
      ['0x5b5f5f56', 'stack limit reached 1024'],
      ['0x60015f5f3e', 'vm execution error'],
    ] as const) {
      const asked = { to, gas: '0xf4240' };
      expect([code, await error('eth_call', asked, 'latest', { [to]: { code } })]).toEqual([
        code,
        halted(`CONTRACT_EXECUTION_EXCEPTION: ${end}`),
      ]);
    }
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
    expect(await error('eth_estimateGas', { to, data: call('loop()') })).toEqual(
      halted('INSUFFICIENT_GAS: out of gas'),
    );
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

describe('a call from a contract', () => {
  // CALLER, or ORIGIN: MSTORE, RETURN a word.
  const callerCode = '0x335f5260205ff3';
  const originCode = '0x325f5260205ff3';

  it.each([
    ['the sender', callerCode],
    ['the origin', originCode],
  ])('shows that contract as %s', async (_name, code) => {
    const from = addresses.StorageContract!;
    const overrides = { [addresses.EthCall!]: { code } };
    const asked = { from, to: addresses.EthCall };
    expect(await rpc.ask('eth_call', asked, 'latest', overrides)).toBe(uint(BigInt(from)));
    expect(await rpc.ask('eth_call', { ...asked, from: user }, 'latest', overrides)).toBe(uint(BigInt(user)));
  });

  it('counts an account with the code of an override as one, and one that only that makes', async () => {
    for (const from of [user, `0x${'8'.repeat(40)}`]) {
      const overrides = { [addresses.EthCall!]: { code: callerCode }, [from]: { code: '0x00' } };
      expect(await rpc.ask('eth_call', { from, to: addresses.EthCall }, 'latest', overrides)).toBe(uint(BigInt(from)));
    }
  });

  it('is estimated as that contract, which may ask what no other may', async () => {
    const from = addresses.StorageContract!;
    // Reverts unless CALLER is that contract.
    const guarded = `0x3373${from.slice(2)}14601d575f5ffd5b00`;
    const overrides = { [addresses.EthCall!]: { code: guarded } };
    const gas = await rpc.ask('eth_estimateGas', { from, to: addresses.EthCall }, 'latest', overrides);
    expect(Number(gas)).toBeGreaterThan(21_000);
    const refused = await error('eth_estimateGas', { from: user, to: addresses.EthCall }, 'latest', overrides);
    expect(refused.code).toBe(3);
  });

  it('pays the value from what that contract has', async () => {
    const asked = { from: addresses.StorageContract, to: addresses.EthCall, value: '0x2540be400' };
    const code = { [addresses.EthCall!]: { code: '0x345f5260205ff3' } };
    expect((await error('eth_call', asked, 'latest', code)).message).toContain('INSUFFICIENT_PAYER_BALANCE');
    const rich = { ...code, [addresses.StorageContract!]: { balance: '0x2540be400' } };
    expect(await rpc.ask('eth_call', asked, 'latest', rich)).toBe(uint(1));
  });
});

describe('the lists of a call', () => {
  const slot = uint(0);
  const listed = () => [{ address: addresses.EthCall, storageKeys: [slot] }];
  // What SLOAD of slot 0 takes, with a PUSH0, a POP and a GAS beside it.
  const costOfRead = { code: '0x5a5f54505a90035f5260205ff3' };

  it('of access make slots warm, and are paid for', async () => {
    const overrides = { [addresses.EthCall!]: costOfRead };
    const ask = (more: object) => rpc.ask('eth_call', { to: addresses.EthCall, ...more }, 'latest', overrides);
    const [cold, warm] = [await ask({}), await ask({ type: '0x1', accessList: listed() })].map(Number);
    expect(cold! - warm!).toBe(2000);
    expect(Number(await ask({ accessList: [] }))).toBe(cold);
    const least = { to: addresses.StorageContract, accessList: listed(), data: '0x' };
    const gas = (of: number) => ({ ...least, gas: `0x${of.toString(16)}` });
    const stop = { [addresses.StorageContract!]: { code: '0x00' } };
    expect(await rpc.ask('eth_call', gas(21_000 + 2400 + 1900), 'latest', stop)).toBe('0x');
    const refused = await error('eth_call', gas(21_000 + 2400 + 1900 - 1), 'latest', stop);
    expect(refused.message).toContain('INSUFFICIENT_GAS');
    const estimate = Number(await rpc.ask('eth_estimateGas', least, 'latest', stop));
    // The search ends at a tenth.
    expect(estimate).toBeGreaterThanOrEqual(25_300);
    expect(estimate).toBeLessThan(25_300 * 1.1);
  });

  it('of authorizations give accounts the code of others, and are paid for', async () => {
    const secret = '0x'.padEnd(66, '4');
    const chainId = BigInt(await rpc.ask('eth_chainId'));
    const code = addresses.EthCall!;
    const signed = authorization.sign({ chainId, address: code, nonce: 4n }, secret);
    const authority = authorization.getAuthority(signed);
    const quantities = { chainId: signed.chainId, nonce: signed.nonce, r: signed.r, s: signed.s };
    const item = {
      ...Object.fromEntries(Object.entries(quantities).map(([name, of]) => [name, `0x${of.toString(16)}`])),
      ...{ address: code, yParity: `0x${signed.yParity}` },
    };
    // ADDRESS, MSTORE, RETURN a word.
    const overrides = { [code]: { code: '0x305f5260205ff3' }, [authority]: { nonce: '0x4' } };
    const asked = { from: user, to: authority };
    expect(await rpc.ask('eth_call', asked, 'latest', overrides)).toBe('0x');
    const delegated = { ...asked, type: '0x4', authorizationList: [item] };
    expect(await rpc.ask('eth_call', delegated, 'latest', overrides)).toBe(uint(BigInt(authority)));
    // Of the sender itself the nonce counts after its transaction.
    const own = { [code]: overrides[code], [authority]: { nonce: '0x3' } };
    const bySelf = { ...delegated, from: authority };
    expect(await rpc.ask('eth_call', bySelf, 'latest', own)).toBe(uint(BigInt(authority)));
    // Another nonce: it is skipped.
    expect(await rpc.ask('eth_call', delegated, 'latest', own)).toBe('0x');
    const gas = await rpc.ask('eth_estimateGas', delegated, 'latest', overrides);
    expect(Number(gas)).toBeGreaterThanOrEqual(21_000 + 25_000);
    expect(await rpc.ask('eth_call', { ...delegated, gas }, 'latest', overrides)).toBe(uint(BigInt(authority)));
    const { yParity: _, ...unsigned } = item;
    for (const [given, text] of [
      [{ ...asked, authorizationList: [unsigned] }, "'yParity' for Authorization"],
      [{ ...asked, authorizationList: [{ ...item, nonce: `0x1${'0'.repeat(16)}` }] }, "'nonce' for Authorization"],
      [{ ...asked, authorizationList: Array(101).fill(item) }, "'authorizationList' for TransactionObject"],
      [{ from: user, data: '0x', authorizationList: [item] }, "'authorizationList' for TransactionObject"],
    ] as const) {
      const { code: number, message } = await error('eth_call', given, 'latest');
      expect([number, message]).toEqual([-32602, expect.stringContaining(text)]);
    }
  });

  it.each([
    [{ accessList: {} }, "'accessList' for TransactionObject"],
    [{ accessList: [{ address: '0x1', storageKeys: [] }] }, "'address' for AccessListEntry"],
    [{ accessList: [{ address: user }] }, "'storageKeys' for AccessListEntry"],
    [{ accessList: [{ address: user, storageKeys: ['0x1'] }] }, "'storageKeys' for AccessListEntry"],
    [{ accessList: [{ address: user, storageKeys: [], more: 1 }] }, "'more' for AccessListEntry"],
    [{ authorizationList: 'x' }, "'authorizationList' for TransactionObject"],
    [{ type: '0x3' }, 'no transactions with blobs'],
    [{ type: '0x5' }, "'type' for TransactionObject"],
    [{ blobVersionedHashes: [uint(1)] }, 'no transactions with blobs'],
  ])('are refused with the member that is wrong: %j', async (given, text) => {
    for (const name of ['eth_call', 'eth_estimateGas']) {
      const { code, message } = await error(name, { to: user, ...given }, 'latest');
      expect([code, message]).toEqual([-32602, expect.stringContaining(text)]);
    }
  });
});

describe('an access list', () => {
  // SLOAD of slot 1, BALANCE of the sender, calls of another contract and of two precompiles.
  const code = (other: string) =>
    `0x600154503331505f5f5f5f5f73${other.slice(2)}5af1505f5f5f5f5f60025af1505f5f5f5f5f60045af15000`;
  // Reads slot 2.
  const other = { code: '0x60025400' };

  it('has what the call names, and makes it as cheap as is said', async () => {
    const to = addresses.EthCall!;
    const overrides = { [to]: { code: code(addresses.StorageContract!) }, [addresses.StorageContract!]: other };
    const asked = { from: user, to };
    const { accessList, gasUsed, ...rest } = await rpc.ask('eth_createAccessList', asked, 'latest', overrides);
    expect(rest).toEqual({});
    expect(accessList).toEqual([
      { address: addresses.StorageContract, storageKeys: [uint(2)] },
      { address: to, storageKeys: [uint(1)] },
    ]);
    // Exactly as much is enough.
    const call = { ...asked, accessList, gas: gasUsed };
    const short = { ...call, gas: `0x${(Number(gasUsed) - 1).toString(16)}` };
    expect(await rpc.ask('eth_call', call, 'latest', overrides)).toBe('0x');
    expect((await error('eth_call', short, 'latest', overrides)).message).toContain('INSUFFICIENT_GAS');
    // With it, it finds itself; what nobody needs stays.
    const more = [...accessList, { address: longZero(9999), storageKeys: [uint(3)] }];
    const again = await rpc.ask('eth_createAccessList', { ...asked, accessList: more }, 'latest', overrides);
    expect(again.accessList).toEqual(more);
    expect(Number(again.gasUsed)).toBe(Number(gasUsed) + 2400 + 1900);
  });

  it('goes on until a run takes the way of its list', async () => {
    const to = addresses.EthCall!;
    // Slot 1 costs 100 once it is listed, and only then slot 2 is read: GAS, SLOAD, GAS, and a jump where it cost more than 1000.
    const overrides = { [to]: { code: '0x5a600154505a90036103e8106012576002545b00' } };
    const found = await rpc.ask('eth_createAccessList', { to }, 'latest', overrides);
    expect(found.accessList).toEqual([{ address: to, storageKeys: [uint(1), uint(2)] }]);
  });

  it('of a call that fails has its error; one that does not begin is refused', async () => {
    const { Reverter, EthCall } = addresses;
    const found = await rpc.ask('eth_createAccessList', { to: Reverter, data: call('revertPure()') });
    expect(found).toEqual({ accessList: [], gasUsed: found.gasUsed, error: 'execution reverted: RevertReasonPure' });
    const accessList = [{ address: user, storageKeys: [] }];
    const refused = await error('eth_createAccessList', { to: EthCall, gas: '0x5208', accessList }, 'latest');
    expect(refused).toMatchObject({ code: -32000, message: expect.stringContaining('INSUFFICIENT_GAS') });
  });
});

describe('a block that a call says itself', () => {
  it.each([
    ['number', '43', { number: '0x7b' }, 0x7bn],
    ['time', '42', { time: '0x7c' }, 0x7cn],
    ['prevRandao', '44', { prevRandao: uint(0x7d) }, 0x7dn],
    ['feeRecipient', '41', { feeRecipient: `0x${'7'.repeat(40)}` }, BigInt(`0x${'7'.repeat(40)}`)],
    ['gasLimit', '45', { gasLimit: '0x7e' }, 0x7en],
    ['baseFeePerGas, in tinybar', '48', { baseFeePerGas: '0x4a817c800' }, 2n],
    ['blobBaseFee', '4a', { blobBaseFee: '0x7f' }, 0x7fn],
  ])('is seen: %s', async (_name, op, given, expected) => {
    const to = addresses.EthCall!;
    const overrides = { [to]: { code: `0x${op}5f5260205ff3` } };
    expect(await rpc.ask('eth_call', { to }, 'latest', overrides, given)).toBe(uint(expected));
    expect(await rpc.ask('eth_call', { to }, 'latest', overrides, {})).not.toBe(uint(expected));
  });

  it('counts for estimates, and names the member that is wrong', async () => {
    const to = addresses.EthCall!;
    // Reverts before second 2^40.
    const overrides = { [to]: { code: '0x426501000000000010600f575f5ffd5b00' } };
    const later = { time: '0x20000000000' };
    expect(Number(await rpc.ask('eth_estimateGas', { to }, 'latest', overrides, later))).toBeGreaterThan(21_000);
    expect((await error('eth_estimateGas', { to }, 'latest', overrides)).code).toBe(3);
    for (const [given, text] of [
      [{ number: 'x' }, "'number' for BlockOverrides"],
      [{ time: `0x1${'0'.repeat(16)}` }, "'time' for BlockOverrides"],
      [{ withdrawals: [] }, "'withdrawals' for BlockOverrides"],
    ] as const) {
      const { code, message } = await error('eth_call', { to }, 'latest', overrides, given);
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
