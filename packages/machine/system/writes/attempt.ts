// A change of the ledger: it succeeds as a whole, or leaves nothing and the code of why.
import type { ResponseCodeName } from '../../../protocol/hapi/response-codes.ts';
import type { RelationFacts, TokenFacts } from '../../state/ledger-facts.ts';
import type { World } from '../../state/world.ts';

export type Status = ResponseCodeName;

export function attempt(world: World, change: () => Status): Status {
  const mark = world.journal.mark();
  const status = change();
  if (status !== 'SUCCESS') world.journal.revertTo(mark);
  return status;
}

/** The first that is no success. */
export function firstFailure(steps: readonly (() => Status)[]): Status {
  for (const step of steps) {
    const status = step();
    if (status !== 'SUCCESS') return status;
  }
  return 'SUCCESS';
}

/** null: the token can be used. */
export function unusable(token: TokenFacts | null): Status | null {
  if (token === null) return 'INVALID_TOKEN_ID';
  return token.isPaused ? 'TOKEN_IS_PAUSED' : null;
}

const frozen = 1;
const unfrozen = 2;
const kycRevoked = 2;

/** null: the balance may change. */
export function blocked({ freezeStatus, kycStatus }: RelationFacts): Status | null {
  if (freezeStatus === frozen) return 'ACCOUNT_FROZEN_FOR_TOKEN';
  return kycStatus === kycRevoked ? 'ACCOUNT_KYC_NOT_GRANTED_FOR_TOKEN' : null;
}

export function newRelation({ keys, freezeDefault }: TokenFacts, isAutomatic: boolean): RelationFacts {
  return {
    balance: 0n,
    freezeStatus: keys.freeze === null ? 0 : freezeDefault ? frozen : unfrozen,
    kycStatus: keys.kyc === null ? 0 : kycRevoked,
    isAutomatic,
  };
}

/** Of a relation that is there. */
export function addToBalance(world: World, token: bigint, account: bigint, amount: bigint): void {
  const key = { kind: 'relation', token, account } as const;
  const relation = world.fact(key)!;
  world.setFact(key, { ...relation, balance: relation.balance + amount });
}
