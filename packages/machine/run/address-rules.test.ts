// What an operation does at an address, by the ledger's rules.
import { describe, expect, it } from 'vitest';
import { keccak256 } from '../../protocol/keccak256.ts';
import { assemble } from '../../test-support/evm/assemble.ts';
import {
  type CodeRun,
  called,
  caller,
  returnTop,
  runCode,
  testBlock,
  wordOf,
} from '../../test-support/evm/run-code.ts';
import { versionNames } from '../rules/versions.ts';
import type { KnownAccount } from '../state/memory-state.ts';

const system: KnownAccount = { address: 0x5157en << 120n, num: 98n, balance: 700n };
const rich: KnownAccount = { address: 0xb0b0n << 140n, num: 1500n, balance: 4000n };
const plainLongZero: KnownAccount = { address: 1501n, balance: 9n };
const shy: KnownAccount = { address: 0x517n << 148n, num: 1503n, balance: 1n, needsReceiverSignature: true };
const token: KnownAccount = { address: 1600n, kind: 'token' };
const schedule: KnownAccount = { address: 1601n, kind: 'schedule' };
const contract: KnownAccount = { address: 0xcafen << 140n, num: 1700n, code: assemble(`ADDRESS ${returnTop}`) };
const lowContract: KnownAccount = { address: 900n, code: assemble('STOP'), balance: 3n };
const accounts = [system, rich, plainLongZero, shy, token, schedule, contract, lowContract];
const nobody = 0xdeadn << 140n;
const nobodysNumber = 123_456n;
const emptyHash = 0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470n;

function run(code: string, more: CodeRun = {}) {
  return runCode(code, { accounts, contract: { balance: 1000n }, ...more });
}

const ask = (operation: string, address: bigint, version?: string) => {
  const { status, output } = run(`PUSH ${address} ${operation} ${returnTop}`, { version });
  return status === 'SUCCESS' ? wordOf(output) : status;
};

describe('what is asked about an address', () => {
  const cases: [operation: string, name: string, address: bigint, answer: bigint][] = [
    ['BALANCE', 'a system account', 98n, 0n],
    ['BALANCE', 'a system account by its EVM address', system.address, 700n],
    ['BALANCE', 'number 750, which is the last of the system', 750n, 0n],
    ['BALANCE', 'number 900', 900n, 3n],
    ['BALANCE', 'an account by its EVM address', rich.address, 4000n],
    ['BALANCE', 'the same by its number', 1500n, 4000n],
    ['BALANCE', 'nobody', nobody, 0n],
    ['EXTCODESIZE', 'a contract below number 1001', 900n, 0n],
    ['EXTCODEHASH', 'a contract below number 1001', 900n, 0n],
    ['EXTCODESIZE', 'a contract by its number', 1700n, BigInt(contract.code!.length)],
    ['EXTCODEHASH', 'an account without code', rich.address, emptyHash],
    ['EXTCODEHASH', 'an account without EVM address', 1501n, emptyHash],
    ['EXTCODEHASH', 'nobody', nobody, 0n],
    ['EXTCODESIZE', 'a token', 1600n, 23n],
    ['EXTCODESIZE', 'a schedule', 1601n, 23n],
  ];
  it.each(cases)('%s of %s', (operation, _, address, answer) => {
    expect(ask(operation, address)).toBe(answer);
  });

  it.each(['BALANCE', 'EXTCODESIZE', 'EXTCODEHASH'])('%s of nobody halts before 0.46', (operation) => {
    expect(versionNames.map((version) => ask(operation, nobody, version))).toEqual([
      ...['0.30', '0.34', '0.38'].map(() => 'INVALID_SOLIDITY_ADDRESS'),
      ...versionNames.slice(3).map(() => 0n),
    ]);
  });

  it('shows the proxy of a token before 0.67, and a delegation since', () => {
    const codeOf = (version: string, address: bigint) => {
      const copy = `PUSH 256 PUSH 0 PUSH 0 PUSH ${address} EXTCODECOPY PUSH ${address} EXTCODESIZE PUSH 0 RETURN`;
      return Buffer.from(run(copy, { version }).output).toString('hex');
    };
    const proxy = codeOf('0.66', 1600n);
    expect(proxy).toMatch(/^6080604052348015600f57600080fd5b506000610167905077618dc65e0{36}0640600052/);
    expect(proxy.length / 2).toBe(147);
    expect(codeOf('0.66', 1601n)).toContain('61016b9050775c3889ca');
    expect(codeOf('0.67', 1600n)).toBe(`ef0100${'167'.padStart(40, '0')}`);
    expect(codeOf('0.67', 1601n)).toBe(`ef0100${'16b'.padStart(40, '0')}`);
  });

  it('hashes what it shows of tokens and schedules', () => {
    const hash = (version: string, address: bigint) => ask('EXTCODEHASH', address, version);
    const hashed = (code: string) => BigInt(`0x${keccak256(Buffer.from(code, 'hex')).toString('hex')}`);
    expect(hash('0.67', 1600n)).toBe(hashed(`ef0100${'167'.padStart(40, '0')}`));
    expect(hash('0.67', 1601n)).toBe(hashed(`ef0100${'16b'.padStart(40, '0')}`));
    const copy = 'PUSH 147 PUSH 0 PUSH 0 PUSH 1600 EXTCODECOPY PUSH 147 PUSH 0 RETURN';
    expect(hash('0.66', 1600n)).toBe(hashed(Buffer.from(run(copy, { version: '0.66' }).output).toString('hex')));
  });

  it('copies zeros of the code below number 1001', () => {
    const { output } = run('PUSH 32 PUSH 0 PUSH 0 PUSH 900 EXTCODECOPY PUSH 32 PUSH 0 RETURN');
    expect(wordOf(output)).toBe(0n);
  });
});

