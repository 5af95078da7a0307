// The adapters of run-outside-suites.ts, with cases of our own in the forms of those suites.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { encodeRlp, keccak256, SigningKey, toBeHex, Wallet } from 'ethers';
import { afterAll, describe, expect, it } from 'vitest';
import { runGethSuite } from './geth-suite.ts';
import { intendedOfGeth, intendedOfSolidity, intendedOfStateTests } from './intended-differences.ts';
import { runSoliditySuite } from './solidity-suite.ts';
import { readSolidityTest } from './solidity-test-file.ts';
import { stateRoot } from './state-root.ts';
import { runStateSuite } from './state-suite.ts';
import type { TestAccount } from './state-test-file.ts';
import { count, createTally } from './tally.ts';

const folder = mkdtempSync(join(tmpdir(), 'outside-'));
afterAll(() => rmSync(folder, { recursive: true }));

function write(path: string, text: string): void {
  const whole = join(folder, path);
  mkdirSync(dirname(whole), { recursive: true });
  writeFileSync(whole, text);
}

const wallet = new Wallet(`0x${'11'.repeat(32)}`);
const contract = '0xc0de000000000000000000000000000000000001';
const coinbase = '0xc01bba5e00000000000000000000000000000001';
/** Slot 0 = the word of the call data, slot 1 = 0, LOG1 without data whose topic is 7. */
const code = '0x5f355f555f60015560075f5fa100';
const env = {
  ...{ currentCoinbase: coinbase, currentGasLimit: '0x1c9c380', currentNumber: '0x0a', currentTimestamp: '0x03e8' },
  ...{ currentRandom: '0x00', currentDifficulty: '0x00', currentBaseFee: '0x07', currentExcessBlobGas: '0x00' },
};
const ether = 10n ** 18n;
const pre = {
  [wallet.address]: { balance: `0x${ether.toString(16)}`, nonce: '0x03', code: '0x', storage: {} },
  [contract]: { balance: '0x05', nonce: '0x01', code, storage: { '0x01': '0x09' } },
};
const data = `0x${'05'.padStart(64, '0')}`;
const transaction = {
  ...{ data: [data], gasLimit: ['0x0186a0', '0x5208'], value: ['0x02'], gasPrice: '0x0a', nonce: '0x03', to: contract },
  ...{ secretKey: wallet.privateKey },
};
const noLogs = '0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347';
/** As @ethereumjs/vm has them. */
const judged = {
  before: '0x95b22c6aa34a855035951e27f5919ebe2727452cd06362be481aed60465f8023',
  after: '0x0732f8430780182166b3a4cab7322feaaa39e658b71b5261753c1adaacd1d877',
  /** Before PUSH0. */
  halted: '0x5b40e6d1b5bd38ad626019c42c2904daa8da84075b6431fbd47b0af15208e959',
  logs: '0x02b2ef48f7bf877b0c8aad2d5f5d4b38c04a5381bf603f67099b36197d2a5d79',
};
const indexes = { data: 0, gas: 0, value: 0 };
const right = { hash: judged.after, logs: judged.logs, indexes };

const account = (balance: bigint, nonce: bigint, text = '0x', slots: [bigint, bigint][] = []): TestAccount => {
  return { balance, nonce, code: Uint8Array.from(Buffer.from(text.slice(2), 'hex')), storage: new Map(slots) };
};

type Post = Record<string, { hash: string; logs: string; indexes: typeof indexes; expectException?: string }[]>;
let written = 0;

function runState(post: Post, changed: object = {}, accounts: object = pre) {
  written += 1;
  const path = `state${written}`;
  write(
    join(path, 'own.json'),
    JSON.stringify({ own: { env, pre: accounts, transaction: { ...transaction, ...changed }, post } }),
  );
  return runStateSuite(join(folder, path));
}

