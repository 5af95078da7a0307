import { authorization } from 'micro-eth-signer';
import { describe, expect, it } from 'vitest';
import { assemble } from '../../test-support/evm/assemble.ts';
import { called, caller, returnTop, runCode, testBlock, wordOf } from '../../test-support/evm/run-code.ts';
import { Halt } from '../base/halt.ts';
import type { SystemContract } from '../frame/system-contract.ts';
import { type Authorization, recoverAuthority } from './authorize.ts';

const owner = 0xe0a0000000000000000000000000000000000005n;
const nobody = 0xe0a0000000000000000000000000000000000006n;
const target = { address: 0x7a76e7n << 136n, num: 1800n, code: assemble(`ADDRESS ${returnTop}`) };
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const delegationTo = (address: bigint) => `ef0100${address.toString(16).padStart(40, '0')}`;
const base = 21_000;

function run(list: Partial<Authorization>[], more: Parameters<typeof runCode>[1] = {}) {
  const authorizations = list.map((one) => ({
    ...{ authority: owner, code: target.address, chainId: testBlock.chainId, nonce: 4n },
    ...one,
  }));
  const { address = owner, ...first } = more.accounts?.[0] ?? {};
  const accounts = [target, { num: 1900n, nonce: 4n, ...first, address }];
  const { transaction, ...others } = more;
  return runCode('STOP', { ...others, accounts, transaction: { authorizations, ...transaction } });
}
const changeOf = ({ changes }: ReturnType<typeof run>, address: bigint) =>
  changes.find((change) => change.address === address);

describe('authorizations', () => {
  it('give an account the code of another; half of the price comes back where it was there already', () => {
    const done = run([{}], { transaction: { to: owner } });
    expect(wordOf(done.output)).toBe(owner);
    expect(changeOf(done, owner)).toMatchObject({ nonce: 5n });
    expect(hex(changeOf(done, owner)!.code!)).toBe(delegationTo(target.address));
    // The code that it names is warm, and costs what it does.
    const plain = run([], { transaction: { to: target.address } });
    expect(done.gasConsumed).toBe(plain.gasConsumed + 25_000 - 12_500);
    expect(done.refund).toBe(12_500);
  });

  it('are skipped where nonce, chain, signature or account do not fit, and cost all the same', () => {
    const contract = { address: owner, num: 1900n, nonce: 4n, code: assemble('STOP') };
    for (const [one, account] of [
      [{ nonce: 5n }, {}],
      [{ nonce: 3n }, {}],
      [{ chainId: 1n }, {}],
      [{ authority: null }, {}],
      [{ nonce: 2n ** 64n - 1n }, { nonce: 2n ** 64n - 1n }],
      [{}, contract],
      [{ authority: nobody }, {}],
    ] as const) {
      const done = run([one], { accounts: [{ ...account, address: owner }] });
      expect(done.changes).toEqual([]);
      expect([done.gasConsumed, done.refund]).toEqual([base + 25_000, 0]);
    }
  });

  it('of any chain, and several of one account, count one after the other', () => {
    const other = 0xbeefn << 140n;
    const done = run([{ chainId: 0n }, { nonce: 5n, code: other }, { nonce: 5n }]);
    expect(changeOf(done, owner)).toMatchObject({ nonce: 6n });
    expect(hex(changeOf(done, owner)!.code!)).toBe(delegationTo(other));
    expect(done.refund).toBe(25_000);
  });

  it('end a delegation with the zero address', () => {
    const code = Buffer.from(delegationTo(target.address), 'hex');
    const done = run([{ code: 0n }], {
      accounts: [{ address: owner, kind: 'account', code }],
      transaction: { to: owner },
    });
    expect([hex(changeOf(done, owner)!.code!), hex(done.output)]).toEqual(['', '']);
  });

  it('make the account that is not there, for what a new account costs', () => {
    const one = { authority: nobody, nonce: 0n };
    // $0.05, where a gas is $0.0000000852 and both are rounded to tinybar.
    const creation = 586_854;
    const done = run([one]);
    expect(changeOf(done, nobody)).toMatchObject({ isNew: true, num: 5000n, nonce: 1n, kind: 'account' });
    expect([done.gasConsumed, done.refund]).toEqual([base + 25_000 + creation, 0]);
    const poor = run([one], { transaction: { gasLimit: 500_000 } });
    expect(poor.changes).toEqual([]);
    expect(poor.gasConsumed).toBe(base + 25_000);
  });

  it('stay when the transaction fails', () => {
    const done = runCode('PUSH 0 PUSH 0 REVERT', {
      accounts: [target],
      transaction: { authorizations: [{ authority: caller, code: target.address, chainId: 0n, nonce: 0n }] },
    });
    expect(done.status).toBe('CONTRACT_REVERT_EXECUTED');
    expect(hex(changeOf(done, caller)!.code!)).toBe(delegationTo(target.address));
    expect(done.refund).toBe(12_500);
  });
});