/** gas, address, value: leaves the result of the call. */
const call = (address: bigint, value: bigint, gas = 100_000n) =>
  `PUSH 0 PUSH 0 PUSH 0 PUSH 0 PUSH ${value} PUSH ${address} PUSH ${gas} CALL`;

describe('calls', () => {
  const cases: [name: string, address: bigint, value: bigint, result: bigint | string][] = [
    ['nobody', nobody, 0n, 1n],
    ['nobody, by number', nobodysNumber, 0n, 1n],
    ['nobody, with a value', nobody, 5n, 1n],
    ['nobody by number, with a value', nobodysNumber, 5n, 0n],
    ['an account, with a value', rich.address, 5n, 1n],
    ['an account by number, with a value', 1500n, 5n, 1n],
    ['a token, with a value', 1600n, 5n, 0n],
    ['a system account', 98n, 0n, 1n],
    ['a system account, with a value', 98n, 5n, 'INVALID_CONTRACT_ID'],
    ['a system contract that is not there, with a value', 0x167n, 5n, 'INVALID_CONTRACT_ID'],
    ['a precompile, with a value', 4n, 5n, 'INVALID_CONTRACT_ID'],
    ['an account that must sign', shy.address, 5n, 'INVALID_SIGNATURE'],
    ['an account that must sign, without a value', shy.address, 0n, 1n],
    ['more than it has', rich.address, 1001n, 0n],
  ];
  it.each(cases)('of %s', (_, address, value, result) => {
    const { status, output } = run(`${call(address, value, 700_000n)} ${returnTop}`);
    expect(status === 'SUCCESS' ? wordOf(output) : status).toBe(result);
  });

  it('halt at nobody before 0.46, but for a value that creates', () => {
    const status = (version: string, value: bigint) => run(`${call(nobody, value)} POP`, { version }).status;
    const halt = 'INVALID_SOLIDITY_ADDRESS';
    expect(versionNames.map((version) => status(version, 0n))).toEqual([
      ...[halt, halt, halt],
      ...versionNames.slice(3).map(() => 'SUCCESS'),
    ]);
    expect(status('0.30', 5n)).toBe(halt);
    expect(status('0.34', 5n)).toBe('SUCCESS');
  });

  it('with a value to nobody creates an account that has it', () => {
    const { output, changes, gasUsed } = run(`${call(nobody, 5n, 700_000n)} POP PUSH ${nobody} BALANCE ${returnTop}`, {
      transaction: { gasLimit: 1_500_000 },
    });
    expect(wordOf(output)).toBe(5n);
    expect(changes.find(({ address }) => address === nobody)).toMatchObject({
      num: 5000n,
      kind: 'account',
      isNew: true,
      balance: 5n,
    });
    // 0.05 $ by the price of gas, both in tinybar: 41,666,666 and 71,000 thousandths.
    const creation = 586_854;
    expect(gasUsed).toBeGreaterThan(21_000 + creation + 25_000 + 9000);
    expect(gasUsed).toBeLessThan(21_000 + creation + 25_000 + 9000 + 3000);
  });

  it('cannot create for less gas than that costs', () => {
    const { output } = run(`${call(nobody, 5n, 500_000n)} ${returnTop}`);
    expect(wordOf(output)).toBe(0n);
  });

  it('of a system account take all gas of the call', () => {
    const used = (address: bigint) => run(`${call(address, 0n, 70_000n)} POP`).gasUsed;
    expect(used(98n) - used(nobody)).toBe(70_000);
  });

  it('halt all callers up to the outermost for a value to the system', () => {
    const inner: KnownAccount = {
      address: 0x1e4n << 140n,
      num: 1800n,
      balance: 9n,
      code: assemble(`${call(98n, 1n)} POP`),
    };
    const { status, gasUsed } = run(`${call(inner.address, 0n)} POP`, { accounts: [...accounts, inner] });
    expect(status).toBe('INVALID_CONTRACT_ID');
    expect(gasUsed).toBe(1_000_000);
  });

  it('show the EVM address though the contract was called by its number', () => {
    const { output } = run(`PUSH 32 PUSH 0 PUSH 0 PUSH 0 PUSH 0 PUSH 1700 GAS CALL POP PUSH 32 PUSH 0 RETURN`);
    expect(wordOf(output)).toBe(contract.address);
  });

  it('share storage and balance of both addresses', () => {
    const code = 'PUSH 0 SLOAD PUSH 1 ADD DUP1 PUSH 0 SSTORE PUSH 0 MSTORE PUSH 32 PUSH 0 RETURN';
    const counter: KnownAccount = { address: 0xc0117n << 140n, num: 1900n, code: assemble(code) };
    const out = 'PUSH 32 PUSH 0 PUSH 0 PUSH 0';
    const twice = `${out} PUSH 1 PUSH 1900 GAS CALL POP ${out} PUSH 1 PUSH ${counter.address} GAS CALL POP`;
    const both = `PUSH 0 MLOAD PUSH 1900 BALANCE PUSH 256 MUL ADD ${returnTop}`;
    const { output, changes } = run(`${twice} ${both}`, { accounts: [...accounts, counter] });
    expect(wordOf(output)).toBe(2n * 256n + 2n);
    expect(changes.filter(({ address }) => address === counter.address)).toHaveLength(1);
  });
});