describe('state tests', () => {
  it('pass where state and logs are those of @ethereumjs/vm, in every fork', () => {
    const halted = { hash: judged.halted, logs: noLogs, indexes };
    const post = { London: [halted], Merge: [halted], Shanghai: [right], Cancun: [right], Berlin: [right] };
    expect(runState(post)).toMatchObject({ passed: 4, failed: [], skipped: 1, aside: 0 });
  });

  it('fail where a root, a log or a refusal is another', () => {
    const wrong = [
      { ...right, hash: judged.before },
      { ...right, logs: noLogs },
      { ...right, expectException: 'TransactionException.NONCE_MISMATCH_TOO_LOW' },
      { hash: judged.before, logs: noLogs, indexes: { ...indexes, gas: 1 } },
    ];
    const { failed, passed } = runState({ Cancun: wrong });
    expect(passed).toBe(0);
    expect(failed.map(({ difference }) => difference)).toEqual([
      expect.stringMatching(/^another state \(SUCCESS , 44209 gas\)/),
      expect.stringMatching(/^other logs/),
      expect.stringMatching(/^it has to be refused: SUCCESS/),
      expect.stringMatching(/^it has to be run: INSUFFICIENT_GAS/),
    ]);
  });

  const refused: [name: string, changed: object, aside: number][] = [
    ['the gas does not cover what it costs at least', { gasLimit: ['0x5208'] }, 0],
    ['another nonce', { nonce: '0x02' }, 1],
    ['a fee below the base fee', { gasPrice: '0x06' }, 1],
    ['more gas than a block', { gasLimit: ['0x1c9c381'] }, 1],
    ['more than it has', { value: ['0x0de0b6b3a7640000'] }, 1],
    ['a number of 257 bits', { value: [`0x1${'0'.repeat(64)}`] }, 1],
    ['a tip above the fee', { gasPrice: undefined, maxFeePerGas: '0x0a', maxPriorityFeePerGas: '0x0b' }, 1],
    ['authorizations before their fork', { authorizationList: [] }, 1],
    ['no blob', { blobVersionedHashes: [], maxFeePerBlobGas: '0x01' }, 1],
  ];
  it.each(refused)('know a transaction that is refused: %s', (_, changed, aside) => {
    const post = { hash: judged.before, logs: noLogs, indexes, expectException: 'TransactionException' };
    expect(runState({ Cancun: [post] }, changed)).toMatchObject({ passed: 1, failed: [], aside });
  });

  // Intrinsic gas of 21,140, and what each opcode costs.
  const empty = '0xe00000000000000000000000000000000000000e';
  const push = `73${empty.slice(2)}`;
  it.each([
    ['that is called', `0x5f5f5f5f5f${push}5af100`, 21_140n + 10n + 3n + 2n + 2600n, true],
    ['to which nothing is left', `0x${push}ff`, 21_140n + 3n + 5000n + 2600n, true],
    ['that is called in a frame that fails', `0x5f5f5f5f5f${push}5af1fe`, 100_000n, false],
    ['that is read alone', `0x${push}3100`, 21_140n + 3n + 2600n, false],
  ])('delete an empty account %s as Ethereum does', (_, text, gas, isDeleted) => {
    const none = { balance: '0x00', nonce: '0x00', code: '0x', storage: {} };
    const accounts = {
      [wallet.address]: pre[wallet.address],
      [contract]: { ...none, nonce: '0x01', code: text },
      [empty]: none,
    };
    const after = new Map([
      [BigInt(wallet.address), account(ether - gas * 10n, 4n)],
      [BigInt(contract), account(0n, 1n, text)],
      [BigInt(coinbase), account(gas * 3n, 0n)],
    ]);
    if (!isDeleted) after.set(BigInt(empty), account(0n, 0n));
    const post = { hash: `0x${stateRoot(after)}`, logs: noLogs, indexes };
    expect(runState({ Cancun: [post] }, { value: ['0x00'] }, accounts)).toMatchObject({ passed: 1, failed: [] });
  });

  it('carry out authorizations', () => {
    const owner = new Wallet(`0x${'22'.repeat(32)}`);
    // 0x05 and the RLP list of chain 1, address and nonce 0.
    const signed = owner.signingKey.sign(keccak256(`0x05d70194${contract.slice(2)}80`));
    const { r, s, yParity } = signed;
    const one = { chainId: '0x01', address: contract, nonce: '0x00', yParity: `0x0${yParity}`, r, s };
    const fees = { gasPrice: undefined, maxFeePerGas: '0x14', maxPriorityFeePerGas: '0x02' };
    const changed = { ...fees, to: owner.address, authorizationList: [one], gasLimit: ['0x030d40'] };
    // Intrinsic gas with one authorization; PUSH0 and PUSH1, CALLDATALOAD, two slots that are cold and were 0, LOG1.
    const used = 21_000n + 31n * 4n + 16n + 25_000n + (5n * 2n + 3n * 2n + 3n + 22_100n + 2_200n + 750n);
    const after = new Map([
      [BigInt(wallet.address), account(ether - 2n - used * 9n, 4n)],
      [BigInt(owner.address), account(2n, 1n, `0xef0100${contract.slice(2)}`, [[0n, 5n]])],
      [BigInt(contract), account(5n, 1n, code, [[1n, 9n]])],
      [BigInt(coinbase), account(used * 2n, 0n)],
    ]);
    const logs = keccak256(encodeRlp([[owner.address, [toBeHex(7, 32)], '0x']]));
    const post = { hash: `0x${stateRoot(after)}`, logs, indexes };
    expect(runState({ Prague: [post] }, changed).failed).toEqual([]);
  });
});

