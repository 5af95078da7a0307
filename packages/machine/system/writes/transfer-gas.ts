// Gas of transfers: two changed balances are one transfer, each further one half of it; an NFT is one. Those of hbar
// cost a tenth.
import type { Context } from '../functions/function.ts';
import { gasOf, priceOf } from '../gas/prices.ts';
import type { Move } from './transfers.ts';

/** `hbarBalances`: changed ones. */
export function transferGas(
  moves: readonly Move[],
  associations: number,
  { world }: Context,
  hbarBalances = 0,
): number {
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
  const changed = BigInt(halves + balances.size);
  const ofTokens = changed > 0n ? priceOf(fees, operation, changed > 2n ? changed : 2n) : 0n;
  const ofHbar = hbarBalances > 0 ? priceOf(fees, 'hbarTransfer', BigInt(hbarBalances)) : 0n;
  const association = associations > 0 ? priceOf(fees, 'associate', BigInt(associations)) : 0n;
  return gasOf(ofTokens + ofHbar + association, fees);
}
