// The token that a scheduled transaction will create, as far as its body says.
import { proto, toBigInt } from '../../../protocol/hapi/hapi.ts';
import type { CustomFees, StoredKey, TokenFacts } from '../../state/ledger-facts.ts';

/** null: the transaction creates no token, or cannot be read. */
export function tokenOfCreation(scheduledBody: Uint8Array): TokenFacts | null {
  const created = readCreation(scheduledBody);
  if (!created) return null;
  const { tokenType, supplyType } = created;
  return {
    isFungible: tokenType !== proto.TokenType.NON_FUNGIBLE_UNIQUE,
    name: created.name ?? '',
    symbol: created.symbol ?? '',
    memo: created.memo ?? '',
    decimals: created.decimals ?? 0,
    totalSupply: toBigInt(created.initialSupply),
    maxSupply: toBigInt(created.maxSupply),
    isFinite: supplyType === proto.TokenSupplyType.FINITE,
    treasury: numOf(created.treasury) ?? 0n,
    keys: {
      admin: storedKey(created.adminKey),
      kyc: storedKey(created.kycKey),
      freeze: storedKey(created.freezeKey),
      wipe: storedKey(created.wipeKey),
      supply: storedKey(created.supplyKey),
      feeSchedule: storedKey(created.feeScheduleKey),
      pause: storedKey(created.pauseKey),
      metadata: storedKey(created.metadataKey),
    },
    freezeDefault: created.freezeDefault ?? false,
    freezeStatus: 0,
    kycStatus: 0,
    isPaused: false,
    metadata: created.metadata ?? new Uint8Array(0),
    created: 0n,
    expiration: toBigInt(created.expiry?.seconds) * 1_000_000_000n,
    autoRenewPeriod: toBigInt(created.autoRenewPeriod?.seconds),
    autoRenewAccount: numOf(created.autoRenewAccount),
    fees: feesOf(created.customFees ?? []),
  };
}

function readCreation(scheduledBody: Uint8Array): proto.ITokenCreateTransactionBody | null | undefined {
  try {
    return proto.SchedulableTransactionBody.decode(scheduledBody).tokenCreation;
  } catch {
    return null; // Bodies are stored as they came.
  }
}

function storedKey(key: proto.IKey | null | undefined): StoredKey {
  return key ? proto.Key.encode(key).finish() : null;
}

function numOf(id: proto.IAccountID | proto.ITokenID | null | undefined): bigint | null {
  if (!id) return null;
  const num = 'tokenNum' in id ? id.tokenNum : (id as proto.IAccountID).accountNum;
  return BigInt.asUintN(63, toBigInt(num));
}

function feesOf(fees: readonly proto.ICustomFee[]): CustomFees {
  return {
    fixed: fees.flatMap((fee) => {
      const { fixedFee } = fee;
      return fixedFee ? [{ ...amountOf(fixedFee), collector: collectorOf(fee) }] : [];
    }),
    fractional: fees.flatMap((fee) => {
      const { fractionalFee } = fee;
      if (!fractionalFee) return [];
      const { fractionalAmount: part, minimumAmount, maximumAmount, netOfTransfers } = fractionalFee;
      return [
        {
          numerator: toBigInt(part?.numerator),
          denominator: toBigInt(part?.denominator),
          min: toBigInt(minimumAmount),
          max: toBigInt(maximumAmount),
          netOfTransfers: netOfTransfers ?? false,
          collector: collectorOf(fee),
        },
      ];
    }),
    royalty: fees.flatMap((fee) => {
      const { royaltyFee } = fee;
      if (!royaltyFee) return [];
      const { exchangeValueFraction: part, fallbackFee } = royaltyFee;
      return [
        {
          numerator: toBigInt(part?.numerator),
          denominator: toBigInt(part?.denominator),
          fallback: fallbackFee ? amountOf(fallbackFee) : null,
          collector: collectorOf(fee),
        },
      ];
    }),
  };
}

function amountOf({ amount, denominatingTokenId }: proto.IFixedFee): { amount: bigint; token: bigint | null } {
  return { amount: toBigInt(amount), token: numOf(denominatingTokenId) };
}

function collectorOf({ feeCollectorAccountId }: proto.ICustomFee): bigint {
  return numOf(feeCollectorAccountId) ?? 0n;
}
