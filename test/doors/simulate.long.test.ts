// eth_simulateV1 over a small chain: calls see what those before them left, blocks are what their headers say, and what no
// block could have is refused with the code of ethereum/execution-apis. Hashes are made again with ethers.
import {
  encodeRlp,
  getCreateAddress,
  JsonRpcProvider,
  keccak256,
  Network,
  type RlpStructuredDataish,
  toBeHex,
} from 'ethers';
import { createPublicClient, type Hex, http, parseAbi } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assemble } from '../../packages/test-support/evm/assemble.ts';
import { type StoredRows, storeRows } from '../../packages/test-support/rows/store-rows.ts';
import { openRpc, type TestRpc } from '../../packages/test-support/rpc/open-rpc.ts';
import { serveRpc } from '../../packages/test-support/rpc/serve-rpc.ts';
import {
  address,
  blockHash,
  longZero,
  newest,
  smallChain,
  transfer,
  word,
} from '../../packages/test-support/rpc/small-chain.ts';

// biome-ignore lint/suspicious/noExplicitAny: what is judged.
type Json = any;

let stored: StoredRows;
let rpc: TestRpc;
let served: Awaited<ReturnType<typeof serveRpc>>;
beforeAll(async () => {
  stored = await storeRows(smallChain);
  // A limit of time that no busy machine reaches: it is tested by itself.
  rpc = openRpc(stored.db, {}, { limits: { timeMs: 60_000 } });
  served = await serveRpc(stored.db);
});
afterAll(async () => {
  expect([rpc?.failures, served?.errors]).toEqual([[], []]);
  await rpc?.close();
  await served?.close();
  await stored?.close();
});

const code = (text: string): string => `0x${Buffer.from(assemble(text)).toString('hex')}`;
const at = (digits: string): string => `0x${digits.padStart(40, 'c')}`;
const hex = (value: bigint | number): string => `0x${value.toString(16)}`;
const hbar = 10n ** 18n;
/** Accounts and contracts that the ledger does not have. */
const [alice, bob, carol] = [at('a1'), at('b2'), at('c3')];
const [counter, teller, forwarder, failing] = [at('d4'), at('e5'), at('f6'), at('07')];
const rich = { [alice]: { balance: hex(100n * hbar) } };

/** Adds one to its slot, and returns that. */
const counting = code('PUSH 0 SLOAD PUSH 1 ADD DUP1 PUSH 0 SSTORE PUSH 0 MSTORE PUSH 32 PUSH 0 RETURN');
/** Returns what an opcode says; `argument`: what it takes. */
const telling = (opcode: string, argument = '') => code(`${argument} ${opcode} PUSH 0 MSTORE PUSH 32 PUSH 0 RETURN`);
/** Sends on what it gets to the address in its call data; fails where that fails. */
const sending = code(
  'PUSH 0 PUSH 0 PUSH 0 PUSH 0 CALLVALUE PUSH 0 CALLDATALOAD GAS CALL PUSH @ok JUMPI PUSH 0 PUSH 0 REVERT :ok JUMPDEST STOP',
);
const padded = (of: string): string => `0x${of.slice(2).padStart(64, '0')}`;

const simulate = (blockStateCalls: object[], more: object = {}, block: unknown = 'latest'): Promise<Json[]> =>
  rpc.ask('eth_simulateV1', { blockStateCalls, ...more }, block);
const refuse = (blockStateCalls: unknown, more: object = {}, block: unknown = 'latest') =>
  rpc.refusal('eth_simulateV1', { blockStateCalls, ...more }, block);
const answers = (blocks: Json[]): string[] => blocks.flatMap(({ calls }) => calls.map((one: Json) => one.returnData));

