// Associations of accounts with tokens.
import type { RelationFacts } from '../../state/ledger-facts.ts';
import type { World } from '../../state/world.ts';

/** With the token's statuses where they were never changed for the account. null: they are not associated. */
export function relationOf(world: World, token: bigint, account: bigint): RelationFacts | null {
  const relation = world.fact({ kind: 'relation', token, account });
  if (relation === null || (relation.freezeStatus !== null && relation.kycStatus !== null)) return relation;
  const facts = world.fact({ kind: 'token', token });
  return {
    ...relation,
    freezeStatus: relation.freezeStatus ?? facts?.freezeStatus ?? 0,
    kycStatus: relation.kycStatus ?? facts?.kycStatus ?? 0,
  };
}
