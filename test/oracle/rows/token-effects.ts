// Tokens: properties, balances, custom fees, and pending airdrops.
import { type proto, toBigInt } from '../../../packages/protocol/hapi/hapi.ts';
import type { ExpectedRow } from './expected-tables.ts';
import {
  type Effect,
  encodeKey,
  type Fact,
  type Known,
  keyMembers,
  nanoseconds,
  seconds,
  tokenOf,
  wrapped,
} from './fact.ts';

const notApplicable = 0;
const [frozen, unfrozen] = [1, 2];
const [granted, revoked] = [1, 2];

type Keys = Pick<
  proto.ITokenUpdateTransactionBody,
  'feeScheduleKey' | 'freezeKey' | 'kycKey' | 'metadataKey' | 'pauseKey' | 'supplyKey' | 'wipeKey'
>;

function keysOf(body: Keys): ExpectedRow {
  return {
    fee_schedule_key: encodeKey(body.feeScheduleKey),
    freeze_key: encodeKey(body.freezeKey),
    kyc_key: encodeKey(body.kycKey),
    metadata_key: encodeKey(body.metadataKey),
    pause_key: encodeKey(body.pauseKey),
    supply_key: encodeKey(body.supplyKey),
    wipe_key: encodeKey(body.wipeKey),
  };
}

export const tokenCreation: Effect<'tokenCreation'> = (fact, body, known) => {
  const id = fact.subject;
  known.entity(fact, id, 'TOKEN', {
    created_timestamp: fact.at,
    deleted: false,
    ...keyMembers(body.adminKey),
    memo: body.memo ?? '',
    auto_renew_account_id: body.autoRenewAccount ? known.account(body.autoRenewAccount) : undefined,
    auto_renew_period: seconds(body.autoRenewPeriod),
    expiration_timestamp: nanoseconds(body.expiry),
  });
  known.tables.version('token', `${id}`, fact.at, {
    token_id: id,
    created_timestamp: fact.at,
    decimals: body.decimals ?? 0,
    freeze_default: body.freezeDefault === true,
    freeze_status: body.freezeKey ? (body.freezeDefault ? frozen : unfrozen) : notApplicable,
    initial_supply: toBigInt(body.initialSupply),
    kyc_status: body.kycKey ? revoked : notApplicable,
    max_supply: toBigInt(body.maxSupply),
    metadata: Buffer.from(body.metadata ?? []),
    name: body.name ?? '',
    pause_status: body.pauseKey ? 'UNPAUSED' : 'NOT_APPLICABLE',
    supply_type: body.supplyType === 1 ? 'FINITE' : 'INFINITE',
    symbol: body.symbol ?? '',
    total_supply: toBigInt(body.initialSupply),
    treasury_account_id: known.account(body.treasury),
    type: body.tokenType === 1 ? 'NON_FUNGIBLE_UNIQUE' : 'FUNGIBLE_COMMON',
    ...keysOf(body),
  });
  setFees(fact, known, id, body.customFees ?? []);
  const listed = (fact.record.automaticTokenAssociations ?? []).map(({ accountId }) => known.account(accountId));
  const inToken = (body.customFees ?? []).filter(
    ({ fixedFee, fractionalFee }) =>
      fractionalFee || (fixedFee?.denominatingTokenId && tokenOf(fixedFee.denominatingTokenId) === 0n),
  );
  const derived = [body.treasury, ...inToken.map((fee) => fee.feeCollectorAccountId)].map(known.account);
  for (const account of new Set(listed.length > 0 ? listed : derived)) {
    associate(fact, known, account, id, {
      automatic_association: false,
      freeze_status: body.freezeKey ? unfrozen : notApplicable,
      kyc_status: body.kycKey ? granted : notApplicable,
    });
  }
};

export const tokenUpdate: Effect<'tokenUpdate'> = (fact, body, known) => {
  const id = fact.subject;
  known.entity(fact, id, 'TOKEN', {
    deleted: false,
    ...keyMembers(body.adminKey),
    memo: wrapped(body.memo, ''),
    auto_renew_account_id: body.autoRenewAccount ? known.account(body.autoRenewAccount) : undefined,
    auto_renew_period: seconds(body.autoRenewPeriod),
    expiration_timestamp: nanoseconds(body.expiry),
  });
  known.tables.version('token', `${id}`, fact.at, {
    name: body.name || undefined,
    symbol: body.symbol || undefined,
    metadata: body.metadata ? Buffer.from(body.metadata.value ?? []) : undefined,
    treasury_account_id: known.account(body.treasury) || undefined,
    ...keysOf(body),
  });
};

