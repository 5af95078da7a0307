// The small chain on which the compiler's semantic tests run: its accounts, its block, one block for each transaction.
import type { ForkName } from '../../../packages/machine/rules/forks.ts';
import { runTransaction } from '../../../packages/machine/run/run-transaction.ts';
import type { AccountChange, Finished } from '../../../packages/machine/run/transaction.ts';
import { createMemoryState, type KnownAccount } from '../../../packages/machine/state/memory-state.ts';
import { keccak256 } from '../../../packages/protocol/keccak256.ts';
import { ethereumFacts, ethereumRules, wideLimits } from '../ethereum-rules.ts';
import type { SolidityCall, SolidityEvent } from './solidity-test-file.ts';

const gasLimit = 100_000_000;
const accountOf = (index: number) => 0x1212121212121212121212121212120000000012n + BigInt(index) * 0x1000n;
const secondsPerBlock = 15n;
const firstBlockHash = BigInt(`0x${'37'.repeat(32)}`);
const prevRandao = 0xa86c2e601b6c44eb4848f7d23d9df3113fbcac42041c49cbed5000cb4f118777n;
const difficulty = 200_000_000n;
const block = { chainId: 1n, coinbase: BigInt(`0x${'78'.repeat(20)}`), baseFee: 7n, blobBaseFee: 1n };
const blockGasLimit = 20_000_000n;

type Account = { balance: bigint; nonce: bigint; code: Uint8Array; storage: Map<bigint, bigint> };

export type SolidityChain = {
  /** Address of the new contract, which later calls go to; null: it failed. */
  create(code: Uint8Array, data: Uint8Array, value: bigint): bigint | null;
  /** What differs; null: nothing. */
  judge(call: SolidityCall): string | null;
};

export function createSolidityChain(fork: ForkName): SolidityChain {
  const accounts = new Map<bigint, Account>();
  const add = (address: bigint, balance: bigint, nonce: bigint) =>
    accounts.set(address, { balance, nonce, code: new Uint8Array(0), storage: new Map() });
  // A creation of an account's uses its next nonce there.
  for (let index = 0; index < 10; index++) add(accountOf(index), 1n << 100n, 1n);
  for (let address = 1n; address <= 8n; address++) add(address, 1n, 0n);
  let sender = accountOf(0);
  let contract = 0n;
  let number = 0n;
  let last: Finished | null = null;

  function send(to: bigint | null, data: Uint8Array, value: bigint): Finished {
    number += 1n;
    const known = [...accounts].map(([address, account], index): KnownAccount => {
      const kind = account.code.length > 0 ? 'contract' : 'account';
      return { address, num: (1n << 62n) + BigInt(index), kind, ...account };
    });
    const hashes = new Map<bigint, bigint>();
    for (let past = number; past >= 0n; past--) hashes.set(past, firstBlockHash + past);
    const result = runTransaction(
      { sender, to, value, data, gasLimit, gasPrice: 3_000_000_000n, countsNonce: to === null },
      {
        rules: ethereumRules(fork),
        state: createMemoryState(known, { hashes, facts: ethereumFacts }),
        block: {
          ...{ ...block, number, timestamp: number * secondsPerBlock, gasLimit: blockGasLimit },
          prevRandao: fork === 'london' ? difficulty : prevRandao,
        },
        nextNum: 1n << 63n,
        limits: wideLimits,
      },
    );
    if (result.kind !== 'finished') throw new Error(`The run ended with ${JSON.stringify(result)}`);
    for (const change of result.changes) apply(change);
    last = result;
    return result;
  }

  function apply({ address, balance, nonce, code, slots, isDeleted, isNew }: AccountChange): void {
    if (isDeleted) {
      accounts.delete(address);
      return;
    }
    if (!accounts.has(address) && isNew) add(address, 0n, 0n);
    const account = accounts.get(address)!;
    account.balance = balance ?? account.balance;
    account.nonce = nonce ?? account.nonce;
    account.code = code ?? account.code;
    for (const { slot, valueWritten } of slots) {
      if (valueWritten === 0n) account.storage.delete(slot);
      else account.storage.set(slot, valueWritten);
    }
  }

  function builtin(name: string, data: Uint8Array): Uint8Array {
    const argument = data.length === 0 ? null : BigInt(`0x${Buffer.from(data).toString('hex')}`);
    if (name === 'balance') return word(accounts.get(argument ?? contract)?.balance ?? 0n);
    if (name === 'storageEmpty') return word((accounts.get(contract)?.storage.size ?? 0) === 0 ? 1n : 0n);
    if (name === 'account') {
      sender = accountOf(Number(argument));
      return word(sender);
    }
    return name === 'isoltest_builtin_test' ? word(0x1234n) : data;
  }

  function judge(call: SolidityCall): string | null {
    if (call.kind === 'builtin') return differenceOf('result', builtin(call.signature, call.data), call.output);
    if (call.kind !== 'constructor') {
      const selector = call.kind === 'data' ? [] : keccak256(Buffer.from(call.signature)).subarray(0, 4);
      send(contract, Uint8Array.from([...selector, ...call.data]), call.value);
      const succeeds = last!.status === 'SUCCESS';
      if (succeeds === call.fails) return `it ${succeeds ? 'succeeds' : `fails (${last!.halt ?? last!.status})`}`;
      const difference = differenceOf('result', last!.output, call.output);
      if (difference !== null) return difference;
    }
    return judgeEvents(last!, call.events, contract);
  }

  return {
    create: (code, data, value) => {
      const { status, created } = send(null, Uint8Array.from([...code, ...data]), value);
      contract = created ?? 0n;
      return status === 'SUCCESS' ? created : null;
    },
    judge,
  };
}

function judgeEvents({ logs }: Finished, events: readonly SolidityEvent[], contract: bigint): string | null {
  if (logs.length !== events.length) return `${logs.length} events, and not ${events.length}`;
  for (const [place, { signature, address, topics, data }] of events.entries()) {
    const log = logs[place]!;
    if (log.address !== (address ?? contract)) return `event ${place} of ${log.address.toString(16)}`;
    const first = signature === null ? [] : [keccak256(Buffer.from(signature))];
    const expected = Buffer.concat([...first, ...topics]);
    const difference =
      differenceOf('topics', Buffer.concat(log.topics.map((topic) => word(topic))), expected) ??
      differenceOf('data', log.data, data);
    if (difference !== null) return `event ${place}: ${difference}`;
  }
  return null;
}

function differenceOf(what: string, actual: Uint8Array, expected: Uint8Array): string | null {
  const [one, other] = [actual, expected].map((bytes) => Buffer.from(bytes).toString('hex'));
  return one === other ? null : `${what} ${one}, and not ${other}`;
}

function word(value: bigint): Uint8Array {
  return Uint8Array.from(Buffer.from(value.toString(16).padStart(64, '0'), 'hex'));
}
