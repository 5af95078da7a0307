// How much there is of a token.
import type { TokenFacts } from '../../state/ledger-facts.ts';
import type { World } from '../../state/world.ts';

export function supplyOf(world: World, token: bigint, { totalSupply, isFungible }: TokenFacts): bigint {
  return totalSupply ?? world.fact({ kind: 'supply', token, isFungible });
}
