// Token creation, and the reading of keys and custom fees from HAPI, which updates share.
import { toEntityId } from '../../protocol/hapi/entity-id.ts';
import { type proto, toBigInt } from '../../protocol/hapi/hapi.ts';
import { accountId, tokenId, toLong } from '../ledger/hapi-values.ts';
import type { CustomFee, Token, TokenKeyName } from '../ledger/ledger.ts';
import { encodeKey } from '../ledger/signing-keys.ts';
import {
  addRelation,
  assertSigned,
  type Execution,
  livingAccount,
  positive,
  reject,
  relationKey,
  resolveAccount,
} from './execution.ts';

export function createToken(x: Execution, data: proto.ITokenCreateTransactionBody): void {
  const treasury = livingAccount(x, resolveAccount(x, data.treasury), 'INVALID_TREASURY_ACCOUNT_FOR_TOKEN');
  assertSigned(x, treasury.key);
  if (!data.name) reject('MISSING_TOKEN_NAME');
  if (!data.symbol) reject('MISSING_TOKEN_SYMBOL');
  const nonFungible = data.tokenType === 1;
  const initialSupply = positive(data.initialSupply, 'INVALID_TOKEN_INITIAL_SUPPLY');
  const maxSupply = positive(data.maxSupply, 'INVALID_TOKEN_MAX_SUPPLY');
  if (nonFungible && initialSupply > 0n) reject('INVALID_TOKEN_INITIAL_SUPPLY');
  if (nonFungible && !data.supplyKey) reject('TOKEN_HAS_NO_SUPPLY_KEY');
  if (data.supplyType === 1 && maxSupply === 0n) reject('INVALID_TOKEN_MAX_SUPPLY');
  if (maxSupply > 0n && initialSupply > maxSupply) reject('INVALID_TOKEN_INITIAL_SUPPLY');
  if (data.adminKey) assertSigned(x, encodeKey(data.adminKey));

  const id = x.ledger.take('nextEntity');
  const token: Token = {
    id,
    nonFungible,
    treasury: treasury.id,
    totalSupply: initialSupply,
    maxSupply,
    nextSerial: 1n,
    keys: readTokenKeys(data),
    freezeDefault: data.freezeDefault ?? false,
    paused: false,
    deleted: false,
    customFees: readCustomFees(data.customFees ?? [], id),
  };
  x.ledger.put('tokens', id, token);
  const associated = new Set([treasury.id]);
  for (const fee of token.customFees) {
    livingAccount(x, fee.collector, 'INVALID_CUSTOM_FEE_COLLECTOR');
    if (fee.kind === 'fractional' || (fee.kind === 'fixed' && fee.denominatingToken === id))
      associated.add(fee.collector);
  }
  for (const account of associated) {
    addRelation(x, account, token, { automatic: false, trusted: true });
    x.outcome.automaticAssociations.push({ token: id, account });
  }
  x.ledger.change('relations', relationKey(treasury.id, id), { balance: initialSupply });
  x.outcome.receipt.tokenID = tokenId(id);
  x.outcome.receipt.newTotalSupply = toLong(initialSupply);
}

/** HAPI member names of token keys. */
const keyMembers = {
  admin: 'adminKey',
  kyc: 'kycKey',
  freeze: 'freezeKey',
  wipe: 'wipeKey',
  supply: 'supplyKey',
  feeSchedule: 'feeScheduleKey',
  pause: 'pauseKey',
  metadata: 'metadataKey',
} as const satisfies Record<TokenKeyName, keyof proto.ITokenCreateTransactionBody>;

type WithTokenKeys = { [M in (typeof keyMembers)[TokenKeyName]]?: proto.IKey | null };

export function readTokenKeys(data: WithTokenKeys): Token['keys'] {
  const keys: Token['keys'] = {};
  for (const [name, member] of Object.entries(keyMembers) as [TokenKeyName, keyof WithTokenKeys][]) {
    const key = data[member];
    if (key) keys[name] = encodeKey(key);
  }
  return keys;
}

export function readCustomFees(fees: proto.ICustomFee[], ownToken: bigint): CustomFee[] {
  // Token 0.0.0 means the token itself.
  const denominating = (token: proto.ITokenID | null | undefined) => (token ? toEntityId(token) || ownToken : null);
  return fees.map((fee): CustomFee => {
    const shared = {
      collector: toEntityId(fee.feeCollectorAccountId),
      allCollectorsAreExempt: fee.allCollectorsAreExempt ?? false,
    };
    if (fee.fixedFee) {
      const { amount, denominatingTokenId } = fee.fixedFee;
      return {
        ...shared,
        kind: 'fixed',
        amount: toBigInt(amount),
        denominatingToken: denominating(denominatingTokenId),
      };
    }
    if (fee.fractionalFee) {
      return {
        ...shared,
        kind: 'fractional',
        numerator: toBigInt(fee.fractionalFee.fractionalAmount?.numerator),
        denominator: toBigInt(fee.fractionalFee.fractionalAmount?.denominator),
        minimum: toBigInt(fee.fractionalFee.minimumAmount),
        maximum: toBigInt(fee.fractionalFee.maximumAmount),
        net: fee.fractionalFee.netOfTransfers ?? false,
      };
    }
    const royalty = fee.royaltyFee;
    if (!royalty) reject('CUSTOM_FEE_NOT_FULLY_SPECIFIED');
    const fallback = royalty.fallbackFee;
    return {
      ...shared,
      kind: 'royalty',
      numerator: toBigInt(royalty.exchangeValueFraction?.numerator),
      denominator: toBigInt(royalty.exchangeValueFraction?.denominator),
      fallback: fallback
        ? { amount: toBigInt(fallback.amount), token: denominating(fallback.denominatingTokenId) }
        : null,
    };
  });
}

/** Custom fees back into HAPI, for updates that keep some of them. */
export function writeCustomFees(fees: readonly CustomFee[]): proto.ICustomFee[] {
  const fixed = (amount: bigint, token: bigint | null): proto.IFixedFee => ({
    amount: toLong(amount),
    denominatingTokenId: token === null ? undefined : tokenId(token),
  });
  return fees.map((fee) => {
    const shared = {
      feeCollectorAccountId: accountId(fee.collector),
      allCollectorsAreExempt: fee.allCollectorsAreExempt,
    };
    if (fee.kind === 'fixed') return { ...shared, fixedFee: fixed(fee.amount, fee.denominatingToken) };
    const fraction = { numerator: toLong(fee.numerator), denominator: toLong(fee.denominator) };
    if (fee.kind === 'fractional') {
      return {
        ...shared,
        fractionalFee: {
          fractionalAmount: fraction,
          minimumAmount: toLong(fee.minimum),
          maximumAmount: toLong(fee.maximum),
          netOfTransfers: fee.net,
        },
      };
    }
    return {
      ...shared,
      royaltyFee: {
        exchangeValueFraction: fraction,
        fallbackFee: fee.fallback ? fixed(fee.fallback.amount, fee.fallback.token) : undefined,
      },
    };
  });
}