describe('SELFDESTRUCT', () => {
  const destroy = (beneficiary: bigint, more: CodeRun = {}) => run(`PUSH ${beneficiary} SELFDESTRUCT`, more);
  const refused: [name: string, beneficiary: bigint][] = [
    ['nobody', nobody],
    ['a system account', 98n],
    ['a token', 1600n],
    ['a schedule', 1601n],
  ];
  it.each(refused)('to %s halts', (_, beneficiary) => {
    expect(destroy(beneficiary).status).toBe('INVALID_SOLIDITY_ADDRESS');
  });

  it.each(['isTreasury', 'holdsTokens'] as const)('of a contract that %s halts', (fact) => {
    const { status } = destroy(rich.address, { contract: { balance: 1000n, [fact]: true } });
    expect(status).toBe('CONTRACT_EXECUTION_EXCEPTION');
  });

  it('moves the balance, and deletes before 0.50', () => {
    const outcome = (version: string) => {
      const { changes } = destroy(rich.address, { version });
      const own = changes.find(({ address }) => address === called)!;
      return [own.isDeleted, own.balance, changes.find(({ address }) => address === rich.address)!.balance];
    };
    expect(versionNames.map(outcome)).toEqual(versionNames.map((version) => [Number(version) < 0.5, 0n, 5000n]));
  });

  it('deletes what the same transaction created', () => {
    const { changes, created } = run('STOP', {
      transaction: { to: null, value: 7n, data: assemble(`PUSH ${rich.address} SELFDESTRUCT`) },
    });
    expect(changes.find(({ address }) => address === created)).toMatchObject({ isDeleted: true });
    expect(changes.find(({ address }) => address === rich.address)).toMatchObject({ balance: 4007n });
  });
});

