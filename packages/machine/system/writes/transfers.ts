// Transfers of tokens. Those with custom fees, and those that make an account, do not follow from what is stored.

import { isLongZero } from '../../base/long-zero.ts';
import type { AccountState } from '../../state/account-state.ts';
import type { TokenFacts } from '../../state/ledger-facts.ts';
import type { Context } from '../functions/function.ts';
import { relationOf } from '../functions/relations.ts';
import { notSupported } from '../functions/unsupported.ts';
import { addToBalance, attempt, blocked, firstFailure, newRelation, type Status, unusable } from './attempt.ts';
import { hasSigned } from './authority.ts';

/** `usual`: an allowance where the owner has not signed. `allowance`: whether or not. `taken`: by a move before. */
export type Approval = 'usual' | 'allowance' | 'taken';

type Parties = { token: bigint; from: bigint; to: bigint; approval: Approval };
/** `gives`: what this move and those after it take from the one account together, where that is more. */
type AmountMove = Parties & { amount: bigint; gives?: bigint };
type SerialMove = Parties & { serial: bigint };

/** An amount or a serial leaves `from`, and arrives at `to`: addresses. */
export type Move = AmountMove | SerialMove;

/** What a transfer has done beside changing balances. */
export type Moved = { status: Status; associations: number };

export function moveTokens(moves: readonly Move[], context: Context): Moved {
  let associations = 0;
  const status = attempt(context.world, () =>
    firstFailure(
      moves.map(
        (move) => () =>
          moveToken(move, context, () => {
            associations += 1;
          }),
      ),
    ),
  );
  return { status, associations };
}

function moveToken(move: Move, context: Context, onAssociation: () => void): Status {
  const { world } = context;
  const { token: num } = move;
  const token = world.fact({ kind: 'token', token: num });
  const from = partyAt(move.from, context);
  const to = partyAt(move.to, context);
  const problem = unusable(token);
  if (problem !== null) return problem;
  if (from === null || to === null) return 'INVALID_ACCOUNT_ID';
  if (token!.isFungible !== 'amount' in move || from === to || hasFees(token!, from.num)) throw notSupported(context);
  const associated = associateReceiver(num, token!, to, context, onAssociation);
  if (associated !== 'SUCCESS') return associated;
  const relation = relationOf(world, num, from.num);
  if (relation === null) return 'TOKEN_NOT_ASSOCIATED_TO_ACCOUNT';
  const block = blocked(relation) ?? blocked(relationOf(world, num, to.num)!);
  if (block !== null) return block;
  const moved = 'amount' in move ? moveAmount(move, from, context) : moveSerial(move, from, to, context);
  if (moved !== 'SUCCESS') return moved;
  const count = 'amount' in move ? move.amount : 1n;
  if (relation.balance < count) return 'INSUFFICIENT_TOKEN_BALANCE';
  addToBalance(world, num, from.num, -count);
  addToBalance(world, num, to.num, count);
  return 'SUCCESS';
}

/** null: no account is there. An EVM address would become an account. */
function partyAt(address: bigint, context: Context): AccountState | null {
  const account = context.world.account(address);
  if (!account.exists) {
    if (isLongZero(address)) return null;
    throw notSupported(context);
  }
  const kind = account.facts?.kind;
  return kind === 'token' || kind === 'schedule' ? null : account;
}

/** The treasury pays none. */
function hasFees({ fees, treasury }: TokenFacts, from: bigint): boolean {
  const count = fees.fixed.length + fees.fractional.length + fees.royalty.length;
  return count > 0 && from !== treasury;
}

/** A receiver that is not associated becomes so while it has room for it. */
function associateReceiver(
  num: bigint,
  token: TokenFacts,
  to: AccountState,
  context: Context,
  onAssociation: () => void,
): Status {
  const { world, asker } = context;
  const key = { kind: 'relation', token: num, account: to.num } as const;
  if (to.facts?.needsReceiverSignature && to.num !== asker) throw notSupported(context);
  if (world.fact(key) !== null) return 'SUCCESS';
  // What was created by this transaction takes what the ledger gives to new accounts and contracts, which is not known
  // here.
  if (to.facts === null) throw notSupported(context);
  const owner = world.fact({ kind: 'owner', account: to.num });
  const { maxAutomaticAssociations: max, usedAutomaticAssociations: used } = owner ?? noRoom;
  if (max === 0) return 'TOKEN_NOT_ASSOCIATED_TO_ACCOUNT';
  if (max !== -1 && used >= max) return 'NO_REMAINING_AUTOMATIC_ASSOCIATIONS';
  world.setFact(key, newRelation(token, true));
  if (owner !== null)
    world.setFact({ kind: 'owner', account: to.num }, { ...owner, usedAutomaticAssociations: used + 1 });
  onAssociation();
  return 'SUCCESS';
}

const noRoom = { maxAutomaticAssociations: 0, usedAutomaticAssociations: 0 };

/** Takes it from the allowance where there has to be one. */
function moveAmount(
  { token, approval, amount, gives = amount }: AmountMove,
  { num }: AccountState,
  context: Context,
): Status {
  const { world, asker } = context;
  if (approval === 'taken' || (approval === 'usual' && hasSigned(num, context))) return 'SUCCESS';
  const key = { kind: 'tokenAllowance', token, owner: num, spender: asker } as const;
  const left = world.fact(key);
  if (left < gives && num === asker) throw notSupported(context);
  if (left === 0n) return 'SPENDER_DOES_NOT_HAVE_ALLOWANCE';
  if (left < gives) return 'AMOUNT_EXCEEDS_ALLOWANCE';
  world.setFact(key, left - gives);
  return 'SUCCESS';
}

function moveSerial(
  { token, approval, serial }: SerialMove,
  from: AccountState,
  to: AccountState,
  context: Context,
): Status {
  const { world, asker } = context;
  const key = { kind: 'nft', token, serial } as const;
  const nft = world.fact(key);
  if (nft === null) return 'INVALID_NFT_ID';
  if (!(approval === 'usual' && hasSigned(from.num, context))) {
    const isApproved =
      nft.spender === asker || world.fact({ kind: 'nftAllowance', token, owner: from.num, spender: asker });
    if (!isApproved && from.num === asker) throw notSupported(context);
    if (!isApproved) return 'SPENDER_DOES_NOT_HAVE_ALLOWANCE';
  }
  if (nft.owner !== from.num) return 'SENDER_DOES_NOT_OWN_NFT_SERIAL_NO';
  world.setFact(key, { ...nft, owner: to.num, spender: null });
  return 'SUCCESS';
}
