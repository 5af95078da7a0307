// State of which a caller says some parts.
import { mapKey } from '../../../packages/machine/base/map-key.ts';
import type { AccountFacts, StateReader } from '../../../packages/machine/state/state-reader.ts';
import type { StateOverride } from './job.ts';

type Storage = { isWhole: boolean; slots: ReadonlyMap<bigint, bigint> };

/** All addresses of `overrides` must be known to `state`. New accounts get numbers from `firstNum` on. */
export function overrideState(
  state: StateReader,
  overrides: readonly StateOverride[],
  firstNum: bigint,
): { state: StateReader; nextNum: bigint } {
  const accounts = new Map<bigint, AccountFacts>();
  const storages = new Map<bigint, Storage>();
  let nextNum = firstNum;
  for (const override of overrides) {
    const { address, balance, nonce, code } = override;
    const stored = accounts.get(mapKey(address)) ?? state.account(address) ?? null;
    const known: AccountFacts = stored ?? {
      num: nextNum++,
      address,
      kind: 'account',
      balance: 0n,
      nonce: 0n,
      code: noCode,
    };
    const facts: AccountFacts = {
      ...known,
      balance: balance ?? known.balance,
      nonce: nonce ?? known.nonce,
      ...(code === undefined ? {} : { code, kind: 'contract' }),
    };
    accounts.set(mapKey(facts.address), facts);
    accounts.set(mapKey(address), facts);
    accounts.set(mapKey(facts.num), facts);
    const { state: whole, stateDiff } = override;
    const given = whole ?? stateDiff;
    if (!given) continue;
    const before = whole ? [] : [...(storages.get(facts.num)?.slots ?? [])];
    const slots = new Map([...before, ...given.map(({ slot, value }): [bigint, bigint] => [mapKey(slot), value])]);
    storages.set(facts.num, { isWhole: whole !== undefined || (storages.get(facts.num)?.isWhole ?? false), slots });
  }
  return {
    nextNum,
    state: {
      account: (address) => accounts.get(mapKey(address)) ?? state.account(address),
      slot(account, slot) {
        const storage = storages.get(account.num);
        const value = storage?.slots.get(mapKey(slot));
        if (value !== undefined) return value;
        // The account may exist only here.
        return storage?.isWhole || account.num >= firstNum ? 0n : state.slot(account, slot);
      },
      blockHash: (number) => state.blockHash(number),
      fact: (key) => state.fact(key),
    },
  };
}

const noCode = new Uint8Array(0);