describe('block and network', () => {
  const hashes = new Map([
    [1001n, 0xa9n],
    [1000n, 0xaan],
    [999n, 0xbbn],
    [745n, 0xcdn],
    [744n, 0xccn],
    [743n, 0xcbn],
    [0n, 0xc0n],
  ]);
  const facts: [operation: string, answer: bigint][] = [
    ['PUSH 1000 BLOCKHASH', 0n],
    ['PUSH 999 BLOCKHASH', 0xbbn],
    ['PUSH 998 BLOCKHASH', 0n],
    ['PUSH 745 BLOCKHASH', 0xcdn],
    ['PUSH 744 BLOCKHASH', 0xccn],
    ['PUSH 743 BLOCKHASH', 0n],
    ['PUSH 0 BLOCKHASH', 0n],
    ['PUSH 1001 BLOCKHASH', 0n],
    ['PUSH 0x100000000000003e7 BLOCKHASH', 0n],
    ['NUMBER', 1000n],
    ['TIMESTAMP', testBlock.timestamp],
    ['PREVRANDAO', 77n],
    ['COINBASE', 98n],
    ['CHAINID', 298n],
    ['GASLIMIT', 1_000_000n],
    ['BASEFEE', 0n],
    ['BLOBBASEFEE', 1n],
    ['PUSH 0 BLOBHASH', 0n],
    ['GASPRICE', 7n],
    ['ORIGIN', caller],
    ['CALLER', caller],
    ['ADDRESS', called],
    ['SELFBALANCE', 1000n],
  ];
  it.each(facts)('%s', (operation, answer) => {
    expect(wordOf(run(`${operation} ${returnTop}`, { hashes }).output)).toBe(answer);
  });

  it.each(versionNames)('BLOCKHASH of version %s knows the 256 blocks before', (version) => {
    const asked = [1000n, 999n, 744n, 743n].map((number) => `PUSH ${number} BLOCKHASH ${returnTop}`);
    const answers = asked.map((code) => wordOf(run(code, { hashes, version }).output));
    expect(answers).toEqual([0n, 0xbbn, 0xccn, 0n]);
  });

  const newer: [opcodes: string, since: string][] = [
    ['PUSH0', '0.38'],
    ['PUSH 0 TLOAD', '0.50'],
    ['PUSH 0 DUP1 DUP1 MCOPY', '0.50'],
    ['PUSH 0 BLOBHASH', '0.50'],
    ['BLOBBASEFEE', '0.50'],
  ];
  it.each(newer)('%s is unknown before %s', (opcodes, since) => {
    const statuses = versionNames.map((version) => run(`${opcodes} STOP`, { version }).status);
    const place = versionNames.indexOf(since);
    expect(statuses.map((status) => status === 'SUCCESS')).toEqual(versionNames.map((_, index) => index >= place));
    expect(new Set(statuses.slice(0, place))).toEqual(new Set(['CONTRACT_EXECUTION_EXCEPTION']));
  });
});
