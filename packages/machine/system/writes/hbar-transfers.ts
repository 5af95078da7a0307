// Transfers of hbar through the token service: from one account to others that are there.
import { isLongZero } from '../../base/long-zero.ts';
import { accountAt } from '../functions/accounts.ts';
import type { Context } from '../functions/function.ts';
import { notSupported } from '../functions/unsupported.ts';
import { type Adjustment, splitAdjustments } from './adjustments.ts';
import { attempt, type Status } from './attempt.ts';
import { hasSigned } from './authority.ts';

export function moveHbar(adjustments: readonly Adjustment[], context: Context): Status {
  const { world } = context;
  const { giver, takers, sum } = splitAdjustments(adjustments, context);
  const from = accountAt(giver[0], world);
  const receivers = takers.map(([address]) => accountAt(address, world));
  if (takers.some(([address], at) => receivers[at] === null && !isLongZero(address))) throw notSupported(context);
  if (from === null || receivers.includes(null)) return 'INVALID_ACCOUNT_ID';
  if (receivers.some((one) => one === from || (one!.facts?.needsReceiverSignature && one!.num !== context.asker))) {
    throw notSupported(context);
  }
  return attempt(world, () => {
    const allowed = takeAllowance(from.num, sum, giver[2] ?? false, context);
    if (allowed !== 'SUCCESS') return allowed;
    if (from.balance < sum) {
      // A caller may lift the balance of plain accounts.
      if (from.facts?.kind === 'account') throw notSupported(context);
      return 'INSUFFICIENT_ACCOUNT_BALANCE';
    }
    world.setBalance(from, from.balance - sum);
    for (const [at, one] of receivers.entries()) world.setBalance(one!, one!.balance + takers[at]![1]);
    return 'SUCCESS';
  });
}

function takeAllowance(owner: bigint, amount: bigint, isApproval: boolean, context: Context): Status {
  const { world, asker } = context;
  if (!isApproval && hasSigned(owner, context)) return 'SUCCESS';
  const key = { kind: 'hbarAllowance', owner, spender: asker } as const;
  const left = world.fact(key);
  if (left < amount && owner === asker) throw notSupported(context);
  if (left === 0n) return 'SPENDER_DOES_NOT_HAVE_ALLOWANCE';
  if (left < amount) return 'AMOUNT_EXCEEDS_ALLOWANCE';
  world.setFact(key, left - amount);
  return 'SUCCESS';
}