describe('state', () => {
  const call = { from: alice, to: counter };

  it('is carried from call to call and from block to block, and nowhere else', async () => {
    const first = { stateOverrides: { [counter]: { code: counting } }, calls: [call, call] };
    const blocks = await simulate([first, { calls: [call] }, {}, { calls: [call, call] }]);
    expect(answers(blocks)).toEqual([1n, 2n, 3n, 4n, 5n].map(word));
    expect(blocks.map(({ calls }) => calls.length)).toEqual([2, 1, 0, 2]);
    expect(await rpc.ask('eth_getCode', counter)).toBe('0x');
  });

  it('of the ledger is there, as of any block', async () => {
    // The contract of the ledger has 10 in slot 1 now, 9 from block 8 on.
    const look = { to: address('c') };
    const show = { stateOverrides: { [address('c')]: { code: telling('SLOAD', 'PUSH 1') } }, calls: [look] };
    expect(answers(await simulate([show]))).toEqual([word(10n)]);
    expect(answers(await simulate([show], {}, '0x9'))).toEqual([word(9n)]);
    expect(answers(await simulate([show], {}, blockHash(9n)))).toEqual([word(9n)]);
    expect(answers(await simulate([show], {}, { blockNumber: '0x9' }))).toEqual([word(9n)]);
    expect(await refuse([{}], {}, '0xffff')).toMatchObject({ code: -32000 });
  });

  it('overrides replace what calls before them left', async () => {
    const code = { code: counting };
    const blocks = await simulate([
      { stateOverrides: { [counter]: code }, calls: [call] },
      { stateOverrides: { [counter]: { stateDiff: { [word(0n)]: word(40n) } } }, calls: [call] },
      { stateOverrides: { [counter]: { state: { [word(7n)]: word(1n) } } }, calls: [call] },
      { stateOverrides: { [counter]: { code: telling('SELFBALANCE'), balance: hex(3n * hbar) } }, calls: [call] },
    ]);
    expect(answers(blocks)).toEqual([word(1n), word(41n), word(1n), word(3n * 10n ** 8n)]);
  });

  it('has contracts where sender and nonce say, which later calls reach', async () => {
    const runtime = telling('CALLER').slice(2);
    const length = runtime.length / 2;
    const init = `0x60${length.toString(16).padStart(2, '0')}600c60003960${length.toString(16).padStart(2, '0')}6000f3${runtime}`;
    const made = getCreateAddress({ from: alice, nonce: 7 }).toLowerCase();
    const blocks = await simulate(
      [
        {
          stateOverrides: { [alice]: { nonce: '0x6' } },
          calls: [
            { from: alice, to: bob },
            { from: alice, data: init },
          ],
        },
        { calls: [{ from: bob, to: made }, { to: made }] },
      ],
      { returnFullTransactions: true },
    );
    expect(answers(blocks)).toEqual(['0x', `0x${runtime}`, padded(bob), padded(longZero(2n))]);
    expect(blocks[0].transactions.map(({ nonce, to }: Json) => [nonce, to])).toEqual([
      ['0x6', bob],
      ['0x7', null],
    ]);
  });

  it('of hbar moves, and what fails moves nothing', async () => {
    const show = { to: teller, data: padded(carol) };
    const balance = code('PUSH 0 CALLDATALOAD BALANCE PUSH 0 MSTORE PUSH 32 PUSH 0 RETURN');
    const send = { from: alice, to: carol, value: hex(hbar) };
    const blocks = await simulate([
      {
        stateOverrides: { ...rich, [teller]: { code: balance }, [failing]: { code: code('PUSH 0 PUSH 0 REVERT') } },
        calls: [send, show],
      },
      {
        calls: [
          { ...send, to: failing },
          send,
          show,
          { ...show, data: padded(failing) },
          { ...show, data: padded(alice) },
        ],
      },
    ]);
    const tinybar = 10n ** 8n;
    expect(answers(blocks)).toEqual([
      '0x',
      word(tinybar),
      '0x',
      '0x',
      word(2n * tinybar),
      word(0n),
      word(98n * tinybar),
    ]);
    expect(blocks[1].calls[0]).toMatchObject({
      status: '0x0',
      error: { code: 3, message: 'execution reverted' },
      logs: [],
    });
  });
});