describe('an account with a delegation', () => {
  const at = (code: bigint) => ({
    ...{ address: owner, num: 1900n, kind: 'account' as const, nonce: 5n },
    code: Buffer.from(delegationTo(code), 'hex'),
  });
  const system: SystemContract = {
    signatures: [],
    takesValue: () => false,
    run: ({ data, isFacade }) =>
      isFacade && data.length === 36
        ? { kind: 'success', output: Uint8Array.of(0x6a), gas: 100 }
        : { kind: 'halt', halt: new Halt('NOT', 'INVALID_FEE_SUBMITTED') },
  };
  const systemContracts = new Map([0x167n, 0x16an].map((address) => [address, system]));
  const call = (code: bigint, data = Uint8Array.of(1, 2, 3, 4)) =>
    runCode('STOP', { accounts: [target, at(code)], systemContracts, transaction: { to: owner, data } });

  it('shows the delegation as its code', () => {
    const address = `PUSH 0x${owner.toString(16)}`;
    const shown = (operation: string) =>
      wordOf(runCode(`${operation} ${returnTop}`, { accounts: [target, at(target.address)] }).output);
    expect(shown(`${address} EXTCODESIZE`)).toBe(23n);
    const copied = shown(`PUSH 23 PUSH 0 PUSH 9 ${address} EXTCODECOPY PUSH 0 MLOAD`);
    expect(copied.toString(16)).toBe(delegationTo(target.address));
  });

  it('runs nothing where the delegation names a precompile, a system contract, a system account or nobody', () => {
    for (const code of [0x02n, 0x167n, 0x16an, 600n, nobody]) {
      expect(call(code)).toMatchObject({ status: 'SUCCESS', output: new Uint8Array(0) });
    }
  });

  it('follows one delegation only', () => {
    const second = { ...at(target.address), address: nobody, num: 1901n };
    const chained = runCode('STOP', { accounts: [target, second, at(nobody)], transaction: { to: owner } });
    expect(chained.halt).toBe('INVALID_OPERATION');
  });

  it('keeps the functions of accounts', () => {
    const data = new Uint8Array(36);
    data.set([0xbb, 0xee, 0x98, 0x9e]);
    expect(call(target.address, data).output).toEqual(Uint8Array.of(0x6a));
    expect(wordOf(call(target.address).output)).toBe(owner);
  });
});

it('the authority is who another implementation says', () => {
  const secret = `0x${'4b'.repeat(32)}`;
  for (const [chainId, nonce] of [
    [0n, 0n],
    [298n, 127n],
    [295n, 128n],
    [298n, 2n ** 63n],
  ] as const) {
    const address = `0x${called.toString(16)}`;
    const signed = authorization.sign({ chainId, address, nonce }, secret);
    const one = { chainId, code: called, nonce };
    const { yParity, r, s } = signed;
    expect(recoverAuthority(one, { yParity, r, s })).toBe(BigInt(authorization.getAuthority(signed)));
    // The other signature of the same key and message, and numbers that are none.
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
    expect(recoverAuthority(one, { yParity: 1 - yParity, r, s: order - s })).toBeNull();
    expect(recoverAuthority(one, { yParity: 2, r, s })).toBeNull();
    expect(recoverAuthority(one, { yParity, r: 0n, s })).toBeNull();
  }
});
