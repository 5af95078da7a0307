// What the views of a token will ask, fetched with the token itself: one round of questions instead of two or three.
import { isLongZero } from '../../../packages/machine/base/long-zero.ts';
import { readWord } from '../../../packages/machine/base/word.ts';
import type { FactKey } from '../../../packages/machine/state/ledger-facts.ts';
import type { MissingFact, StateReader } from '../../../packages/machine/state/state-reader.ts';
import type { CallInput } from './job.ts';

/** Below lie precompiles, system contracts and system accounts. */
const firstUsual = 1001n;
const wordLength = 32;

/** By selector: how many addresses are the first arguments, and what is asked of token and arguments. */
const views: Readonly<Record<number, { addresses: number; asks?(token: bigint, args: readonly bigint[]): FactKey }>> = {
  117300739: { addresses: 0 }, // name()
  2514000705: { addresses: 0 }, // symbol()
  826074471: { addresses: 0 }, // decimals()
  404098525: { addresses: 0 }, // totalSupply()
  // balanceOf(address)
  1889567281: { addresses: 1, asks: (token, [account]) => ({ kind: 'relation', token, account: account! }) },
  // allowance(address,address)
  3714247998: {
    addresses: 2,
    asks: (token, [owner, spender]) => ({ kind: 'tokenAllowance', token, owner: owner!, spender: spender! }),
  },
  // isApprovedForAll(address,address)
  3917867461: {
    addresses: 2,
    asks: (token, [owner, spender]) => ({ kind: 'nftAllowance', token, owner: owner!, spender: spender! }),
  },
  // ownerOf(uint256), getApproved(uint256), tokenURI(uint256)
  1666326814: { addresses: 0, asks: (token, [serial]) => ({ kind: 'nft', token, serial: serial! }) },
  135795452: { addresses: 0, asks: (token, [serial]) => ({ kind: 'nft', token, serial: serial! }) },
  3363526365: { addresses: 0, asks: (token, [serial]) => ({ kind: 'nft', token, serial: serial! }) },
};

/** Only where the callee is a token, or may be one. */
export function foresee(
  { to, data }: Pick<CallInput, 'to' | 'data'>,
  state: StateReader,
  isContract: (num: bigint) => boolean,
): MissingFact[] {
  if (to === null || to < firstUsual || !isLongZero(to) || data.length < 4) return [];
  const callee = state.account(to);
  if (callee === undefined ? isContract(to) : callee?.kind !== 'token') return [];
  const view = views[readSelector(data)];
  if (view === undefined) return [];
  const args = readWords(data);
  const keys: FactKey[] = [{ kind: 'fees' }, { kind: 'token', token: to }];
  const accounts = args.slice(0, view.addresses);
  // Who has an EVM address has a number that is not known yet.
  const isNumbered = args.every(isLongZero) && args.length >= Math.max(1, view.addresses);
  if (view.asks && isNumbered) keys.push(view.asks(to, args));
  return [
    ...accounts
      .filter((address) => address !== to && state.account(address) === undefined)
      .map((address): MissingFact => ({ kind: 'account', address })),
    ...keys.filter((key) => state.fact(key) === undefined).map((key): MissingFact => ({ kind: 'fact', key })),
  ];
}

function readSelector(data: Uint8Array): number {
  return ((data[0]! << 24) | (data[1]! << 16) | (data[2]! << 8) | data[3]!) >>> 0;
}

function readWords(data: Uint8Array): bigint[] {
  const count = Math.min(2, Math.floor((data.length - 4) / wordLength));
  return Array.from({ length: count }, (_, place) => readWord(data, 4 + place * wordLength, wordLength));
}