describe('a block', () => {
  it('follows the one before: numbers, times, hashes', async () => {
    const base = await rpc.ask('eth_getBlockByNumber', 'latest', false);
    const blocks = await simulate([
      {},
      { blockOverrides: { number: hex(newest + 5n), time: hex(BigInt(base.timestamp) + 100n) } },
      {},
    ]);
    expect(blocks.map(({ number }) => BigInt(number) - newest)).toEqual([1n, 2n, 3n, 4n, 5n, 6n]);
    expect(blocks.map(({ timestamp }) => Number(timestamp) - Number(base.timestamp))).toEqual([2, 4, 6, 8, 100, 102]);
    expect(blocks.map(({ parentHash }) => parentHash)).toEqual([
      base.hash,
      ...blocks.slice(0, -1).map(({ hash }) => hash),
    ]);
    expect(new Set(blocks.map(({ hash }) => hash)).size).toBe(6);
    for (const one of blocks)
      expect(one).toMatchObject({
        gasLimit: base.gasLimit,
        baseFeePerGas: '0x0',
        gasUsed: '0x0',
        calls: [],
        transactions: [],
      });
  });

  it('is seen by its calls as it is shown', async () => {
    const opcodes = ['NUMBER', 'TIMESTAMP', 'PREVRANDAO', 'COINBASE', 'BASEFEE', 'BLOBBASEFEE', 'GASLIMIT'];
    const stateOverrides = Object.fromEntries(opcodes.map((name, place) => [at(`1${place}`), { code: telling(name) }]));
    const calls = opcodes.map((_, place) => ({ from: alice, to: at(`1${place}`), gas: '0x186a0' }));
    const time = 2_000_000_000n;
    const overrides = {
      ...{ number: hex(newest + 3n), time: hex(time), prevRandao: word(0x1234n), feeRecipient: carol },
      ...{ baseFeePerGas: hex(50n * 10n ** 10n), blobBaseFee: '0x9', gasLimit: '0x989680', withdrawals: [] },
    };
    const blocks = await simulate([{ blockOverrides: overrides, stateOverrides, calls }, { calls }]);
    const [seen, after] = blocks.slice(2);
    expect(answers([seen])).toEqual([newest + 3n, time, 0x1234n, BigInt(carol), 50n, 9n, 10_000_000n].map(word));
    expect(seen).toMatchObject({
      ...{ number: hex(newest + 3n), timestamp: hex(time), mixHash: word(0x1234n), miner: carol },
      ...{ baseFeePerGas: hex(50n * 10n ** 10n), gasLimit: '0x989680' },
    });
    // Without overrides: no base fee, no randomness, and of gas what the network shows.
    expect(answers([after])).toEqual([newest + 4n, time + 2n, 0n, 98n, 0n, 1n, 100_000n].map(word));
  });

  it('knows the hashes of those before it, simulated or not', async () => {
    const data = (number: bigint) => word(number);
    const ofNumber = code('PUSH 0 CALLDATALOAD BLOCKHASH PUSH 0 MSTORE PUSH 32 PUSH 0 RETURN');
    const ask = (number: bigint) => ({ to: teller, data: data(number) });
    const blocks = await simulate([
      { stateOverrides: { [teller]: { code: ofNumber } }, calls: [ask(newest), ask(newest + 1n)] },
      { calls: [ask(newest + 1n), ask(newest), ask(newest - 3n), ask(newest + 2n)] },
    ]);
    expect(answers(blocks)).toEqual([
      ...[blockHash(newest), word(0n), blocks[0].hash, blockHash(newest), blockHash(newest - 3n), word(0n)],
    ]);
  });

  it('and its transactions have the hashes that Ethereum makes of them', async () => {
    const accessList = [{ address: carol, storageKeys: [word(5n)] }];
    const price = hex(10n ** 10n);
    const calls = [
      { from: alice, to: bob, value: hex(hbar), data: '0x0102' },
      { from: alice, to: bob, gasPrice: price, gas: '0x7530' },
      { from: alice, to: bob, gasPrice: price, accessList, gas: '0xea60' },
      { from: alice, to: counter, maxFeePerGas: price, maxPriorityFeePerGas: '0x1', gas: '0xea60', accessList },
    ];
    const [block] = await simulate([{ stateOverrides: { ...rich, [counter]: { code: counting } }, calls }], {
      returnFullTransactions: true,
    });
    expect(block.transactions.map(({ type }: Json) => type)).toEqual(['0x2', '0x0', '0x1', '0x2']);
    for (const one of block.transactions) expect([one.hash, hashOf(one)]).toEqual([one.hash, one.hash]);
    expect(block.transactions.map(({ gasPrice }: Json) => gasPrice)).toEqual(['0x0', price, price, '0x1']);
    expect(hashOfBlock(block)).toBe(block.hash);
    expect(block.calls.every(({ status }: Json) => status === '0x1')).toBe(true);
    const [named] = await simulate([{ stateOverrides: { ...rich, [counter]: { code: counting } }, calls }]);
    expect(named.transactions).toEqual(block.transactions.map(({ hash }: Json) => hash));
  });
});

