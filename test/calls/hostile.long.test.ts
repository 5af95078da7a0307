// Code that wants more than a call may have: every limit is an answer, no thread is lost, and other questions are
// answered as before.
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { usualRealm } from '../../packages/protocol/hapi/system-entity.ts';
import { assemble } from '../../packages/test-support/evm/assemble.ts';
import { openServer, unlimited } from '../../packages/test-support/http/open-server.ts';
import { type StoredRows, storeRows } from '../../packages/test-support/rows/store-rows.ts';
import { type CallLimits, usualLimits } from '../../src/calls/call-limits.ts';
import { type Calls, createCalls } from '../../src/calls/create-calls.ts';
import { encode, selectorOf, typesOf } from './abi.ts';
import { compileContracts, hostileRows } from './world.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

let rows: StoredRows;
const opened: Tested[] = [];
beforeAll(async () => {
  rows = await storeRows(hostileRows(await compileContracts()));
});
afterAll(() => rows?.close());
afterEach(async () => {
  for (const { app, calls } of opened.splice(0)) {
    await app.close();
    await calls.close();
  }
});

type Tested = { calls: Calls; app: ReturnType<typeof openServer>; lost: Error[]; logged: string[] };

/** More gas than any machine uses up within the other limits. */
const endless = 10 ** 13;

function open(given: Partial<CallLimits>): Tested {
  const lost: Error[] = [];
  const logged: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line) => void logged.push(line) });
  const limits = { ...usualLimits, ...unlimited, threads: 2, ...given };
  const onLost = (error: Error): void => {
    lost.push(error);
  };
  const calls = createCalls({ db: rows.db, system: usualRealm, network: { chainId: 298n }, limits, onLost });
  const app = openServer(rows.db, 'spec', { calls, log, settings: { maxCallGas: endless, callLimits: limits } });
  opened.push({ calls, app, lost, logged });
  return opened.at(-1)!;
}

async function post({ app }: Tested, body: object) {
  const headers = { 'content-type': 'application/json' };
  const request = { method: 'POST', url: '/api/v1/contracts/call', headers, payload: JSON.stringify(body) } as const;
  const { statusCode, body: text } = await app.inject(request);
  const { result, _status } = JSON.parse(text) as { result?: string; _status?: { messages: Record<string, string>[] } };
  return { status: statusCode, result, said: _status?.messages[0] };
}

/** Of the contract Hostile. */
function ask(tested: Tested, fn: string, args: unknown[] = [], gas = 15_000_000) {
  const types = typesOf(fn.slice(fn.indexOf('(') + 1, -1));
  const data = `0x${selectorOf(fn)}${encode(types, args)}`;
  return post(tested, { to: `0x${'3e9'.padStart(40, '0')}`, data, gas });
}

/** Of code that is run as that of a creation; what it returns is the result. */
const run = (tested: Tested, code: string, gas: number) =>
  post(tested, { data: `0x${Buffer.from(assemble(code)).toString('hex')}`, gas });

const badRequest = (detail: string) => ({ status: 400, said: { message: 'Bad Request', detail, data: '' } });
const outOfGas = { status: 400, said: { message: 'INSUFFICIENT_GAS', detail: '', data: '0x' } };
const timeIsUp = badRequest('The call takes longer than 0.5 seconds');
const memoryIsFull = badRequest('The call needs more than 64 MiB of memory');
const readsAreMany = badRequest('The call reads more than 2000 values of the ledger');
const returned = (number: number) => ({ status: 200, result: `0x${number.toString(16).padStart(64, '0')}` });

