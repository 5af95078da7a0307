// Runs a state test's case in the machine, and does around it what Ethereum does with gas, fees and empty accounts.
import type { Tracer } from '../../../packages/machine/frame/machine.ts';
import { recoverAuthority } from '../../../packages/machine/run/authorize.ts';
import { runTransaction } from '../../../packages/machine/run/run-transaction.ts';
import type { Finished } from '../../../packages/machine/run/transaction.ts';
import { createMemoryState, type KnownAccount } from '../../../packages/machine/state/memory-state.ts';
import { keccak256 } from '../../../packages/protocol/keccak256.ts';
import { ethereumFacts, ethereumRules, wideLimits } from '../ethereum-rules.ts';
import { type Prices, pricesOf, refusalOf } from './refusal-of.ts';
import { logsHash, stateRoot } from './state-root.ts';
import type { StateCase, TestAccount, TestAccounts, TestAuthorization, TestTransaction } from './state-test-file.ts';
import { trackTouched } from './track-touched.ts';

export type CaseOutcome = {
  /** What differs; null: nothing. */
  difference: string | null;
  /** It was refused, as it has to be, and the machine had no part in it. */
  isRefusedBefore: boolean;
};

/** Numbers of entities, which Ethereum does not have, where no test looks. */
const firstNum = 1n << 62n;
const nextNum = 1n << 63n;
/** Chains on which the base fee is not burned, with who gets it. */
const feeCollectors: ReadonlyMap<bigint, bigint> = new Map([[100n, 0x6bbe78ee9e474842dbd4ab4987b3cefe88426a92n]]);

/** Seconds of a processor; what takes longer is stopped. */
const longest = 60;

export function runStateCase(one: StateCase): CaseOutcome {
  const refusal = refusalOf(one);
  if (refusal !== null) {
    const difference = one.isRefused ? null : `it is refused for ${refusal}, and has to run`;
    return { difference, isRefusedBefore: difference === null };
  }
  const transaction = one.transaction!;
  const prices = pricesOf(one, transaction);
  const { tracer, touched } = trackTouched();
  // Code runs slower with it.
  const hasEmpty = [...one.pre.values()].some((account) => !isThere(account));
  const result = run(one, transaction, prices, hasEmpty ? tracer : undefined);
  if (result.kind !== 'finished') {
    const limit = result.kind === 'stopped' ? ` by ${result.limit}` : '';
    return { difference: `it is ${result.kind}${limit}`, isRefusedBefore: false };
  }
  if (isUnstarted(result) !== one.isRefused) {
    const ended = `${result.status} ${result.halt ?? ''}`;
    return { difference: `it has to be ${one.isRefused ? 'refused' : 'run'}: ${ended}`, isRefusedBefore: false };
  }
  if (one.isRefused) return { difference: null, isRefusedBefore: false };
  const accounts = after(one, transaction, prices, result);
  for (const address of [one.env.coinbase, ...result.changes.map((change) => change.address), ...touched]) {
    const account = accounts.get(address);
    if (account && !isThere(account)) accounts.delete(address);
  }
  return { difference: compare(one, accounts, result), isRefusedBefore: false };
}

/** The machine says of such a transaction that it used all gas, and changed nothing, not even a nonce. */
function isUnstarted({ status, halt, changes }: Finished): boolean {
  return status !== 'SUCCESS' && halt === null && changes.length === 0;
}

function compare({ stateRoot: root, logsHash: hash }: StateCase, accounts: TestAccounts, result: Finished) {
  const ended = `${result.status} ${result.halt ?? ''}, ${result.gasConsumed} gas`;
  if (logsHash(result.logs) !== hash) return `other logs (${ended})`;
  return stateRoot(accounts) === root ? null : `another state (${ended})`;
}