const list = (entries: Json[] | undefined): RlpStructuredDataish =>
  (entries ?? []).map((one) => [one.address, one.storageKeys]);
const number = (of: string): string => (BigInt(of) === 0n ? '0x' : toBeHex(BigInt(of)));

function hashOf(one: Json): string {
  const to = one.to ?? '0x';
  const sent = [number(one.gas), to, number(one.value), one.input];
  if (one.type === '0x0')
    return keccak256(encodeRlp([number(one.nonce), number(one.gasPrice), ...sent, '0x', '0x', '0x']));
  const fees =
    one.type === '0x1' ? [number(one.gasPrice)] : [number(one.maxPriorityFeePerGas), number(one.maxFeePerGas)];
  const items = [number(one.chainId), number(one.nonce), ...fees, ...sent, list(one.accessList), '0x', '0x', '0x'];
  return keccak256(`${toBeHex(BigInt(one.type))}${encodeRlp(items).slice(2)}`);
}

function hashOfBlock(one: Json): string {
  return keccak256(
    encodeRlp([
      ...[
        one.parentHash,
        one.sha3Uncles,
        one.miner,
        one.stateRoot,
        one.transactionsRoot,
        one.receiptsRoot,
        one.logsBloom,
      ],
      ...[number(one.difficulty), number(one.number), number(one.gasLimit), number(one.gasUsed), number(one.timestamp)],
      ...[one.extraData, one.mixHash, one.nonce, number(one.baseFeePerGas), one.withdrawalsRoot],
    ]),
  );
}

describe('logs', () => {
  const emitter = `0x${'ee'.repeat(20)}`;
  const moved = (from: string, to: string, value = hbar) => ({
    ...{ address: emitter, topics: [transfer, padded(from), padded(to)], data: word(value), removed: false },
  });
  const logging = code(
    'PUSH 7 PUSH 0 MSTORE PUSH 9 PUSH 32 PUSH 0 LOG1 PUSH 0 PUSH 0 PUSH 0 PUSH 0 CALLVALUE PUSH 0 CALLDATALOAD GAS CALL STOP',
  );
  const stateOverrides = {
    ...rich,
    [forwarder]: { code: sending },
    [teller]: { code: logging },
    [failing]: { code: code('PUSH 0 PUSH 0 REVERT') },
  };
  const value = hex(hbar);
  const calls = [
    { from: alice, to: bob, value },
    { from: alice, to: forwarder, value, data: padded(carol) },
    { from: alice, to: forwarder, value, data: padded(failing) },
    { from: alice, to: teller, value, data: padded(failing) },
    { from: alice, to: teller, value, data: padded(carol) },
  ];

  it('say what hbar moves, in order, where that is asked for', async () => {
    const [block] = await simulate([{ stateOverrides, calls }], { traceTransfers: true });
    const told = { address: teller, topics: [word(9n)], data: word(7n) };
    const found = block.calls.map(({ logs }: Json) => logs);
    expect(found[0]).toMatchObject([moved(alice, bob)]);
    expect(found[1]).toMatchObject([moved(alice, forwarder), moved(forwarder, carol)]);
    expect(found[2]).toEqual([]);
    // The inner call was undone.
    expect(found[3]).toMatchObject([moved(alice, teller), told]);
    expect(found[4]).toMatchObject([moved(alice, teller), told, moved(teller, carol)]);
    const all = found.flat();
    expect(all.map(({ logIndex }: Json) => Number(logIndex))).toEqual(all.map((_: Json, place: number) => place));
    for (const [place, logs] of found.entries())
      for (const log of logs)
        expect(log).toMatchObject({
          ...{ blockHash: block.hash, blockNumber: block.number, blockTimestamp: block.timestamp },
          ...{ transactionIndex: hex(place), transactionHash: block.transactions[place] },
        });
  });

  it('of contracts alone are in the bloom and in the receipts', async () => {
    const [plain] = await simulate([{ stateOverrides, calls }]);
    const [traced] = await simulate([{ stateOverrides, calls }], { traceTransfers: true });
    expect(plain.calls.map(({ logs }: Json) => logs.length)).toEqual([0, 0, 0, 1, 1]);
    expect([plain.logsBloom, plain.receiptsRoot, plain.hash]).toEqual([
      traced.logsBloom,
      traced.receiptsRoot,
      traced.hash,
    ]);
    expect(BigInt(plain.logsBloom)).toBeGreaterThan(0n);
  });

  it('say what a contract leaves behind when it is destroyed', async () => {
    const destroyed = { [counter]: { code: code('PUSH 0 CALLDATALOAD SELFDESTRUCT'), balance: hex(2n * hbar) } };
    const heir = address('a');
    const [block] = await simulate(
      [{ stateOverrides: destroyed, calls: [{ from: alice, to: counter, data: padded(heir) }] }],
      { traceTransfers: true },
    );
    expect(block.calls[0].logs).toMatchObject([moved(counter, heir, 2n * hbar)]);
  });
});

