// State tests as ethereum/tests and execution-spec-tests publish them: a file is an object of tests, and a test is one
// transaction in several forms (data, gas limit, value) with what each leaves behind in each hard fork.
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { type ForkName, forkNames } from '../../../packages/machine/rules/forks.ts';
import { keccak256 } from '../../../packages/protocol/keccak256.ts';

export type TestAccount = { balance: bigint; nonce: bigint; code: Uint8Array; storage: Map<bigint, bigint> };
export type TestAccounts = Map<bigint, TestAccount>;

export type TestTransaction = {
  sender: bigint;
  to: bigint | null;
  nonce: bigint;
  value: bigint;
  gasLimit: bigint;
  data: Uint8Array;
  /** Of a legacy transaction and of one with an access list. */
  gasPrice?: bigint;
  maxFeePerGas?: bigint;
  maxPriorityFeePerGas?: bigint;
  maxFeePerBlobGas?: bigint;
  blobHashes?: bigint[];
  accessList: { address: bigint; slots: bigint[] }[];
  authorizations?: TestAuthorization[];
};
export type TestAuthorization = {
  chainId: bigint;
  code: bigint;
  nonce: bigint;
  yParity: bigint;
  r: bigint;
  s: bigint;
};

export type StateCase = {
  /** Of the test, the fork and the places in the lists of data, gas limits and values; `wideGas` where it is so. */
  name: string;
  fork: ForkName;
  env: {
    coinbase: bigint;
    gasLimit: bigint;
    number: bigint;
    timestamp: bigint;
    random: bigint;
    baseFee: bigint;
    excessBlobGas: bigint;
  };
  chainId: bigint;
  blobs: { max: number; updateFraction: bigint };
  pre: TestAccounts;
  /** null: a number of it is none of Ethereum's. */
  transaction: TestTransaction | null;
  /** The transaction has to be refused. */
  isRefused: boolean;
  stateRoot: string;
  logsHash: string;
};

// biome-ignore lint/suspicious/noExplicitAny: what others write, judged member by member as it is read.
type Json = any;

const forksByName: Readonly<Record<string, ForkName>> = {
  London: 'london',
  Merge: 'paris',
  Paris: 'paris',
  Shanghai: 'shanghai',
  Cancun: 'cancun',
  Prague: 'prague',
};
/** EIP-4844 and EIP-7691, where a file does not say it. */
const blobsOf = (fork: ForkName) =>
  fork === 'prague' ? { max: 9, updateFraction: 5_007_716n } : { max: 6, updateFraction: 3_338_477n };

/** In the name of a case whose gas limit has more than 53 bits. */
const wideGas = ' (wide gas)';

/** How many cases are of forks that no ledger has had is in `others`. */
export function readStateTests(file: Json): { cases: StateCase[]; others: number } {
  const cases: StateCase[] = [];
  let others = 0;
  for (const [name, test] of Object.entries<Json>(file)) {
    for (const [forkName, posts] of Object.entries<Json[]>(test.post)) {
      const fork = forksByName[forkName];
      if (fork === undefined) others += posts.length;
      else cases.push(...posts.map((post) => toCase(name, test, fork, post)));
    }
  }
  return { cases, others };
}

function toCase(name: string, test: Json, fork: ForkName, post: Json): StateCase {
  const { env, config } = test;
  const { data, gas, value } = post.indexes;
  const isMerged = fork !== forkNames[0];
  const isWide = number(test.transaction.gasLimit[gas]) > Number.MAX_SAFE_INTEGER;
  const schedule = config?.blobSchedule?.[fork === 'prague' ? 'Prague' : 'Cancun'];
  return {
    name: `${name} [${fork} ${data} ${gas} ${value}]${isWide ? wideGas : ''}`,
    fork,
    env: {
      coinbase: number(env.currentCoinbase),
      gasLimit: number(env.currentGasLimit),
      number: number(env.currentNumber),
      timestamp: number(env.currentTimestamp),
      random: number((isMerged ? env.currentRandom : env.currentDifficulty) ?? env.currentDifficulty ?? 0),
      baseFee: number(env.currentBaseFee ?? 10),
      excessBlobGas: number(env.currentExcessBlobGas ?? 0),
    },
    chainId: number(config?.chainid ?? 1),
    blobs: schedule
      ? { max: Number(schedule.max), updateFraction: number(schedule.baseFeeUpdateFraction) }
      : blobsOf(fork),
    pre: readAccounts(test.pre),
    transaction: readTransaction(test.transaction, post.indexes),
    isRefused: typeof post.expectException === 'string',
    stateRoot: post.hash.slice(2),
    logsHash: post.logs.slice(2),
  };
}

function readAccounts(accounts: Json): TestAccounts {
  return new Map(
    Object.entries<Json>(accounts).map(([address, { balance, nonce, code, storage }]) => [
      number(address),
      {
        balance: number(balance),
        nonce: number(nonce),
        code: bytes(code),
        storage: new Map(
          Object.entries<string>(storage)
            .map(([slot, value]) => [number(slot), number(value)] as const)
            .filter(([, value]) => value !== 0n),
        ),
      },
    ]),
  );
}

function readTransaction(transaction: Json, indexes: { data: number; gas: number; value: number }) {
  const word = (text: Json, bits = 256): bigint => {
    const value = number(text);
    if (value < 0n || value >> BigInt(bits) > 0n) throw new RangeError(`${text} has more than ${bits} bits`);
    return value;
  };
  const optional = (text: Json) => (text === undefined ? undefined : word(text));
  const listed: Json[] = transaction.accessLists?.[indexes.data] ?? transaction.accessList ?? [];
  try {
    return {
      sender: transaction.sender ? number(transaction.sender) : signerOf(transaction.secretKey),
      to: transaction.to === '' || transaction.to === undefined ? null : number(transaction.to),
      nonce: word(transaction.nonce, 64),
      value: word(transaction.value[indexes.value]),
      gasLimit: word(transaction.gasLimit[indexes.gas], 64),
      data: bytes(transaction.data[indexes.data]),
      gasPrice: optional(transaction.gasPrice),
      maxFeePerGas: optional(transaction.maxFeePerGas),
      maxPriorityFeePerGas: optional(transaction.maxPriorityFeePerGas),
      maxFeePerBlobGas: optional(transaction.maxFeePerBlobGas),
      blobHashes: transaction.blobVersionedHashes?.map((hash: Json) => word(hash)),
      accessList: listed.map(({ address, storageKeys }) => ({
        address: number(address),
        slots: storageKeys.map((key: Json) => word(key)),
      })),
      authorizations: transaction.authorizationList?.map((one: Json) => ({
        chainId: word(one.chainId),
        code: number(one.address),
        nonce: word(one.nonce, 64),
        yParity: word(one.yParity ?? one.v, 8),
        r: word(one.r),
        s: word(one.s),
      })),
    };
  } catch (error) {
    if (error instanceof RangeError || error instanceof SyntaxError) return null;
    throw error;
  }
}

function signerOf(secretKey: string): bigint {
  const key = secp256k1.getPublicKey(bytes(secretKey), false);
  return number(`0x${keccak256(key.subarray(1)).toString('hex', 12)}`);
}

function number(text: string | number): bigint {
  return text === '0x' || text === '' ? 0n : BigInt(text);
}

function bytes(text: string): Uint8Array {
  return Uint8Array.from(Buffer.from(text.replace(/^0x/, ''), 'hex'));
}
