// Allowances over hbar, tokens and NFTs: approve and delete.
import { type proto, toBigInt } from '../../protocol/hapi/hapi.ts';
import {
  assertSigned,
  type Execution,
  livingAccount,
  livingToken,
  nftKey,
  ownedNft,
  reject,
  resolveAccount,
} from './execution.ts';

export function approveAllowance(x: Execution, data: proto.ICryptoApproveAllowanceTransactionBody): void {
  for (const entry of data.cryptoAllowances ?? []) {
    const owner = ownerOf(x, entry.owner);
    const spender = spenderOf(x, owner, entry.spender);
    set(x, `${owner}:${spender}`, toBigInt(entry.amount));
  }
  for (const entry of data.tokenAllowances ?? []) {
    const owner = ownerOf(x, entry.owner);
    const token = livingToken(x, entry.tokenId);
    if (token.nonFungible) reject('NFT_IN_FUNGIBLE_TOKEN_ALLOWANCES');
    if (!x.ledger.tables.relations.has(`${owner}:${token.id}`)) reject('TOKEN_NOT_ASSOCIATED_TO_ACCOUNT');
    set(x, `${owner}:${spenderOf(x, owner, entry.spender)}:${token.id}`, toBigInt(entry.amount));
  }
  for (const entry of data.nftAllowances ?? []) {
    const owner = ownerOf(x, entry.owner);
    const spender = spenderOf(x, owner, entry.spender);
    const token = livingToken(x, entry.tokenId);
    if (!token.nonFungible) reject('FUNGIBLE_TOKEN_IN_NFT_ALLOWANCES');
    if (entry.approvedForAll) set(x, `${owner}:${spender}:${token.id}:all`, entry.approvedForAll.value ? 1n : 0n);
    for (const serial of entry.serialNumbers ?? []) {
      ownedNft(x, token, toBigInt(serial), owner);
      x.ledger.change('nfts', nftKey(token.id, toBigInt(serial)), { spender });
    }
  }
}

export function deleteAllowance(x: Execution, data: proto.ICryptoDeleteAllowanceTransactionBody): void {
  for (const entry of data.nftAllowances ?? []) {
    const owner = ownerOf(x, entry.owner);
    const token = livingToken(x, entry.tokenId);
    for (const serial of entry.serialNumbers ?? []) {
      ownedNft(x, token, toBigInt(serial), owner);
      x.ledger.change('nfts', nftKey(token.id, toBigInt(serial)), { spender: null });
    }
  }
}

function ownerOf(x: Execution, id: proto.IAccountID | null | undefined): bigint {
  if (!id) return x.payer;
  const owner = livingAccount(x, resolveAccount(x, id), 'INVALID_ALLOWANCE_OWNER_ID');
  if (owner.id !== x.payer) assertSigned(x, owner.key);
  return owner.id;
}

function spenderOf(x: Execution, owner: bigint, id: proto.IAccountID | null | undefined): bigint {
  const spender = livingAccount(x, resolveAccount(x, id), 'INVALID_ALLOWANCE_SPENDER_ID').id;
  if (spender === owner) reject('SPENDER_ACCOUNT_SAME_AS_OWNER');
  return spender;
}

function set(x: Execution, key: string, amount: bigint): void {
  if (amount < 0n) reject('NEGATIVE_ALLOWANCE_AMOUNT');
  if (amount === 0n) x.ledger.remove('allowances', key);
  else x.ledger.put('allowances', key, amount);
}