describe('a call that fails', () => {
  it('has its error, and the others go on', async () => {
    const reason = code(
      `PUSH 0x${'08c379a0'.padEnd(64, '0')} PUSH 0 MSTORE PUSH 32 PUSH 4 MSTORE PUSH 2 PUSH 36 MSTORE PUSH 0x${'6e6f'.padEnd(64, '0')} PUSH 68 MSTORE PUSH 100 PUSH 0 REVERT`,
    );
    const calls = [failing, teller, counter, longZero(2002n)].map((to) => ({ from: alice, to }));
    const [block] = await simulate([
      {
        stateOverrides: {
          [failing]: { code: reason },
          [teller]: { code: code('INVALID') },
          [counter]: { code: counting },
        },
        calls,
      },
    ]);
    const [reverted, halted, counted, deleted] = block.calls;
    expect(reverted).toMatchObject({ status: '0x0', error: { code: 3, message: 'execution reverted: no' }, logs: [] });
    expect(reverted.error.data).toBe(reverted.returnData);
    expect(halted).toMatchObject({ status: '0x0', returnData: '0x', error: { code: -32015 } });
    expect(halted.error.message).toBe('vm execution error: CONTRACT_EXECUTION_EXCEPTION');
    expect(counted).toMatchObject({ status: '0x1', returnData: word(1n) });
    expect(counted).not.toHaveProperty('error');
    expect(deleted).toMatchObject({
      status: '0x0',
      error: { code: -32015, message: 'vm execution error: INVALID_CONTRACT_ID' },
    });
    expect(BigInt(block.gasUsed)).toBe(block.calls.reduce((sum: bigint, one: Json) => sum + BigInt(one.gasUsed), 0n));
  });

  it('says that its gas was cut', async () => {
    const loop = code(':a JUMPDEST PUSH @a JUMP');
    const [block] = await simulate([
      { stateOverrides: { [teller]: { code: loop } }, calls: [{ to: teller, gas: hex(100_000_000) }] },
    ]);
    expect(block.calls[0].error).toEqual({
      code: -32015,
      message: 'vm execution error: INSUFFICIENT_GAS (its gas was cut to what one request may use)',
    });
    expect(Number(block.calls[0].gasUsed)).toBe(15_000_000);
  });
});