describe('every limit', () => {
  it('of gas', async () => {
    const tested = open({});
    expect(await ask(tested, 'loop()')).toMatchObject(outOfGas);
    expect(await ask(tested, 'grow()')).toMatchObject(outOfGas);
    expect(tested.lost).toEqual([]);
  });

  it('of time', async () => {
    const tested = open({ timeMs: 500, steps: Number.MAX_SAFE_INTEGER });
    expect(await ask(tested, 'loop()', [], endless)).toMatchObject(timeIsUp);
  });

  it('of steps', async () => {
    const tested = open({ steps: 1_000_000, timeMs: 60_000 });
    const text = 'The call takes more steps than any gas limit pays for';
    expect(await ask(tested, 'loop()', [], endless)).toMatchObject(badRequest(text));
  });

  it('of reads: 10,000', async () => {
    const tested = open({});
    const most = await ask(tested, 'coldSlots(uint256)', ['9990'], 100_000_000);
    expect(most).toMatchObject(returned(0));
    const text = 'The call reads more than 10000 values of the ledger';
    expect(await ask(tested, 'coldSlots(uint256)', ['10000'], 100_000_000)).toMatchObject(badRequest(text));
    expect(await ask(tested, 'coldSlots(uint256)', ['1000000'], endless)).toMatchObject(badRequest(text));
    expect(await ask(tested, 'coldSlots(uint256)', ['9990'], 100_000_000)).toEqual(most);
  });

  it('of depth: 1,024 calls below the first', async () => {
    // Each call keeps a 64th of the gas.
    expect(await ask(open({}), 'deep(uint256)', ['2000'], endless)).toMatchObject(returned(1024));
  });

  it('but none of what is returned, within memory', async () => {
    const { status, result } = await ask(open({}), 'returnMuch(uint256)', ['10000000'], 900_000_000);
    expect({ status, length: result?.length }).toEqual({ status: 200, length: 2 + 2 * 10_000_000 });
  });
});

const push = (words: readonly bigint[]) => words.map((word, at) => `PUSH ${word} PUSH ${32 * at} MSTORE`).join(' ');
/** Calls a precompile with the beginning of memory, and returns whether it did its work. */
const ofPrecompile = (address: number, length: number) =>
  `PUSH 0 PUSH 0 PUSH ${length} PUSH 0 PUSH ${address} GAS STATICCALL PUSH 0 MSTORE PUSH 32 PUSH 0 RETURN`;
/** What is in memory once, 2^times times. */
const doubled = (length: number, times: number) =>
  Array.from({ length: times }, (_, at) => `PUSH ${length * 2 ** at} PUSH 0 PUSH ${length * 2 ** at} MCOPY`).join(' ');
const wordsOf = (hex: string) => hex.match(/.{64}/g)!.map((digits) => BigInt(`0x${digits}`));
const padded = (coordinates: readonly string[]) => coordinates.map((digits) => digits.padStart(128, '0')).join('');

const g1 = padded([
  '17f1d3a73197d7942695638c4fa9ac0fc3688c4f9774b905a14e3a3f171bac586c55e83ff97a1aeffb3af00adb22c6bb',
  '08b3f481e3aaa0f1a09e30ed741d8ae4fcf5e095d5d00af600db18cb2c04b3edd03cc744a2888ae40caa232946c5e7e1',
]);
const g2 = padded([
  '024aa2b2f08f0a91260805272dc51051c6e47ad4fa403b02b4510b647ae3d1770bac0326a805bbefd48056c8c121bdb8',
  '13e02b6052719f607dacd3a088274f65596bd0d09920b61ab5da61bbdc7f5049334cf11213945d57e5ac7d055d042b7e',
  '0ce5d527727d6e118cc9cdc6da2e351aadfd9baa8cbdd3a76d429a695160d12c923ac9cc3baca289e193548608b82801',
  '0606c4a02ea734cc32acd2b02bc28b99cb3e287e85a763af267492ab572e99ab3f370d275cec1da1aaa9075ff05f79be',
]);
const scalar = 'f'.repeat(64);
/** Of BN254: generators, the imaginary part first. */
const bn254Pair = [
  1n,
  2n,
  11559732032986387107991004021392285783925812861821192530917403151452391805634n,
  10857046999023057135944570762232829481370756359578518086990519993285655852781n,
  4082367875863433681332203403145435568316851327593401208105741076214120093531n,
  8495653923123431417604973247489272438418190587263600148770280649306958101930n,
];

const most = 2n ** 256n - 1n;
const blake2 = (rounds: number) => push([(BigInt(rounds) << 224n) | 1n, 0n, 0n, 0n, 0n, 0n, 0n]);
const itself = 'CODESIZE PUSH 0 PUSH 0 CODECOPY CODESIZE PUSH 0 PUSH 0 CREATE POP';
/** Init code that returns 24,576 zeros. */
const ofCode = `${push([0x6160005ff3n << 216n])}`;
const forever = (code: string) => `:again JUMPDEST ${code} PUSH @again JUMP`;

