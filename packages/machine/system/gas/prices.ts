// What system contracts cost, in tinycents: the canonical prices of the classic list, or the list of simple fees where
// the network uses one.
import type { ExchangeRate, Fees } from '../../state/ledger-facts.ts';

type Price = {
  /** tinycents, classic. */
  classic: bigint;
  /** Number of the functionality in the list of simple fees. */
  functionality: number;
  /** The extra that is charged for each of what the operation is counted by. */
  each?: number;
  /** The extra that is charged once. */
  once?: number;
};

/** A dollar is 10^10 tinycents. */
const dollar = 10_000_000_000n;
const usual = dollar / 1000n;
const association = dollar / 20n;

/** Numbers of extras (file 0.0.113). */
const extras = { allowances: 6, tokenTransfer: 9, feeTransfer: 10, nftMint: 13, association: 17, nftMintBase: 19 };

export const prices = {
  tokenGetInfo: { classic: dollar / 10_000n, functionality: 58 },
  /** Of half a transfer: a changed balance. A changed owner is two. */
  tokenTransfer: { classic: usual / 2n, functionality: 1, once: extras.tokenTransfer },
  /** The same of a token with custom fees. */
  feeTransfer: { classic: usual, functionality: 1, once: extras.feeTransfer },
  /** Of a changed balance. */
  hbarTransfer: { classic: usual / 20n, functionality: 1 },
  approve: { classic: association, functionality: 81, each: extras.allowances },
  deleteAllowance: { classic: association, functionality: 82, each: extras.allowances },
  associate: { classic: association, functionality: 68, each: extras.association },
  dissociate: { classic: association, functionality: 69 },
  mint: { classic: usual, functionality: 65 },
  mintNft: { classic: dollar / 50n, functionality: 65, each: extras.nftMint, once: extras.nftMintBase },
  burn: { classic: usual, functionality: 66 },
  wipe: { classic: usual, functionality: 67 },
  freeze: { classic: usual, functionality: 59 },
  unfreeze: { classic: usual, functionality: 60 },
  grantKyc: { classic: usual, functionality: 61 },
  revokeKyc: { classic: usual, functionality: 62 },
  pause: { classic: usual, functionality: 79 },
  unpause: { classic: usual, functionality: 80 },
  cryptoCreate: { classic: dollar / 20n, functionality: 27 },
  prng: { classic: usual, functionality: 86 },
  accountUpdate: { classic: (22n * dollar) / 100_000n, functionality: 2 },
} satisfies Record<string, Price>;

export type Operation = keyof typeof prices;

/** Gas of what costs so many tinycents, with a fifth on top; rounded as the network does. */
export function gasOf(tinycents: bigint, { gasPrice }: Pick<Fees, 'gasPrice'>): number {
  const gas = ((tinycents + gasPrice - 1n) * 1000n) / gasPrice;
  return Number(gas + gas / 5n);
}

/**
 * Of an account that a value makes: the fee in tinybar by the price of gas in tinybar, both rounded down, and nothing
 * on top.
 */
export function lazyCreationGas(fees: Fees, { hbar, cent }: ExchangeRate): number {
  const toTinybars = (tinycents: bigint): bigint => (tinycents * hbar) / cent;
  const gasPrice = toTinybars(fees.gasPrice);
  const fee = toTinybars(priceOf(fees, 'cryptoCreate', 1n));
  return Number((fee * 1000n) / (gasPrice > 0n ? gasPrice : 1n));
}

const leastViewGas = 100;

export function viewGas(fees: Fees): number {
  return Math.max(leastViewGas, operationGas(fees, 'tokenGetInfo'));
}

/** Of an operation that has `count` of what it is priced by. */
export function operationGas(fees: Fees, operation: Operation, count = 1): number {
  return gasOf(priceOf(fees, operation, BigInt(count)), fees);
}

export function priceOf({ simple }: Fees, operation: Operation, count: bigint): bigint {
  const { classic, functionality, each, once }: Price = prices[operation];
  if (simple === null) return classic * count;
  const service = simple.services.get(functionality);
  if (service === undefined) return classic * count;
  if (service.free) return 0n;
  return service.extras.reduce((sum, { name, included }) => {
    const has = name === each ? count : name === once ? 1n : 0n;
    return sum + (has > included ? has - included : 0n) * (simple.extraFees.get(name) ?? 0n);
  }, service.baseFee);
}
