// What a simulated block says of accounts instead of what is there, and of precompiles.
import type { PrecompileEntry } from '../../../packages/machine/precompiles/precompile.ts';
import type { CarriedState } from '../../../packages/machine/state/carried-state.ts';
import { invalid } from './ended.ts';
import { hex } from './run-call.ts';
import type { SimulatedOverride } from './simulation.ts';

/** A precompile that is moved or overridden is not at its address any more. Throws Ended. */
export function applyOverrides(
  carried: CarriedState,
  overrides: readonly SimulatedOverride[],
  precompiles: Map<bigint, PrecompileEntry>,
): void {
  const named = new Set(overrides.map(({ address }) => address));
  for (const { address, movePrecompileTo: target } of overrides) {
    const precompile = precompiles.get(address);
    if (target !== undefined) {
      if (!precompile) throw invalid('noPrecompile', `account ${hex(address)} is not a precompile`);
      if (named.has(target)) throw invalid('overriddenTwice', `account ${hex(target)} is already overridden`);
      precompiles.set(target, precompile);
    }
    precompiles.delete(address);
  }
  for (const override of overrides) applyOverride(carried, override);
}

function applyOverride(carried: CarriedState, override: SimulatedOverride): void {
  const { address, balance, nonce, code, state, stateDiff } = override;
  const known = carried.account(address) ?? {
    ...{ num: carried.nextNum, address, kind: 'account' as const, balance: 0n, nonce: 0n, code: new Uint8Array() },
  };
  carried.put({
    ...known,
    balance: balance ?? known.balance,
    nonce: nonce ?? known.nonce,
    ...(code === undefined ? {} : { code, kind: 'contract' }),
  });
  const slots = state ?? stateDiff ?? [];
  if (state || slots.length > 0) {
    carried.putSlots(
      known.num,
      slots.map(({ slot, value }) => [slot, value]),
      state !== undefined,
    );
  }
}
