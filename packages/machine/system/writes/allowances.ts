// What an account allows others to spend.
import type { TokenFacts } from '../../state/ledger-facts.ts';
import { accountAt } from '../functions/accounts.ts';
import type { Context } from '../functions/function.ts';
import { notSupported } from '../functions/unsupported.ts';
import { type Status, unusable } from './attempt.ts';
import { logApproval, logApprovalForAll } from './events.ts';

/** An amount of the asker's tokens. */
export function approveAmount(
  num: bigint,
  token: TokenFacts,
  spender: bigint,
  amount: bigint,
  context: Context,
): Status {
  const { world, asker } = context;
  const by = accountAt(spender, world);
  const relation = world.fact({ kind: 'relation', token: num, account: asker });
  const problem = unusable(token);
  if (problem !== null) return problem;
  if (by === null) return 'INVALID_ALLOWANCE_SPENDER_ID';
  // Releases differ in whether an account may allow itself.
  if (by.num === asker) throw notSupported(context);
  if (relation === null) return 'TOKEN_NOT_ASSOCIATED_TO_ACCOUNT';
  if (token.isFinite && amount > token.maxSupply) return 'AMOUNT_EXCEEDS_TOKEN_MAX_SUPPLY';
  world.setFact({ kind: 'tokenAllowance', token: num, owner: asker, spender: by.num }, amount);
  logApproval(context, { token: num, from: asker, to: by.num }, amount, true);
  return 'SUCCESS';
}

/**
 * One serial, which the asker owns, or may approve because its owner has approved the asker for all; to zero: for no
 * account.
 */
export function approveSerial(
  num: bigint,
  token: TokenFacts,
  spender: bigint,
  serial: bigint,
  context: Context,
): Status {
  const { world, asker } = context;
  const by = spender === 0n ? null : accountAt(spender, world);
  const nft = world.fact({ kind: 'nft', token: num, serial });
  const problem = unusable(token);
  if (problem !== null) return problem;
  if (nft === null) return 'INVALID_TOKEN_NFT_SERIAL_NUMBER';
  if (spender !== 0n && by === null) return 'INVALID_ALLOWANCE_SPENDER_ID';
  const mayApprove =
    nft.owner === asker || world.fact({ kind: 'nftAllowance', token: num, owner: nft.owner, spender: asker });
  if (!mayApprove || by?.num === nft.owner) throw notSupported(context);
  world.setFact({ kind: 'nft', token: num, serial }, { ...nft, spender: by?.num ?? null });
  logApproval(context, { token: num, from: nft.owner, to: by?.num ?? 0n }, serial, false);
  return 'SUCCESS';
}

/** All of the asker's NFTs of the token. */
export function approveAll(num: bigint, operator: bigint, isApproved: boolean, context: Context): Status {
  const { world, asker } = context;
  const token = world.fact({ kind: 'token', token: num });
  const by = accountAt(operator, world);
  const relation = world.fact({ kind: 'relation', token: num, account: asker });
  const problem = unusable(token);
  if (problem !== null) return problem;
  if (by === null) return 'INVALID_ALLOWANCE_SPENDER_ID';
  if (by.num === asker || token!.isFungible) throw notSupported(context);
  if (relation === null) return 'TOKEN_NOT_ASSOCIATED_TO_ACCOUNT';
  world.setFact({ kind: 'nftAllowance', token: num, owner: asker, spender: by.num }, isApproved);
  logApprovalForAll(context, { token: num, from: asker, to: by.num }, isApproved);
  return 'SUCCESS';
}

/** tinybar of the asker. */
export function approveHbar(owner: bigint | null, spender: bigint, amount: bigint, context: Context): Status {
  const { world, asker } = context;
  if (owner === null) return 'INVALID_ALLOWANCE_OWNER_ID';
  const by = accountAt(spender, world);
  if (by === null) return 'INVALID_ALLOWANCE_SPENDER_ID';
  if (owner !== asker || by.num === owner) throw notSupported(context);
  if (amount < 0n) return 'NEGATIVE_ALLOWANCE_AMOUNT';
  world.setFact({ kind: 'hbarAllowance', owner, spender: by.num }, amount);
  return 'SUCCESS';
}
