// Associations of accounts with tokens, and what is said of them.
import type { FreezeStatus, KycStatus, RelationFacts, TokenFacts, TokenKeys } from '../../state/ledger-facts.ts';
import type { Context } from '../functions/function.ts';
import { relationOf } from '../functions/relations.ts';
import { attempt, firstFailure, newRelation, type Status, unusable } from './attempt.ts';
import { hasSigned, satisfiesKey } from './authority.ts';

const unsigned: Status = 'INVALID_FULL_PREFIX_SIGNATURE_FOR_PRECOMPILE';

/** `account`: number; null: no account is there. */
export function associate(account: bigint | null, tokens: readonly bigint[], context: Context): Status {
  if (account === null) return 'INVALID_ACCOUNT_ID';
  if (!hasSigned(account, context)) return unsigned;
  if (new Set(tokens).size !== tokens.length) return 'TOKEN_ID_REPEATED_IN_TOKEN_LIST';
  const { world } = context;
  const step = (token: bigint) => () => {
    const key = { kind: 'relation', token, account } as const;
    const facts = world.fact({ kind: 'token', token });
    const known = world.fact(key);
    const problem = unusable(facts);
    if (problem !== null) return problem;
    if (known !== null) return 'TOKEN_ALREADY_ASSOCIATED_TO_ACCOUNT';
    world.setFact(key, newRelation(facts!, false));
    return 'SUCCESS';
  };
  return attempt(world, () => firstFailure(tokens.map(step)));
}

export function dissociate(account: bigint | null, tokens: readonly bigint[], context: Context): Status {
  if (account === null) return 'INVALID_ACCOUNT_ID';
  if (!hasSigned(account, context)) return unsigned;
  if (new Set(tokens).size !== tokens.length) return 'TOKEN_ID_REPEATED_IN_TOKEN_LIST';
  const { world } = context;
  const step = (token: bigint) => (): Status => {
    const key = { kind: 'relation', token, account } as const;
    const facts = world.fact({ kind: 'token', token });
    const known = relationOf(world, token, account);
    if (known === null) return 'TOKEN_NOT_ASSOCIATED_TO_ACCOUNT';
    const problem = unusable(facts) ?? undissociable(account, facts!, known);
    if (problem !== null) return problem;
    world.setFact(key, null);
    if (known.isAutomatic) returnSlot(account, context);
    return 'SUCCESS';
  };
  return attempt(world, () => firstFailure(tokens.map(step)));
}

function undissociable(account: bigint, token: TokenFacts, { freezeStatus, balance }: RelationFacts): Status | null {
  if (token.treasury === account) return 'ACCOUNT_IS_TREASURY';
  if (freezeStatus === 1) return 'ACCOUNT_FROZEN_FOR_TOKEN';
  if (balance === 0n) return null;
  return token.isFungible ? 'TRANSACTION_REQUIRES_ZERO_TOKEN_BALANCES' : 'ACCOUNT_STILL_OWNS_NFTS';
}

function returnSlot(account: bigint, { world }: Context): void {
  const key = { kind: 'owner', account } as const;
  const owner = world.fact(key);
  if (owner !== null) {
    world.setFact(key, { ...owner, usedAutomaticAssociations: owner.usedAutomaticAssociations - 1 });
  }
}

type Change = { key: keyof TokenKeys; without: Status; to: Partial<Pick<RelationFacts, 'freezeStatus' | 'kycStatus'>> };

const changeFreeze = (freezeStatus: FreezeStatus): Change => ({
  key: 'freeze',
  without: 'TOKEN_HAS_NO_FREEZE_KEY',
  to: { freezeStatus },
});
const changeKyc = (kycStatus: KycStatus): Change => ({
  key: 'kyc',
  without: 'TOKEN_HAS_NO_KYC_KEY',
  to: { kycStatus },
});

export const relationChanges = {
  freeze: changeFreeze(1),
  unfreeze: changeFreeze(2),
  grantKyc: changeKyc(1),
  revokeKyc: changeKyc(2),
};

export function changeRelation(
  { key, without, to }: Change,
  token: bigint,
  account: bigint | null,
  context: Context,
): Status {
  const { world } = context;
  const facts = world.fact({ kind: 'token', token });
  const problem = unusable(facts);
  if (problem !== null) return problem;
  const stored = facts!.keys[key];
  if (stored === null) return without;
  if (!satisfiesKey(stored, context)) return unsigned;
  if (account === null) return 'INVALID_ACCOUNT_ID';
  const relationKey = { kind: 'relation', token, account } as const;
  const relation = world.fact(relationKey);
  if (relation === null) return 'TOKEN_NOT_ASSOCIATED_TO_ACCOUNT';
  world.setFact(relationKey, { ...relation, ...to });
  return 'SUCCESS';
}
