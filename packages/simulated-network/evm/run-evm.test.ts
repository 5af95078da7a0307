import { expect, test } from 'vitest';
import { blankAccount } from '../ledger/blank-account.ts';
import { createEmptyTables, createLedger } from '../ledger/ledger.ts';
import {
  encodeExchangeRates,
  encodeGasPrices,
  exchangeRateFile,
  feeScheduleFile,
  openingGasPrice,
  openingRate,
} from '../ledger/prices.ts';
import { type ArgumentValue, type ContractName, encodeCall, encodeValues, initcodeOf } from './artifacts.ts';
import { createRunEvm, type EvmInput, evmAddressOf, longZero } from './run-evm.ts';

const payer = 500n;

const call: EvmInput = {
  sender: payer,
  to: null,
  value: 0n,
  data: new Uint8Array(),
  gasLimit: 2_000_000n,
  gasPrice: 89n,
  countNonce: false,
  consensusTimestamp: 1_700_000_000_000_000_000n,
  blockNumber: 9n,
  blockTime: 1_700_000_000_000_000_000n,
  prevRandao: Buffer.alloc(32, 3),
};

async function createWorld() {
  const tables = createEmptyTables();
  const ledger = createLedger(tables);
  ledger.put('accounts', payer, { ...blankAccount(payer, 0n), balance: 1_000_000_000_000n });
  const file = (id: bigint, contents: Uint8Array) =>
    ledger.put('files', id, { id, contents, deleted: false, keys: [] });
  file(feeScheduleFile, encodeGasPrices(openingGasPrice));
  file(exchangeRateFile, encodeExchangeRates(openingRate));
  const runEvm = createRunEvm(ledger, 100);
  const run = (input: Partial<EvmInput>) => runEvm({ ...call, ...input });
  const deploy = async (name: ContractName, values: ArgumentValue[]) => {
    const output = await run({ data: Buffer.concat([initcodeOf(name), encodeValues(values)]), countNonce: true });
    return { output, contract: output.created[0]! };
  };
  return { tables, ledger, run, deploy };
}

test('a counter counts, and only what is not reverted', async () => {
  const { tables, run, deploy } = await createWorld();
  const { contract } = await deploy('Counter', [5n]);
  const to = evmAddressOf(contract);
  for (let call = 0; call < 3; call++) {
    const output = await run({ to, data: encodeCall('Counter', 'increment()') });
    expect(output.failure).toBeNull();
    expect(output.logs).toHaveLength(1);
    expect(BigInt(`0x${Buffer.from(output.output).toString('hex')}`)).toBe(6n + BigInt(call));
  }
  const failed = await run({ to, data: encodeCall('Counter', 'underflow(uint256)', [1n]) });
  // Panic(0x11): arithmetic underflow.
  expect(failed).toMatchObject({ failure: 'CONTRACT_REVERT_EXECUTED', logs: [] });
  expect(failed.errorMessage).toBe(`0x4e487b71${'11'.padStart(64, '0')}`);
  const spun = await run({ to, data: encodeCall('Counter', 'spin()'), gasLimit: 100_000n });
  expect(spun).toMatchObject({ failure: 'INSUFFICIENT_GAS', gasUsed: 100_000n });
  expect(tables.storage.get(`${contract.id}:${'0'.repeat(64)}`)).toEqual(Uint8Array.of(8));
});

test('slots tell what was read and what was written', async () => {
  const { run, deploy } = await createWorld();
  const { contract, output } = await deploy('Counter', [5n]);
  const first = output.slots.find(({ slot }) => slot.length === 0)!;
  expect([first.read, first.written]).toEqual([new Uint8Array(), Uint8Array.of(5)]);
  const read = await run({ to: evmAddressOf(contract), data: encodeCall('Counter', 'count()') });
  expect(read.slots).toMatchObject([{ read: Uint8Array.of(5), written: null }]);
});