describe('precompiles', () => {
  const [identity, sha, moved] = [longZero(4n), longZero(2n), at('99')];
  const call = (to: string) => ({ from: alice, to, data: '0xabcdef' });
  const one = { code: telling('CALLER') };

  it('are somewhere else where a block moves them, in that block alone', async () => {
    const blocks = await simulate([
      {
        stateOverrides: { [identity]: { movePrecompileToAddress: moved, ...one } },
        calls: [call(moved), call(identity)],
      },
      { stateOverrides: { [sha]: one }, calls: [call(moved), call(sha), call(identity)] },
    ]);
    expect(answers(blocks)).toEqual(['0xabcdef', padded(alice), '0x', padded(alice), '0xabcdef']);
  });

  it('are not moved to themselves, twice to one place, or to an account that is overridden', async () => {
    const move = (from: string, to: string, more: object = {}) => [
      { stateOverrides: { [from]: { movePrecompileToAddress: to }, ...more } },
    ];
    expect(await refuse(move(identity, identity))).toMatchObject({ code: -38022 });
    expect(await refuse(move(identity, moved, { [sha]: { movePrecompileToAddress: moved } }))).toMatchObject({
      code: -38023,
    });
    expect(await refuse(move(identity, moved, { [moved]: one }))).toMatchObject({ code: -32000 });
    expect(await refuse(move(bob, moved))).toMatchObject({
      code: -32000,
      message: expect.stringContaining('is not a precompile'),
    });
    expect(await refuse(move(identity, '0x12'))).toMatchObject({ code: -32602 });
  });
});

describe('with validation', () => {
  const price = 60n * 10n ** 10n;
  const paid = { maxFeePerGas: hex(2n * price), maxPriorityFeePerGas: '0x0', gas: '0x5208', nonce: '0x0' };
  const send = { from: alice, to: bob, ...paid };
  const strict = { validation: true };

  it('the sender pays for gas at the price of the network, and for nothing else', async () => {
    const balance = code('PUSH 0 CALLDATALOAD BALANCE PUSH 0 MSTORE PUSH 32 PUSH 0 RETURN');
    const look = { ...send, to: teller, data: padded(alice), nonce: '0x1', gas: '0xea60' };
    const [block] = await simulate(
      [{ stateOverrides: { ...rich, [teller]: { code: balance } }, calls: [send, look] }],
      { ...strict, returnFullTransactions: true },
    );
    const now = BigInt(await rpc.ask('eth_gasPrice'));
    expect(block.baseFeePerGas).toBe(hex(now));
    expect(block.transactions.map(({ gasPrice }: Json) => gasPrice)).toEqual([hex(now), hex(now)]);
    // While a call runs its sender has not what its gas may cost.
    const left = 100n * 10n ** 8n - ((21_000n + 60_000n) * now) / 10n ** 10n;
    expect(answers([block])[1]).toBe(word(left));
    expect(block.calls.map(({ status }: Json) => status)).toEqual(['0x1', '0x1']);
    const [free] = await simulate([{ calls: [{ from: alice, to: bob }] }]);
    expect(free).toMatchObject({ baseFeePerGas: '0x0', calls: [{ status: '0x1' }] });
  });

  it.each<[code: number, calls: object[], more?: object]>([
    [-38010, [send, { ...send, nonce: '0x0' }], strict],
    [-38011, [{ ...send, nonce: '0x1' }], strict],
    [-38012, [{ ...send, maxFeePerGas: '0x1', maxPriorityFeePerGas: '0x0' }], strict],
    [-38012, [{ from: alice, to: bob }], strict],
    [-38013, [{ ...send, gas: '0x5207' }], strict],
    [-38013, [{ from: alice, to: bob, gas: '0x5207' }]],
    [-38014, [{ ...send, gas: hex(14_000_000), maxFeePerGas: hex(10n ** 15n) }], strict],
    [-38014, [{ from: bob, to: alice, value: '0x1' }]],
    [-38014, [{ from: alice, to: bob, value: hex(101n * hbar) }]],
    [-38015, [{ from: alice, to: bob, gas: hex(10n ** 12n) }]],
    [-38024, [{ from: longZero(3001n), to: bob }]],
    [-38025, [{ from: alice, data: `0x${'00'.repeat(49_153)}` }]],
    [-32602, [{ from: alice, to: bob, gasPrice: '0x1', maxFeePerGas: '0x1' }]],
    [-32602, [{ from: alice, to: bob, maxFeePerGas: '0x1', maxPriorityFeePerGas: '0x2' }]],
    [-32602, [{ from: alice, to: bob, type: '0x3' }]],
    [-32602, [{ from: alice, to: bob, nonce: '0xffffffffffffffff' }]],
  ])('%i of %j', async (expected, calls, more = {}) => {
    expect(await refuse([{ stateOverrides: rich, calls }], more)).toMatchObject({ status: 400, code: expected });
  });

  it.each<[code: number, blocks: unknown]>([
    [-38020, [{ blockOverrides: { number: hex(newest) } }]],
    [-38020, [{ blockOverrides: { number: hex(newest + 2n) } }, { blockOverrides: { number: hex(newest + 2n) } }]],
    [-38021, [{ blockOverrides: { time: '0x1' } }]],
    [-38021, [{ blockOverrides: { time: hex(2_000_000_000) } }, { blockOverrides: { time: hex(2_000_000_000) } }]],
    [-38026, [{ blockOverrides: { number: hex(newest + 257n) } }]],
    [-38026, Array.from({ length: 257 }, () => ({}))],
    [-32602, []],
    [-32602, {}],
    [-32602, [{ blockOverrides: { withdrawals: [{}] } }]],
    [-32602, [{ blockOverrides: { nonsense: '0x1' } }]],
    [-32602, [{ nonsense: [] }]],
    [-32602, [{ calls: [5] }]],
    [-32602, [{ stateOverrides: { [alice]: { state: {}, stateDiff: {} } } }]],
    [-32602, [{ stateOverrides: { [alice]: 5 } }]],
  ])('%i of blocks %j', async (expected, blocks) => {
    expect(await refuse(blocks)).toMatchObject({ status: 400, code: expected });
  });
});