describe('vectors of go-ethereum', () => {
  const hash = keccak256('0x01');
  const signature = new SigningKey(wallet.privateKey).sign(hash);
  const word = (value: bigint) => value.toString(16).padStart(64, '0');
  const Input = hash.slice(2) + word(BigInt(signature.v)) + signature.r.slice(2) + signature.s.slice(2);
  const Expected = word(BigInt(wallet.address));
  const good = { Name: 'own', Input, Expected, Gas: 3000 };

  it('pass, and fail where output or price is another', () => {
    const vectors = [good, { ...good, Gas: 3001 }, { ...good, Expected: word(1n) }];
    write('geth/precompiles/ecRecover.json', JSON.stringify(vectors));
    write('geth/precompiles/p256Verify.json', JSON.stringify([good]));
    const bad = { Name: 'own', Input: '00', ExpectedError: 'invalid input length' };
    write('geth/precompiles/fail-blsG1Add.json', JSON.stringify([bad]));
    const [X, Y] = [word(3n), word(20n)];
    const words = [
      { X, Y, Expected: word(17n) },
      { X, Y, Expected: word(16n) },
    ];
    write('geth/testcases_sub.json', JSON.stringify(words));
    const { passed, failed, skipped } = runGethSuite(join(folder, 'geth'));
    expect([passed, skipped]).toEqual([3, 1]);
    expect(failed.map(({ difference }) => difference)).toEqual([
      'it costs 3000, and has to cost 3001',
      `it gives ${Expected}`,
      `it gives ${word(17n)}`,
    ]);
  });
});

const source = `
library L { function twice(uint x) external pure returns (uint) { return 2 * x; } }
contract C {
    event Paid(address indexed by, uint value, string note);
    uint[] list;
    constructor(uint first) payable { list.push(first); }
    function pay() external payable { emit Paid(msg.sender, msg.value, "thanks"); }
    function sum(uint[] memory more) external view returns (uint total, bool any) {
        total = list[0];
        for (uint i = 0; i < more.length; i++) total += L.twice(more[i]);
        any = more.length > 0;
    }
    function fail() external pure { revert("no"); }
    function balance() external pure returns (uint) { return 77; }
    function negative() external pure returns (int8) { return -7; }
    fallback(bytes calldata data) external returns (bytes memory) { return data; }
}
`;
const calls = `
// library: L
// constructor(), 9 wei: 30 ->
// gas legacy: 12345
// balance -> 9
// balance() -> 77
// pay(), 1 ether ->
// ~ emit Paid(address,uint256,string): #0x1212121212121212121212121212120000000012, 0x0de0b6b3a7640000, 0x40, 0x06, "thanks"
// sum(uint256[]): 0x20, 2,
//     1, # the second: # 5 -> 42, true
// fail() -> FAILURE, hex"08c379a0", 0x20, 2, "no"
// negative() -> -7
// (): hex"0102" -> hex"0102"
// account: 1 -> right(0x1212121212121212121212121212120000001012)
// balance: 0x1212121212121212121212121212120000000012 -> 1267650600227229401496703205367
// storageEmpty -> 0
`;

