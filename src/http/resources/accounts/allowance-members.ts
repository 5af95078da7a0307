// What an account allows others to spend, as items of lists.
import type { Allowance, NftAllowance, TokenAllowance } from '../../../ledger/accounts/create-allowances.ts';
import { boolean, entityId, int64 } from '../../values/kinds.ts';
import { type Member, members, nullable, value } from '../../values/members.ts';
import { validity } from '../../values/validity.ts';

function createTable<A extends Allowance>(unit: string): Record<string, Member<A>> {
  return {
    amount: value(int64, (item) => item.amount, `What is left, ${unit}.`),
    amount_granted: nullable(int64, (item) => item.amountGranted, `What was granted, ${unit}.`),
    owner: value(entityId, (item) => item.owner),
    spender: value(entityId, (item) => item.spender),
    timestamp: value(validity, (item) => item.timestamp),
  };
}

export const cryptoAllowance = members<Allowance>(createTable('in tinybar'), { name: 'CryptoAllowance' });

export const tokenAllowance = members<TokenAllowance>(
  { ...createTable('in smallest units of the token'), token_id: value(entityId, (item) => item.tokenId) },
  { name: 'TokenAllowance' },
);

export const nftAllowance = members<NftAllowance>(
  {
    approved_for_all: value(boolean, (item) => item.approvedForAll),
    owner: value(entityId, (item) => item.owner),
    spender: value(entityId, (item) => item.spender),
    timestamp: value(validity, (item) => item.timestamp),
    token_id: value(entityId, (item) => item.tokenId),
  },
  { name: 'NftAllowance' },
);
