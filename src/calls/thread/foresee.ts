// What the views of a token will ask, fetched with the token itself: one round of questions instead of two or three.
import { readSelector, selectorBytes, selectorOf } from '../../../packages/abi/selector.ts';
import { isLongZero } from '../../../packages/machine/base/long-zero.ts';
import { readWord } from '../../../packages/machine/base/word.ts';
import type { FactKey } from '../../../packages/machine/state/ledger-facts.ts';
import type { MissingFact, StateReader } from '../../../packages/machine/state/state-reader.ts';
import type { CallInput } from './job.ts';

/** Below lie precompiles, system contracts and system accounts. */
const firstUsual = 1001n;
const wordLength = 32;

/** How many addresses are the first arguments, and what is asked of token and arguments. */
type View = { addresses: number; asks?(token: bigint, args: readonly bigint[]): FactKey };

const plain: View = { addresses: 0 };
const ofSerial: View = { addresses: 0, asks: (token, [serial]) => ({ kind: 'nft', token, serial: serial! }) };

const viewOf: Readonly<Record<string, View>> = {
  'name()': plain,
  'symbol()': plain,
  'decimals()': plain,
  'totalSupply()': plain,
  'balanceOf(address)': {
    addresses: 1,
    asks: (token, [account]) => ({ kind: 'relation', token, account: account! }),
  },
  'allowance(address,address)': {
    addresses: 2,
    asks: (token, [owner, spender]) => ({ kind: 'tokenAllowance', token, owner: owner!, spender: spender! }),
  },
  'isApprovedForAll(address,address)': {
    addresses: 2,
    asks: (token, [owner, spender]) => ({ kind: 'nftAllowance', token, owner: owner!, spender: spender! }),
  },
  'ownerOf(uint256)': ofSerial,
  'getApproved(uint256)': ofSerial,
  'tokenURI(uint256)': ofSerial,
};

const bySelector: ReadonlyMap<number, View> = new Map(
  Object.entries(viewOf).map(([signature, view]) => [selectorOf(signature), view]),
);

/** Only where the callee is a token, or may be one. */
export function foresee(
  { to, data }: Pick<CallInput, 'to' | 'data'>,
  state: StateReader,
  isContract: (num: bigint) => boolean,
): MissingFact[] {
  if (to === null || to < firstUsual || !isLongZero(to) || data.length < selectorBytes) return [];
  const callee = state.account(to);
  if (callee === undefined ? isContract(to) : callee?.kind !== 'token') return [];
  const view = bySelector.get(readSelector(data));
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

function readWords(data: Uint8Array): bigint[] {
  const count = Math.min(2, Math.floor((data.length - selectorBytes) / wordLength));
  return Array.from({ length: count }, (_, place) => readWord(data, selectorBytes + place * wordLength, wordLength));
}