describe('what is too much', () => {
  it('is refused with a sentence: calls, accounts, gas, bytes, time', async () => {
    const many = Array.from({ length: 1001 }, () => ({ to: bob }));
    expect(await refuse([{ calls: many }])).toMatchObject({
      code: -38026,
      message: expect.stringContaining('1001 calls, at most 1000'),
    });
    const accounts = Object.fromEntries(
      Array.from({ length: 100 }, (_, place) => [at(`${100 + place}`), { nonce: '0x1' }]),
    );
    expect(await refuse(Array.from({ length: 11 }, () => ({ stateOverrides: accounts })))).toMatchObject({
      code: -38026,
    });
    const loop = { [teller]: { code: code(':a JUMPDEST PUSH @a JUMP') } };
    // Each may take the gas of a call, all of them ten times as much.
    const burning = Array.from({ length: 12 }, () => ({ to: teller, gas: hex(15_000_000) }));
    const spread = burning.map((one) => ({ calls: [one] }));
    spread[0] = { ...spread[0]!, ...{ stateOverrides: loop } };
    expect(await refuse(spread)).toMatchObject({ code: -38026, message: expect.stringContaining('more gas') });
    const long = { [teller]: { code: code('PUSH 1000000 PUSH 0 RETURN') } };
    expect(
      await refuse([
        { stateOverrides: long, calls: Array.from({ length: 9 }, () => ({ to: teller, gas: hex(3_000_000) })) },
      ]),
    ).toMatchObject({
      ...{ code: -38026, message: expect.stringContaining('4 MB') },
    });
  });

  it('counts for one client as one call does', async () => {
    const limited = openRpc(
      stored.db,
      {},
      { limits: { requestsPerSecond: 100, gasPerSecond: 40_000_000, threads: 1 } },
    );
    try {
      const ask = () =>
        limited.post({
          jsonrpc: '2.0',
          id: 1,
          method: 'eth_simulateV1',
          params: [{ blockStateCalls: [{ calls: [{ to: bob }, { to: bob }] }] }],
        });
      // What was not used comes back: many small ones are answered.
      for (let turn = 0; turn < 5; turn++) expect((await ask()).body.result).toHaveLength(1);
      const loop = { [teller]: { code: code(':a JUMPDEST PUSH @a JUMP') } };
      const burn = { blockStateCalls: [{ stateOverrides: loop, calls: [{ to: teller }, { to: teller }] }] };
      const body = { jsonrpc: '2.0', id: 1, method: 'eth_simulateV1', params: [burn] };
      const both = await Promise.all([limited.post(body), limited.post(body)]);
      // Two calls of 15,000,000 each: a second has 40,000,000.
      expect(both.map(({ status }) => status).sort()).toEqual([200, 429]);
      expect(both.find(({ status }) => status === 429)!.body.error.code).toBe(-32020);
    } finally {
      await limited.close();
    }
  });

  it('ends at the limit of time, and of what is read', async () => {
    const limited = openRpc(stored.db, {}, { limits: { timeMs: 300 } });
    try {
      const loop = { [teller]: { code: code(':a JUMPDEST PUSH @a JUMP') } };
      const burning = Array.from({ length: 10 }, () => ({ to: teller }));
      expect(
        await limited.refusal('eth_simulateV1', { blockStateCalls: [{ stateOverrides: loop, calls: burning }] }),
      ).toMatchObject({
        ...{ code: -32000, message: expect.stringContaining('longer than') },
      });
    } finally {
      await limited.close();
    }
    // Each slot of a contract of the ledger is a value that is read.
    const reading = code(
      'PUSH 6800 :a JUMPDEST DUP1 PUSH 0 CALLDATALOAD ADD SLOAD POP PUSH 1 SWAP1 SUB DUP1 PUSH @a JUMPI STOP',
    );
    const stateOverrides = { [address('c')]: { code: reading } };
    const calls = [1n, 2n, 3n].map((one) => ({ to: address('c'), data: word(one * 100_000n) }));
    expect(await refuse([{ stateOverrides, calls }])).toMatchObject({
      code: -32000,
      message: expect.stringContaining('reads more than'),
    });
    expect(answers(await simulate([{ stateOverrides, calls: calls.slice(0, 2) }]))).toEqual(['0x', '0x']);
  });
});

