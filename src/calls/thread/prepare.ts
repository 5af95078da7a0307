// From what a client asks to a transaction: who sends it, and whether it can begin.
import type { Transaction } from '../../../packages/machine/run/transaction.ts';
import type { MissingFact, StateReader } from '../../../packages/machine/state/state-reader.ts';
import type { CachedState } from './cached-state.ts';
import type { Job, PastTransaction } from './job.ts';
import { overrideState } from './overridden-state.ts';

export type Prepared =
  | { kind: 'missing'; facts: MissingFact[] }
  | { kind: 'noSender' }
  | { kind: 'noContract' }
  | { kind: 'ready'; state: StateReader; transaction: Transaction; nextNum: bigint; leastBalance: bigint };

/** Sends for calls that name no sender, and for contracts where these do not send themselves. */
const treasury = 2n;
/** 10^9 hbar: what every account may send that need not have it. */
const liftedBalance = 10n ** 17n;

/** Puts what calls before this one have left on top of a state. `nextNum`: of the next entity. */
export type Layer = (below: StateReader, nextNum: bigint) => { state: StateReader; nextNum: bigint };

export function prepare(
  { input, overrides, gasPrice, nextNum: firstNum }: Job,
  cached: CachedState,
  layer: Layer = (state, nextNum) => ({ state, nextNum }),
): Prepared {
  const { from, contractSends = false, callsMissing = false, to, value, data, gas, paysValue, transaction } = input;
  const { accessList = [], authorizations = [] } = input;
  const givenSender = from === null || (from === 0n && value === 0n) ? treasury : from;
  const wanted = [givenSender, treasury, ...(to === null ? [] : [to]), ...overrides.map(({ address }) => address)];
  const missing = [...new Set(wanted)].filter((address) => cached.account(address) === undefined);
  if (missing.length > 0) {
    return { kind: 'missing', facts: missing.map((address) => ({ kind: 'account', address })) };
  }
  const below =
    overrides.length > 0 ? overrideState(cached, overrides, firstNum) : { state: cached, nextNum: firstNum };
  const { state, nextNum } = layer(below.state, below.nextNum);
  const sender = state.account(givenSender);
  const kind = sender?.kind;
  if (givenSender !== treasury && kind !== 'account' && kind !== 'contract') return { kind: 'noSender' };
  if (to !== null && !callsMissing && !state.account(to) && cached.wasContract(to)) return { kind: 'noContract' };
  return {
    kind: 'ready',
    state,
    nextNum,
    leastBalance: paysValue && from !== null ? 0n : liftedBalance,
    transaction: {
      sender: kind === 'contract' && !contractSends ? treasury : givenSender,
      // Who is called by its number is called at its address.
      to: to === null ? null : (state.account(to)?.address ?? to),
      ...toCreation(to, nextNum, transaction),
      value,
      data,
      gasLimit: gas,
      gasPrice,
      accessList,
      authorizations,
      // An authorization of the sender itself has the nonce after that of the transaction.
      countsNonce: transaction ? transaction.nonce !== null : authorizations.length > 0,
    },
  };
}

function toCreation(to: bigint | null, nextNum: bigint, transaction: PastTransaction | undefined) {
  if (to !== null) return {};
  const createAt = transaction ? transaction.createAt : 'next';
  return createAt === null ? {} : { createAt: createAt === 'next' ? nextNum : createAt };
}
