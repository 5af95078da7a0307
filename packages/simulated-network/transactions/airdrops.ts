// Airdrops: pending until claimed or cancelled where the receiver cannot take the token yet. And rejection, which sends
// tokens back to the treasury without fees.

import { toEntityId } from '../../protocol/hapi/entity-id.ts';
import { type proto, toBigInt } from '../../protocol/hapi/hapi.ts';
import { accountId, nftId, tokenId, toLong } from '../ledger/hapi-values.ts';
import type { Airdrop, Token } from '../ledger/ledger.ts';
import {
  addRelation,
  addTokens,
  assertSigned,
  type Execution,
  livingAccount,
  moveNft,
  ownedNft,
  reject,
  relationKey,
  resolveAccount,
  usableToken,
} from './execution.ts';

export function airdropTokens(x: Execution, data: proto.ITokenAirdropTransactionBody): void {
  const pending: Airdrop[] = [];
  for (const list of data.tokenTransfers ?? []) {
    const token = usableToken(x, list.token);
    const sender = resolveAccount(x, list.transfers?.find(({ amount }) => toBigInt(amount) < 0n)?.accountID);
    for (const transfer of list.transfers ?? []) {
      const amount = toBigInt(transfer.amount);
      if (amount <= 0n) continue;
      assertSigned(x, livingAccount(x, sender).key);
      const receiver = livingAccount(x, resolveAccount(x, transfer.accountID)).id;
      if ((x.ledger.tables.relations.get(relationKey(sender, token.id))?.balance ?? 0n) < amount)
        reject('INVALID_ACCOUNT_AMOUNTS');
      if (canReceive(x, receiver, token)) {
        addTokens(x, sender, token, -amount);
        addTokens(x, receiver, token, amount);
      } else {
        pending.push({ sender, receiver, token: token.id, serial: 0n, amount });
      }
    }
    for (const nft of list.nftTransfers ?? []) {
      const owner = resolveAccount(x, nft.senderAccountID);
      assertSigned(x, livingAccount(x, owner).key);
      const receiver = livingAccount(x, resolveAccount(x, nft.receiverAccountID)).id;
      const serial = toBigInt(nft.serialNumber);
      ownedNft(x, token, serial, owner);
      if (canReceive(x, receiver, token)) moveNft(x, token, serial, owner, receiver);
      else pending.push({ sender: owner, receiver, token: token.id, serial, amount: 0n });
    }
  }
  x.outcome.record.newPendingAirdrops = pending.map((airdrop) => addPending(x, airdrop));
}

export function claimAirdrops(x: Execution, data: proto.ITokenClaimAirdropTransactionBody): void {
  for (const id of data.pendingAirdrops ?? []) {
    const airdrop = takePending(x, id);
    assertSigned(x, livingAccount(x, airdrop.receiver).key);
    const token = usableToken(x, airdrop.token);
    if (!x.ledger.tables.relations.has(relationKey(airdrop.receiver, token.id))) {
      addRelation(x, airdrop.receiver, token, { automatic: false });
      x.outcome.automaticAssociations.push({ token: token.id, account: airdrop.receiver });
    }
    if (token.nonFungible) {
      moveNft(x, token, airdrop.serial, airdrop.sender, airdrop.receiver);
    } else {
      addTokens(x, airdrop.sender, token, -airdrop.amount);
      addTokens(x, airdrop.receiver, token, airdrop.amount);
    }
  }
}

export function cancelAirdrops(x: Execution, data: proto.ITokenCancelAirdropTransactionBody): void {
  for (const id of data.pendingAirdrops ?? []) {
    const airdrop = takePending(x, id);
    assertSigned(x, livingAccount(x, airdrop.sender).key);
  }
}

export function rejectTokens(x: Execution, data: proto.ITokenRejectTransactionBody): void {
  const owner = livingAccount(x, data.owner ? resolveAccount(x, data.owner) : x.payer, 'INVALID_OWNER_ID');
  assertSigned(x, owner.key);
  for (const { fungibleToken, nft } of data.rejections ?? []) {
    const token = usableToken(x, nft ? nft.token_ID : fungibleToken);
    if (token.treasury === owner.id) reject('ACCOUNT_IS_TREASURY');
    if (nft) {
      moveNft(x, token, toBigInt(nft.serialNumber), owner.id, token.treasury);
    } else {
      const held = x.ledger.tables.relations.get(relationKey(owner.id, token.id))?.balance ?? 0n;
      if (held === 0n) reject('INSUFFICIENT_TOKEN_BALANCE');
      addTokens(x, owner.id, token, -held);
      addTokens(x, token.treasury, token, held);
    }
  }
}

const pendingKey = ({ sender, receiver, token, serial }: Omit<Airdrop, 'amount'>) =>
  `${sender}:${receiver}:${token}:${serial}`;

/** Whether a token arrives at once: it is associated, or an automatic association is free. */
export function canReceive(x: Pick<Execution, 'ledger'>, id: bigint, token: Token): boolean {
  if (x.ledger.tables.relations.has(relationKey(id, token.id))) return true;
  const { maxAutomaticAssociations: limit, usedAutomaticAssociations: used } = x.ledger.tables.accounts.get(id)!;
  return limit === -1 || used < limit;
}

/** Airdrops of the same token between the same two accounts add up. */
function addPending(x: Execution, airdrop: Airdrop): proto.IPendingAirdropRecord {
  const before = x.ledger.tables.airdrops.get(pendingKey(airdrop))?.amount ?? 0n;
  const amount = before + airdrop.amount;
  x.ledger.put('airdrops', pendingKey(airdrop), { ...airdrop, amount });
  return {
    pendingAirdropId: pendingAirdropId(airdrop),
    pendingAirdropValue: airdrop.serial === 0n ? { amount: toLong(amount) } : undefined,
  };
}

export function pendingAirdropId({ sender, receiver, token, serial }: Airdrop): proto.IPendingAirdropId {
  const ends = { senderId: accountId(sender), receiverId: accountId(receiver) };
  return serial === 0n
    ? { ...ends, fungibleTokenType: tokenId(token) }
    : { ...ends, nonFungibleToken: nftId(token, serial) };
}

function takePending(x: Execution, id: proto.IPendingAirdropId): Airdrop {
  const key = pendingKey({
    sender: toEntityId(id.senderId),
    receiver: toEntityId(id.receiverId),
    token: toEntityId(id.nonFungibleToken ? id.nonFungibleToken.token_ID : id.fungibleTokenType),
    serial: toBigInt(id.nonFungibleToken?.serialNumber),
  });
  const airdrop = x.ledger.tables.airdrops.get(key);
  if (!airdrop) reject('INVALID_PENDING_AIRDROP_ID');
  x.ledger.remove('airdrops', key);
  return airdrop;
}
