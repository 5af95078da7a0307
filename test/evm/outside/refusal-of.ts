// Why Ethereum refuses a transaction before anything of it runs. On a ledger consensus nodes judge this, not the machine,
// which judges only whether the gas limit covers what the transaction costs at least, and how long its init code is.

import { hasFork } from '../../../packages/machine/rules/forks.ts';
import { limits } from '../../../packages/machine/rules/gas-prices.ts';
import type { StateCase, TestTransaction } from './state-test-file.ts';

const blobGas = 131_072n;
const blobHashVersion = 1n;
const delegationStart = 'ef0100';

export type Prices = {
  /** Of a unit of gas, as GASPRICE shows it. */
  gasPrice: bigint;
  /** What the coinbase gets of it. */
  tip: bigint;
  blobGas: bigint;
  blobBaseFee: bigint;
};

export function pricesOf({ env, blobs }: StateCase, transaction: TestTransaction): Prices {
  const { gasPrice, maxFeePerGas = 0n, maxPriorityFeePerGas = 0n, blobHashes = [] } = transaction;
  const effective = gasPrice ?? least(maxFeePerGas, env.baseFee + maxPriorityFeePerGas);
  return {
    gasPrice: effective,
    tip: effective - env.baseFee,
    blobGas: BigInt(blobHashes.length) * blobGas,
    blobBaseFee: exponential(env.excessBlobGas, blobs.updateFraction),
  };
}

/** null: it may run. */
export function refusalOf(one: StateCase): string | null {
  const { transaction, env, pre } = one;
  if (transaction === null) return 'a number that does not fit';
  const { sender, nonce, gasLimit, value, maxFeePerGas, maxPriorityFeePerGas = 0n } = transaction;
  const account = pre.get(sender) ?? { balance: 0n, nonce: 0n, code: new Uint8Array(0) };
  const prices = pricesOf(one, transaction);
  const maxFee = transaction.gasPrice ?? maxFeePerGas ?? 0n;
  if (gasLimit > env.gasLimit) return 'more gas than a block has';
  if (maxPriorityFeePerGas > maxFee) return 'a tip above the fee';
  if (maxFee < env.baseFee) return 'a fee below the base fee';
  if (account.nonce !== nonce || nonce >= limits.nonce) return 'another nonce';
  const isDelegated = Buffer.from(account.code).toString('hex').startsWith(delegationStart);
  if (account.code.length > 0 && !(isDelegated && hasFork(one.fork, 'prague'))) return 'a sender with code';
  const most = gasLimit * maxFee + value + prices.blobGas * (transaction.maxFeePerBlobGas ?? 0n);
  if (most > account.balance) return 'more than the sender has';
  return refusalOfBlobs(one, transaction, prices) ?? refusalOfAuthorizations(one, transaction);
}

function refusalOfBlobs(one: StateCase, transaction: TestTransaction, prices: Prices): string | null {
  const { blobHashes, maxFeePerBlobGas = 0n, to } = transaction;
  if (blobHashes === undefined) return null;
  if (!hasFork(one.fork, 'cancun')) return 'a type that is not there yet';
  if (to === null) return 'a creation with blobs';
  if (blobHashes.length === 0 || blobHashes.length > one.blobs.max) return 'a number of blobs that may not be';
  if (blobHashes.some((hash) => hash >> 248n !== blobHashVersion)) return 'a blob of another version';
  return maxFeePerBlobGas < prices.blobBaseFee ? 'a fee below that of blobs' : null;
}

function refusalOfAuthorizations({ fork }: StateCase, { authorizations, to }: TestTransaction): string | null {
  if (authorizations === undefined) return null;
  if (!hasFork(fork, 'prague')) return 'a type that is not there yet';
  if (to === null) return 'a creation with authorizations';
  return authorizations.length === 0 ? 'no authorization' : null;
}

function least(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}

/** e to the power of excess / fraction, as EIP-4844 computes it. */
function exponential(excess: bigint, fraction: bigint): bigint {
  let sum = 0n;
  let term = fraction;
  for (let step = 1n; term > 0n; step++) {
    sum += term;
    term = (term * excess) / (fraction * step);
  }
  return sum / fraction;
}