describe('bombs', () => {
  const slow: [name: string, code: string, gas: number, answer: object][] = [
    ['modexp of numbers without end', `${push([most, most, most])} ${ofPrecompile(5, 96)}`, 15_000_000, returned(0)],
    ['modexp of a base without end', `${push([most, 0n, 1n])} ${ofPrecompile(5, 96)}`, 15_000_000, returned(0)],
    ['modexp of an exponent without end', `${push([0n, most, 1n])} ${ofPrecompile(5, 96)}`, endless, returned(0)],
    [
      'modexp of numbers of 400 KB',
      `${push([400_000n, 1n, 400_000n])} PUSH ${most} PUSH 96 MSTORE PUSH ${most} PUSH 400096 MSTORE PUSH ${most} PUSH 800065 MSTORE ${ofPrecompile(5, 800_097)}`,
      10 ** 10,
      timeIsUp,
    ],
    [
      'BLAKE2 with 2^32 rounds, which gas does not pay for',
      `${blake2(2 ** 32 - 1)} ${ofPrecompile(9, 213)}`,
      10 ** 9,
      returned(0),
    ],
    ['BLAKE2 with 2^32 rounds', `${blake2(2 ** 32 - 1)} ${ofPrecompile(9, 213)}`, 10 ** 10, timeIsUp],
    [
      '8,192 pairs of BLS12-381',
      `${push(wordsOf(g1 + g2))} ${doubled(384, 13)} ${ofPrecompile(0x0f, 384 * 8192)}`,
      10 ** 9,
      timeIsUp,
    ],
    [
      '8,192 products of G1',
      `${push(wordsOf(g1 + scalar))} ${doubled(160, 13)} ${ofPrecompile(0x0c, 160 * 8192)}`,
      10 ** 9,
      timeIsUp,
    ],
    [
      '8,192 products of G2',
      `${push(wordsOf(g2 + scalar))} ${doubled(288, 13)} ${ofPrecompile(0x0e, 288 * 8192)}`,
      10 ** 9,
      timeIsUp,
    ],
    [
      '8,192 pairs of BN254',
      `${push(bn254Pair)} ${doubled(192, 13)} ${ofPrecompile(8, 192 * 8192)}`,
      10 ** 9,
      timeIsUp,
    ],
    ['hashes of 8 MB', forever(`PUSH ${8 * 2 ** 20} PUSH 0 KECCAK256 POP`), 10 ** 9, timeIsUp],
    [
      'calls with 8 MB',
      forever(`PUSH 0 PUSH 0 PUSH ${8 * 2 ** 20} PUSH 0 PUSH 0 PUSH ${2n ** 150n} GAS CALL POP`),
      endless,
      timeIsUp,
    ],
  ];
  const bounded: typeof slow = [
    ['memory', forever('MSIZE MSIZE MSTORE'), endless, memoryIsFull],
    ['logs of 4 KB', forever('PUSH 4096 PUSH 0 LOG0'), endless, memoryIsFull],
    ['logs without data', forever('PUSH 0 PUSH 0 LOG0'), 10 ** 9, memoryIsFull],
    ['transient slots', forever('PUSH 1 GAS TSTORE'), endless, memoryIsFull],
    ['one slot, again and again', forever('GAS PUSH 1 SSTORE'), endless, memoryIsFull],
    ['creations that create', forever(itself), 15_000_000, outOfGas],
    ['creations that create, with more gas', forever(itself), endless, readsAreMany],
    ['creations of 48 KB', forever('PUSH 49152 PUSH 0 PUSH 0 CREATE POP'), endless, readsAreMany],
    ['creations of 24 KB of code', forever(`${ofCode} PUSH 5 PUSH 0 PUSH 0 CREATE POP`), 10 ** 9, outOfGas],
  ];
  it.each([
    ['which time ends', slow, 500],
    ['which other limits end', bounded, 60_000],
  ])('%s, lose no thread, and change no later answer', async (_, cases, timeMs) => {
    const tested = open({ timeMs, memory: 64 * 2 ** 20, reads: 2000, steps: Number.MAX_SAFE_INTEGER });
    const before = await ask(tested, 'coldSlots(uint256)', ['10']);
    expect(before).toMatchObject(returned(0));
    for (const [name, code, gas, answer] of cases) {
      expect(await run(tested, code, gas), name).toMatchObject(answer);
      expect(await ask(tested, 'coldSlots(uint256)', ['10']), `after ${name}`).toEqual(before);
    }
    expect(tested.lost).toEqual([]);
    expect(tested.calls.counts()).toMatchObject({ busy: 0, waiting: 0, lost: 0 });
  });
});

