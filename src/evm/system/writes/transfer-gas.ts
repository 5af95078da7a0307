// Gas of transfers: two changed balances are one transfer, each further one half of it; an NFT is one.
import type { Context } from '../functions/function.ts';
import { gasOf, priceOf } from '../gas/prices.ts';
import type { Move } from './transfers.ts';

export function transferGas(moves: readonly Move[], associations: number, { world }: Context): number {
  const fees = world.fact({ kind: 'fees' });
  const balances = new Set<string>();
  let halves = 0;
  let hasFees = false;
  for (const move of moves) {
    if ('serial' in move) halves += 2;
    else for (const party of [move.from, move.to]) balances.add(`${move.token} ${party}`);
    const token = world.fact({ kind: 'token', token: move.token });
    if (token !== null && token.fees.fixed.length + token.fees.fractional.length + token.fees.royalty.length > 0)
      hasFees = true;
  }
  const operation = hasFees ? 'feeTransfer' : 'tokenTransfer';
  const price = priceOf(fees, operation, BigInt(Math.max(halves + balances.size, 2)));
  const association = associations > 0 ? priceOf(fees, 'associate', BigInt(associations)) : 0n;
  return gasOf(price + association, fees);
}