function run(one: StateCase, transaction: TestTransaction, prices: Prices, tracer: Tracer | undefined) {
  const { fork, env, chainId, pre } = one;
  const { sender, to, value, data, accessList, authorizations } = transaction;
  const gasLimit = Number(transaction.gasLimit);
  const paid = transaction.gasLimit * prices.gasPrice + prices.blobGas * prices.blobBaseFee;
  const end = spent() + longest;
  const accounts = [...pre].map(([address, account], index): KnownAccount => {
    const { code, nonce, storage } = account;
    const balance = address === sender ? account.balance - paid : account.balance;
    const isDelegated = code.length === 23 && code[0] === 0xef && code[1] === 1;
    const kind = code.length === 0 || isDelegated ? 'account' : 'contract';
    return { address, num: firstNum + BigInt(index), kind, code, nonce, balance, storage };
  });
  // Also of a sender that pays the last it has.
  const known = accounts.filter((account) => account.address === sender || isThere(account));
  return runTransaction(
    {
      ...{ sender, to, value, data, gasLimit, gasPrice: prices.gasPrice, countsNonce: true, accessList },
      authorizations: authorizations?.map(toAuthorization),
    },
    {
      rules: ethereumRules(fork),
      state: createMemoryState(known, { hashes: hashesBefore(env.number), facts: ethereumFacts }),
      block: {
        ...{ number: env.number, timestamp: env.timestamp, prevRandao: env.random, chainId, coinbase: env.coinbase },
        ...{ baseFee: env.baseFee, blobBaseFee: prices.blobBaseFee, gasLimit: env.gasLimit },
      },
      nextNum,
      limits: wideLimits,
      isTimeUp: () => spent() > end,
      tracer,
    },
  );
}

function spent(): number {
  return process.cpuUsage().user / 1e6;
}

/** An account that is empty is as good as none. */
function isThere({ balance, nonce, code }: Pick<KnownAccount, 'balance' | 'nonce' | 'code'>): boolean {
  return balance !== 0n || nonce !== 0n || code!.length > 0;
}

function toAuthorization({ yParity, r, s, ...signed }: TestAuthorization) {
  return { ...signed, authority: recoverAuthority(signed, { yParity: Number(yParity), r, s }) };
}

/** In state tests the hash of a block is that of its number in decimal digits. */
function hashesBefore(number: bigint): Map<bigint, bigint> {
  const hashes = new Map<bigint, bigint>();
  for (let block = number - 1n; block >= 0n && block >= number - 256n; block--) {
    hashes.set(block, BigInt(`0x${keccak256(Buffer.from(`${block}`)).toString('hex')}`));
  }
  return hashes;
}

/** Empty accounts are still there. */
function after(one: StateCase, transaction: TestTransaction, prices: Prices, result: Finished): TestAccounts {
  const { gasConsumed, changes } = result;
  const accounts: TestAccounts = new Map([...one.pre].map(([address, account]) => [address, { ...account }]));
  const used = BigInt(gasConsumed);
  const at = (address: bigint): TestAccount => {
    let account = accounts.get(address);
    if (account === undefined) {
      account = { balance: 0n, nonce: 0n, code: new Uint8Array(0), storage: new Map() };
      accounts.set(address, account);
    }
    return account;
  };
  at(transaction.sender).balance -= transaction.gasLimit * prices.gasPrice + prices.blobGas * prices.blobBaseFee;
  for (const { address, balance, nonce, code, slots, isNew } of changes) {
    const account = at(address);
    account.balance = balance ?? (isNew ? 0n : account.balance);
    account.nonce = nonce ?? account.nonce;
    account.code = code ?? account.code;
    account.storage = new Map(account.storage);
    for (const { slot, valueWritten } of slots) {
      if (valueWritten === 0n) account.storage.delete(slot);
      else account.storage.set(slot, valueWritten);
    }
  }
  at(transaction.sender).balance += (transaction.gasLimit - used) * prices.gasPrice;
  at(one.env.coinbase).balance += used * prices.tip;
  const collector = feeCollectors.get(one.chainId);
  if (collector !== undefined) at(collector).balance += used * one.env.baseFee + prices.blobGas * prices.blobBaseFee;
  for (const { address, isDeleted } of changes) if (isDeleted) accounts.delete(address);
  return accounts;
}
