// Relations of accounts and tokens: associate, dissociate, freeze, KYC.

import { toEntityId } from '../../protocol/hapi/entity-id.ts';
import type { proto } from '../../protocol/hapi/hapi.ts';
import { accountId, tokenId, toLong } from '../ledger/hapi-values.ts';
import type { Relation, TokenKeyName } from '../ledger/ledger.ts';
import {
  addRelation,
  assertSigned,
  type Execution,
  livingAccount,
  livingToken,
  nftKey,
  reject,
  relationKey,
  resolveAccount,
} from './execution.ts';
import { signedBy } from './token-update.ts';

export function associateTokens(x: Execution, data: proto.ITokenAssociateTransactionBody): void {
  const account = livingAccount(x, resolveAccount(x, data.account));
  assertSigned(x, account.key);
  for (const id of data.tokens ?? []) {
    const token = livingToken(x, id);
    if (x.ledger.tables.relations.has(relationKey(account.id, token.id))) reject('TOKEN_ALREADY_ASSOCIATED_TO_ACCOUNT');
    addRelation(x, account.id, token, { automatic: false });
  }
}

export function dissociateTokens(x: Execution, data: proto.ITokenDissociateTransactionBody): void {
  const account = livingAccount(x, resolveAccount(x, data.account));
  assertSigned(x, account.key);
  for (const id of data.tokens ?? []) {
    const token = x.ledger.tables.tokens.get(toEntityId(id));
    if (!token) reject('INVALID_TOKEN_ID');
    const relation = x.ledger.tables.relations.get(relationKey(account.id, token.id));
    if (!relation) reject('TOKEN_NOT_ASSOCIATED_TO_ACCOUNT');
    if (!token.deleted) {
      if (token.treasury === account.id) reject('ACCOUNT_IS_TREASURY');
      if (relation.balance > 0n) {
        reject(token.nonFungible ? 'ACCOUNT_STILL_OWNS_NFTS' : 'TRANSACTION_REQUIRES_ZERO_TOKEN_BALANCES');
      }
    } else if (relation.balance > 0n) {
      forfeit(x, relation, token.nonFungible);
      x.ledger.change('tokens', token.id, { totalSupply: token.totalSupply - relation.balance });
    }
    x.ledger.remove('relations', relationKey(account.id, token.id));
    if (relation.automatic) {
      const { usedAutomaticAssociations } = x.ledger.tables.accounts.get(account.id)!;
      x.ledger.change('accounts', account.id, { usedAutomaticAssociations: usedAutomaticAssociations - 1 });
    }
  }
}

export function freezeAccount(x: Execution, data: proto.ITokenFreezeAccountTransactionBody): void {
  changeRelation(x, data, 'freeze', { frozen: true });
}

export function unfreezeAccount(x: Execution, data: proto.ITokenUnfreezeAccountTransactionBody): void {
  changeRelation(x, data, 'freeze', { frozen: false });
}

export function grantKyc(x: Execution, data: proto.ITokenGrantKycTransactionBody): void {
  changeRelation(x, data, 'kyc', { kycGranted: true });
}

export function revokeKyc(x: Execution, data: proto.ITokenRevokeKycTransactionBody): void {
  changeRelation(x, data, 'kyc', { kycGranted: false });
}

type AccountAndToken = { account?: proto.IAccountID | null; token?: proto.ITokenID | null };

function changeRelation(x: Execution, data: AccountAndToken, key: TokenKeyName, change: Partial<Relation>): void {
  const token = livingToken(x, data.token);
  signedBy(x, token, key, key === 'kyc' ? 'TOKEN_HAS_NO_KYC_KEY' : 'TOKEN_HAS_NO_FREEZE_KEY');
  const account = livingAccount(x, resolveAccount(x, data.account));
  const relation = relationKey(account.id, token.id);
  if (!x.ledger.tables.relations.has(relation)) reject('TOKEN_NOT_ASSOCIATED_TO_ACCOUNT');
  x.ledger.change('relations', relation, change);
}

/** Removes the balance of a deleted token. The record has the units as one negative amount, also for NFTs. */
function forfeit(x: Execution, relation: Relation, nonFungible: boolean): void {
  if (!nonFungible) return;
  const token = x.ledger.tables.tokens.get(relation.token)!;
  for (let serial = 1n; serial < token.nextSerial; serial++) {
    const key = nftKey(token.id, serial);
    if (x.ledger.tables.nfts.get(key)?.owner === relation.account) x.ledger.remove('nfts', key);
  }
  x.outcome.record.tokenTransferLists = [negativeUnits(relation)];
}

function negativeUnits({ account, token, balance }: Relation): proto.ITokenTransferList {
  return { token: tokenId(token), transfers: [{ accountID: accountId(account), amount: toLong(-balance) }] };
}
