// The state messages of tokens, their relations to accounts, NFTs and pending airdrops.
import { proto } from '../../protocol/hapi/hapi.ts';
import { accountId, nftId, tokenId, toLong } from '../ledger/hapi-values.ts';
import type { Airdrop, CustomFee, Nft, Relation, Token, TokenKeyName } from '../ledger/ledger.ts';
import { encodeMessage } from './message-fields.ts';

export function tokenState(token: Token): Buffer {
  const key = (name: TokenKeyName) => (token.keys[name] ? proto.Key.decode(token.keys[name]) : undefined);
  return encodeMessage(proto.Token, {
    tokenId: tokenId(token.id),
    totalSupply: toLong(token.totalSupply),
    treasuryAccountId: accountId(token.treasury),
    adminKey: key('admin'),
    kycKey: key('kyc'),
    freezeKey: key('freeze'),
    wipeKey: key('wipe'),
    supplyKey: key('supply'),
    feeScheduleKey: key('feeSchedule'),
    pauseKey: key('pause'),
    metadataKey: key('metadata'),
    lastUsedSerialNumber: toLong(token.nextSerial - 1n),
    deleted: token.deleted,
    tokenType: token.nonFungible ? proto.TokenType.NON_FUNGIBLE_UNIQUE : proto.TokenType.FUNGIBLE_COMMON,
    supplyType: token.maxSupply > 0n ? proto.TokenSupplyType.FINITE : proto.TokenSupplyType.INFINITE,
    maxSupply: toLong(token.maxSupply),
    paused: token.paused,
    accountsFrozenByDefault: token.freezeDefault,
    customFees: token.customFees.map(toCustomFee),
  });
}

/** EntityIDPair; the account is first. */
export function relationKey({ account, token }: Pick<Relation, 'account' | 'token'>): Buffer {
  return encodeMessage(proto.EntityIDPair, { accountId: accountId(account), tokenId: tokenId(token) });
}

export function relationState(relation: Relation): Buffer {
  return encodeMessage(proto.TokenRelation, {
    tokenId: tokenId(relation.token),
    accountId: accountId(relation.account),
    balance: toLong(relation.balance),
    frozen: relation.frozen,
    kycGranted: relation.kycGranted,
    automaticAssociation: relation.automatic,
  });
}

export function nftKey({ token, serial }: Pick<Nft, 'token' | 'serial'>): Buffer {
  return encodeMessage(proto.NftID, nftId(token, serial));
}

/** The owner is left out where it is the treasury. */
export function nftState({ token, serial, owner, spender }: Nft, treasury: bigint | undefined): Buffer {
  return encodeMessage(proto.Nft, {
    nftId: nftId(token, serial),
    ownerId: owner === treasury ? undefined : accountId(owner),
    spenderId: spender === null ? undefined : accountId(spender),
  });
}

/** AccountPendingAirdrop; of an NFT it has no amount. */
export function airdropState({ serial, amount }: Airdrop): Buffer {
  const value = serial === 0n ? { amount: toLong(amount) } : undefined;
  return encodeMessage(proto.AccountPendingAirdrop, { pendingAirdropValue: value });
}

function toCustomFee(fee: CustomFee): proto.ICustomFee {
  const common = {
    feeCollectorAccountId: accountId(fee.collector),
    allCollectorsAreExempt: fee.allCollectorsAreExempt,
  };
  if (fee.kind === 'fixed') return { ...common, fixedFee: fixedFee(fee.amount, fee.denominatingToken) };
  const fraction = { numerator: toLong(fee.numerator), denominator: toLong(fee.denominator) };
  if (fee.kind === 'royalty') {
    const fallbackFee = fee.fallback ? fixedFee(fee.fallback.amount, fee.fallback.token) : undefined;
    return { ...common, royaltyFee: { exchangeValueFraction: fraction, fallbackFee } };
  }
  return {
    ...common,
    fractionalFee: {
      fractionalAmount: fraction,
      minimumAmount: toLong(fee.minimum),
      maximumAmount: toLong(fee.maximum),
      netOfTransfers: fee.net,
    },
  };
}

function fixedFee(amount: bigint, token: bigint | null): proto.IFixedFee {
  return { amount: toLong(amount), denominatingTokenId: token === null ? undefined : tokenId(token) };
}