describe('clients read it:', () => {
  it('viem, with what changed', async () => {
    const client = createPublicClient({ transport: http(served.rpcUrl) });
    const abi = parseAbi(['function count() returns (uint256)']);
    const stateOverrides = [
      { address: counter as Hex, code: counting as Hex },
      { address: alice as Hex, balance: 100n * hbar },
    ];
    const call = { to: counter as Hex, abi, functionName: 'count' } as const;
    const blocks = await client.simulateBlocks({
      blocks: [{ calls: [call, call], stateOverrides }, { calls: [call] }],
    });
    expect(blocks.map(({ calls }) => calls.map(({ status, result }) => [status, result]))).toEqual([
      [
        ['success', 1n],
        ['success', 2n],
      ],
      [['success', 3n]],
    ]);
    expect(blocks.map(({ number: of }) => of)).toEqual([newest + 1n, newest + 2n]);
    const { results, assetChanges } = await client.simulateCalls({
      account: alice as Hex,
      calls: [{ to: bob as Hex, value: hbar }, call, { to: failing as Hex }],
      stateOverrides: [...stateOverrides, { address: failing as Hex, code: code('PUSH 0 PUSH 0 REVERT') as Hex }],
      traceAssetChanges: true,
    });
    expect(results.map(({ status }) => status)).toEqual(['success', 'success', 'failure']);
    // Contracts see tinybar.
    expect(assetChanges[0]!.value).toMatchObject({ diff: -(10n ** 8n) });
  });

  it('ethers', async () => {
    const provider = new JsonRpcProvider(served.rpcUrl, Network.from(298), { staticNetwork: true });
    try {
      const params = [
        {
          blockStateCalls: [{ stateOverrides: rich, calls: [{ from: alice, to: bob, value: hex(hbar) }] }],
          returnFullTransactions: true,
        },
        'latest',
      ];
      const [block] = await provider.send('eth_simulateV1', params);
      const read = provider._wrapBlock(block, Network.from(298));
      expect([
        read.number,
        read.hash,
        read.prefetchedTransactions.map(({ hash, from, value }) => [hash, from.toLowerCase(), value]),
      ]).toEqual([...[Number(newest) + 1, block.hash, [[block.transactions[0].hash, alice, hbar]]]]);
    } finally {
      provider.destroy();
    }
  });
});