test('an address follows from sender and nonce, or is the long-zero one that HAPI gives', async () => {
  const { tables, ledger, run, deploy } = await createWorld();
  const { contract } = await deploy('Coin', [100n]);
  expect(contract.evmAddress).toHaveLength(20);
  expect(tables.accounts.get(payer)!.ethereumNonce).toBe(1n);
  const id = ledger.take('nextEntity');
  ledger.put('accounts', id, { ...blankAccount(id, 0n), isContract: true });
  const data = Buffer.concat([initcodeOf('Counter'), encodeValues([1n])]);
  const output = await run({ data, createAt: longZero(id), value: 30n });
  expect(output.failure).toBeNull();
  expect(tables.accounts.get(id)).toMatchObject({ balance: 30n, evmAddress: null });
  expect(tables.accounts.get(id)!.code!.length).toBeGreaterThan(100);
  const answer = await run({ to: longZero(id), data: encodeCall('Counter', 'count()') });
  expect(answer.output.at(-1)).toBe(1);
});

test('contracts create contracts and pay accounts that did not exist', async () => {
  const { tables, run, deploy } = await createWorld();
  const factory = (await deploy('Factory', [])).contract;
  const made = await run({
    to: evmAddressOf(factory),
    data: encodeCall('Factory', 'create2(uint256,bytes32)', [7n, new Uint8Array(32)]),
  });
  expect(made.created).toHaveLength(1);
  expect(made.contractNonces).toEqual([
    { contract: factory.id, nonce: 2n },
    { contract: made.created[0]!.id, nonce: 1n },
  ]);
  expect(made.actions.map(({ callDepth, callOperationType }) => [callDepth, callOperationType])).toEqual([
    [0, 1],
    [1, 6],
  ]);
  const vault = evmAddressOf((await deploy('Vault', [])).contract);
  const deposit = await run({ to: vault, data: encodeCall('Vault', 'deposit()'), value: 500_000_000n });
  // Contracts count in tinybar.
  expect(deposit.logs.map(({ data }) => BigInt(`0x${Buffer.from(data).toString('hex')}`))).toEqual([500_000_000n]);
  const somebody = Buffer.alloc(20, 9);
  const paid = await run({ to: vault, data: encodeCall('Vault', 'pay(address,uint256)', [somebody, 100_000_000n]) });
  expect(paid.hollow).toMatchObject([{ balance: 100_000_000n }]);
  let total = 0n;
  for (const { balance } of tables.accounts.values()) total += balance;
  expect(total).toBe(1_000_000_000_000n);
});

test('networks give back a part of the unused gas', async () => {
  const { ledger, deploy } = await createWorld();
  const to = evmAddressOf((await deploy('Counter', [5n])).contract);
  const gasUsed = (maxGasBack: number, gasLimit: bigint) =>
    createRunEvm(ledger, maxGasBack)({ ...call, to, data: encodeCall('Counter', 'increment()'), gasLimit }).gasUsed;
  // The first call fills a slot, which costs more.
  gasUsed(100, 400_000n);
  const consumed = gasUsed(100, 400_000n);
  expect(consumed).toBeLessThan(80_000n);
  expect(gasUsed(20, 400_000n)).toBe(320_000n);
  expect(gasUsed(0, 400_000n)).toBe(400_000n);
  expect(gasUsed(20, consumed + 10n)).toBe(consumed);
});

test('a reverted inner call leaves nothing, the outer one goes on', async () => {
  const { run, deploy } = await createWorld();
  const reverter = evmAddressOf((await deploy('Reverter', [false])).contract);
  const vault = evmAddressOf((await deploy('Vault', [])).contract);
  const data = encodeCall('Vault', 'tryCall(address,bytes)', [
    reverter,
    encodeCall('Reverter', 'withReason(string)', ['no']),
  ]);
  const output = await run({ to: vault, data });
  expect(output.failure).toBeNull();
  expect(output.output.at(-1)).toBe(0);
  expect(output.actions[1]!.revertReason!.length).toBeGreaterThan(4);
  expect((await deploy('Reverter', [true])).output).toMatchObject({ failure: 'CONTRACT_REVERT_EXECUTED', created: [] });
});