export const tokenDeletion: Effect<'tokenDeletion'> = (fact, _body, known) =>
  known.entity(fact, fact.subject, 'TOKEN', { deleted: true });

export const tokenFeeScheduleUpdate: Effect<'tokenFeeScheduleUpdate'> = (fact, body, known) =>
  setFees(fact, known, fact.subject, body.customFees ?? []);

export const tokenPause: Effect<'tokenPause'> = (fact, _body, known) =>
  known.tables.version('token', `${fact.subject}`, fact.at, { pause_status: 'PAUSED' });
export const tokenUnpause: Effect<'tokenUnpause'> = (fact, _body, known) =>
  known.tables.version('token', `${fact.subject}`, fact.at, { pause_status: 'UNPAUSED' });

type AccountOfToken = { account?: proto.IAccountID | null; token?: proto.ITokenID | null };
const setStatus = (members: ExpectedRow) => (fact: Fact, body: AccountOfToken, known: Known) =>
  known.tables.version('token_account', `${known.account(body.account)}:${tokenOf(body.token)}`, fact.at, members);
export const tokenFreeze: Effect<'tokenFreeze'> = setStatus({ freeze_status: frozen });
export const tokenUnfreeze: Effect<'tokenUnfreeze'> = setStatus({ freeze_status: unfrozen });
export const tokenGrantKyc: Effect<'tokenGrantKyc'> = setStatus({ kyc_status: granted });
export const tokenRevokeKyc: Effect<'tokenRevokeKyc'> = setStatus({ kyc_status: revoked });

export const tokenMint: Effect<'tokenMint'> = (fact, body, known) => {
  setSupply(fact, known);
  for (const [index, serial] of (fact.record.receipt?.serialNumbers ?? []).entries()) {
    known.tables.version('nft', `${fact.subject}:${serial}`, fact.at, {
      token_id: fact.subject,
      serial_number: toBigInt(serial),
      created_timestamp: fact.at,
      deleted: false,
      metadata: body.metadata?.[index] ?? null,
    });
  }
};

export const tokenBurn: Effect<'tokenBurn'> = (fact, body, known) => {
  setSupply(fact, known);
  endNfts(fact, known, body.serialNumbers ?? []);
};

export const tokenWipe: Effect<'tokenWipe'> = (fact, body, known) => {
  setSupply(fact, known);
  endNfts(fact, known, body.serialNumbers ?? []);
};

export const tokenUpdateNfts: Effect<'tokenUpdateNfts'> = (fact, body, known) => {
  for (const serial of body.serialNumbers ?? []) {
    known.tables.version('nft', `${fact.subject}:${serial}`, fact.at, {
      metadata: body.metadata ? Buffer.from(body.metadata.value ?? []) : undefined,
    });
  }
};

export const tokenAssociate: Effect<'tokenAssociate'> = (fact, body, known) => {
  for (const token of body.tokens ?? []) {
    associate(fact, known, fact.subject, tokenOf(token), { automatic_association: false });
  }
};

export const tokenDissociate: Effect<'tokenDissociate'> = (fact, body, known) => {
  for (const token of body.tokens ?? []) {
    known.tables.version('token_account', `${fact.subject}:${tokenOf(token)}`, fact.at, { associated: false });
  }
};

export const tokenAirdrop: Effect<'tokenAirdrop'> = (fact, _body, known) => {
  for (const { pendingAirdropId, pendingAirdropValue } of fact.record.newPendingAirdrops ?? []) {
    setAirdrop(fact, known, pendingAirdropId!, {
      state: 'PENDING',
      amount: pendingAirdropValue ? toBigInt(pendingAirdropValue.amount) : undefined,
    });
  }
};

export const tokenCancelAirdrop: Effect<'tokenCancelAirdrop'> = (fact, body, known) => {
  for (const id of body.pendingAirdrops ?? []) setAirdrop(fact, known, id, { state: 'CANCELLED' });
};