describe('others', () => {
  it('are answered while hostile calls run, and all that wait', async () => {
    const tested = open({ timeMs: 500, steps: Number.MAX_SAFE_INTEGER });
    const hostile = Array.from({ length: 4 }, () => ask(tested, 'loop()', [], endless));
    const others = Array.from({ length: 4 }, () => ask(tested, 'coldSlots(uint256)', ['3']));
    for (const answer of await Promise.all(hostile)) expect(answer).toMatchObject(timeIsUp);
    for (const answer of await Promise.all(others)) expect(answer).toMatchObject(returned(0));
    expect(tested.lost).toEqual([]);
  });

  const byStatus = (one: { status: number }, other: { status: number }) => one.status - other.status;
  const overloaded = {
    status: 503,
    said: { message: 'Service Unavailable', detail: 'More requests than can be answered. Try again in a second.' },
  };

  it('are refused when too many wait', async () => {
    const tested = open({ timeMs: 500, steps: Number.MAX_SAFE_INTEGER, threads: 1, waiting: 1 });
    const answers = await Promise.all(Array.from({ length: 3 }, () => ask(tested, 'loop()', [], endless)));
    expect(answers.sort(byStatus)).toMatchObject([timeIsUp, timeIsUp, overloaded]);
  });

  it('are refused when they have waited too long', async () => {
    const tested = open({ timeMs: 500, steps: Number.MAX_SAFE_INTEGER, threads: 1, waitMs: 50 });
    // A thread that starts is waited for no longer, and kept.
    const isAnswered = async () => (await ask(tested, 'coldSlots(uint256)', ['300'])).status === 200;
    await vi.waitUntil(isAnswered, { timeout: 30_000 });
    const answers = await Promise.all(Array.from({ length: 2 }, () => ask(tested, 'loop()', [], endless)));
    expect(answers.sort(byStatus)).toMatchObject([timeIsUp, overloaded]);
    expect(tested.calls.counts()).toMatchObject({ busy: 0, waiting: 0 });
  });

  it('go on when a thread is lost, which is replaced', async () => {
    const tested = open({ heapMb: 48, memory: 2 ** 40, steps: Number.MAX_SAFE_INTEGER, timeMs: 60_000 });
    // As many slots that no call of them runs where it comes in.
    const before = await ask(tested, 'coldSlots(uint256)', ['300']);
    const fatal = run(tested, forever('PUSH 1 GAS TSTORE'), endless);
    const others = Promise.all(Array.from({ length: 20 }, () => ask(tested, 'coldSlots(uint256)', ['300'])));
    expect(await fatal).toMatchObject({
      status: 500,
      said: {
        message: 'Internal Server Error',
        detail: 'The thread that ran the call was lost, and is replaced',
        data: '',
      },
    });
    for (const answer of await others) expect(answer).toEqual(before);
    // Who owns the threads logs the loss; the request is no second line.
    expect(tested.logged).toEqual([]);
    expect(tested.lost).toMatchObject([{ code: 'ERR_WORKER_OUT_OF_MEMORY' }]);
    expect(tested.calls.counts()).toMatchObject({ busy: 0, waiting: 0, lost: 1 });
    const after = await Promise.all(Array.from({ length: 4 }, () => ask(tested, 'coldSlots(uint256)', ['300'])));
    for (const answer of after) expect(answer).toEqual(before);
    expect(tested.calls.counts()).toMatchObject({ threads: 2, lost: 1 });
  });
});