describe('semantic tests of Solidity', () => {
  const solc = createRequire(import.meta.url)('solc') as { compile(input: string): string };
  const compiler = (input: string) => solc.compile(input);
  const run = (name: string, text: string) => {
    write(join('solidity', name, 'own.sol'), text);
    return runSoliditySuite(join(folder, 'solidity', name), compiler);
  };

  it('run with and without the intermediate language', { timeout: 120_000 }, () => {
    expect(run('good', `${source}// ----${calls}`)).toMatchObject({ passed: 2, failed: [], skipped: 0 });
  });

  const wrong: [name: string, from: string, to: string, difference: RegExp][] = [
    ['result', '42, true', '43, true', /call \d+, sum\(uint256\[\]\): result/],
    ['failure', 'negative() -> -7', 'negative() -> FAILURE', /it succeeds/],
    ['success', 'FAILURE, hex"08c379a0", 0x20, 2, "no"', '', /it fails/],
    ['event', '0x06, "thanks"', '0x06, "tanks"', /event 0: data/],
    ['topic', '#0x1212121212121212121212121212120000000012', '#0x13', /event 0: topics/],
    ['missing event', '// negative() -> -7', '// negative() -> -7\n// ~ emit None()', /0 events, and not 1/],
    ['balance', 'balance -> 9', 'balance -> 8', /result/],
  ];
  it.each(wrong)('fail where what is expected is wrong: %s', { timeout: 120_000 }, (name, from, to, difference) => {
    const text = `${source}// ====\n// compileViaYul: false\n// ----${calls.replace(from, to)}`;
    const { passed, failed } = run(name.replace(' ', '-'), text);
    expect(passed).toBe(0);
    expect(failed[0]!.difference).toMatch(difference);
  });

  it('are left out where no ledger has had their rules', () => {
    const old = `${source}// ====\n// EVMVersion: <byzantium\n// ----${calls}`;
    expect(run('old', old)).toMatchObject({ passed: 0, failed: [], skipped: 1 });
  });

  it('fail alone where they cannot be read or compiled', () => {
    expect(run('unreadable', `${source}// ----\n// sum(uint256[]): = -> 1\n`).failed).toMatchObject([
      { name: 'own.sol', difference: expect.stringContaining('It cannot be read') },
    ]);
    const differences = run('broken', `contract C { uint x = "a"; }\n// ----\n// x() -> 1\n`).failed;
    expect(differences).toHaveLength(2);
    for (const { difference } of differences) expect(difference).toMatch(/^it is not compiled: TypeError/);
  });

  it('are read with their sources and settings', () => {
    const text =
      '==== ExternalSource: x=_x/y.sol ====\n==== Source: a ====\ncontract A {}\n==== Source: b ====\ncontract B {}\n' +
      '// ====\n// revertStrings: debug\n// ----\n// f((uint8,bool)[2]): left(0x01), "\\x41\\0" -> hex"123"\n';
    const { sources, externalSources, settings, calls: read } = readSolidityTest(text);
    expect([[...sources.keys()], [...externalSources], [...settings]]).toEqual([
      ['a', 'b'],
      [['x', '_x/y.sol']],
      [['revertStrings', 'debug']],
    ]);
    expect(read).toMatchObject([{ kind: 'function', signature: 'f((uint8,bool)[2])', fails: false }]);
    expect(Buffer.from(read[0]!.data).toString('hex')).toBe(`01${'0'.repeat(62)}41${'0'.repeat(62)}`);
    expect([...read[0]!.output]).toEqual([0x01, 0x23]);
  });
});

it('differences on purpose have reasons, and count as neither passed nor failed', () => {
  const tally = createTally();
  count(tally, 'one', 'differs', [{ cases: /^one$/, reason: 'so it is' }]);
  count(tally, 'other', 'differs', [{ cases: /^one$/, reason: 'so it is' }]);
  expect(tally).toMatchObject({ passed: 0, intended: 1, failed: [{ name: 'other', difference: 'differs' }] });
  expect([...tally.reasons]).toEqual([['so it is', 1]]);
  for (const { reason } of [intendedOfStateTests, intendedOfGeth, intendedOfSolidity].flat())
    expect(reason).not.toBe('');
});