export const tokenClaimAirdrop: Effect<'tokenClaimAirdrop'> = (fact, body, known) => {
  for (const id of body.pendingAirdrops ?? []) {
    setAirdrop(fact, known, id, { state: 'CLAIMED' });
    const [receiver, token] = [known.account(id.receiverId), airdropped(id)];
    if (known.tables.latest('token_account', `${receiver}:${token}`)?.associated) continue;
    associate(fact, known, receiver, token, { automatic_association: false });
  }
};

/** A new association, also where there was one before. */
export function associate(fact: Fact, known: Known, account: bigint, token: bigint, members: ExpectedRow): void {
  known.tables.version('token_account', `${account}:${token}`, fact.at, {
    account_id: account,
    token_id: token,
    associated: true,
    balance: 0n,
    balance_timestamp: fact.at,
    created_timestamp: fact.at,
    freeze_status: null,
    kyc_status: null,
    ...members,
  });
}

export function endNfts(
  fact: Fact,
  known: Known,
  serials: readonly { toString(): string }[],
  token = fact.subject,
): void {
  for (const serial of serials) {
    known.tables.version('nft', `${token}:${serial}`, fact.at, {
      account_id: null,
      deleted: true,
      spender: null,
      delegating_spender: null,
    });
  }
}

function setSupply(fact: Fact, known: Known): void {
  const supply = toBigInt(fact.record.receipt?.newTotalSupply);
  known.tables.amend('token', `${fact.subject}`, (row) => ({ ...row, total_supply: supply }));
}

function airdropped(id: proto.IPendingAirdropId): bigint {
  return tokenOf(id.fungibleTokenType ?? id.nonFungibleToken?.token_ID);
}

function setAirdrop(fact: Fact, known: Known, id: proto.IPendingAirdropId, members: ExpectedRow): void {
  const names = {
    sender_account_id: known.account(id.senderId),
    receiver_account_id: known.account(id.receiverId),
    token_id: airdropped(id),
    serial_number: toBigInt(id.nonFungibleToken?.serialNumber),
  };
  known.tables.version('token_airdrop', Object.values(names).join(':'), fact.at, { ...names, ...members });
}

/** Every change replaces all fees; a list without fees is null. */
export function setFees(fact: Fact, known: Known, id: bigint, fees: readonly proto.ICustomFee[]): void {
  const common = (fee: proto.ICustomFee) => ({
    all_collectors_are_exempt: fee.allCollectorsAreExempt === true,
    collector_account_id: known.account(fee.feeCollectorAccountId),
  });
  const fixed = (fee: proto.IFixedFee) => ({
    amount: toBigInt(fee.amount),
    // Token 0.0.0 is the token itself.
    denominating_token_id: fee.denominatingTokenId ? tokenOf(fee.denominatingTokenId) || id : null,
  });
  const list = <T>(rows: T[]): T[] | null => (rows.length > 0 ? rows : null);
  const collected = {
    fixed_fees: fees.flatMap((fee) => (fee.fixedFee ? [{ ...common(fee), ...fixed(fee.fixedFee) }] : [])),
    fractional_fees: fees.flatMap((fee) =>
      fee.fractionalFee
        ? [
            {
              ...common(fee),
              denominator: toBigInt(fee.fractionalFee.fractionalAmount?.denominator),
              maximum_amount: toBigInt(fee.fractionalFee.maximumAmount) || null,
              minimum_amount: toBigInt(fee.fractionalFee.minimumAmount),
              net_of_transfers: fee.fractionalFee.netOfTransfers === true,
              numerator: toBigInt(fee.fractionalFee.fractionalAmount?.numerator),
            },
          ]
        : [],
    ),
    royalty_fees: fees.flatMap((fee) =>
      fee.royaltyFee
        ? [
            {
              ...common(fee),
              denominator: toBigInt(fee.royaltyFee.exchangeValueFraction?.denominator),
              fallback_fee: fee.royaltyFee.fallbackFee ? fixed(fee.royaltyFee.fallbackFee) : null,
              numerator: toBigInt(fee.royaltyFee.exchangeValueFraction?.numerator),
            },
          ]
        : [],
    ),
  };
  known.tables.version('custom_fee', `${id}`, fact.at, {
    entity_id: id,
    fixed_fees: list(collected.fixed_fees),
    fractional_fees: list(collected.fractional_fees),
    royalty_fees: list(collected.royalty_fees),
  });
}
