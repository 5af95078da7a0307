// The content of the system files 111 (fee schedule) and 112 (exchange rate): rates, and prices of gas.
import { proto, toBigInt } from '../../protocol/hapi/hapi.ts';
import type { SystemFile } from '../files/read-system-file.ts';
import type { ExchangeRate, GasFee, GasFees, Rate } from './network.ts';

export function toExchangeRate({ value, timestamp }: SystemFile<proto.ExchangeRateSet>): ExchangeRate {
  return { currentRate: toRate(value.currentRate), nextRate: toRate(value.nextRate), timestamp };
}

/** `at`: the moment that decides between the current and the next ones, ns. */
export function toGasFees(
  { value, timestamp }: SystemFile<proto.CurrentAndNextFeeSchedule>,
  rates: proto.ExchangeRateSet,
  at: bigint,
): GasFees {
  const { currentFeeSchedule: current, nextFeeSchedule: next } = value;
  const schedule = isPast(current?.expiryTime, at) ? next : current;
  const { centEquivalent, hbarEquivalent } = toRate(
    isPast(rates.currentRate?.expirationTime, at) ? rates.nextRate : rates.currentRate,
  );
  if (centEquivalent === 0) return { fees: [], timestamp };
  const fees = (schedule?.transactionFeeSchedule ?? []).flatMap(({ hederaFunctionality, fees: prices }): GasFee[] => {
    const transactionType = names.get(hederaFunctionality ?? null);
    const price = prices?.[0]?.servicedata;
    if (transactionType === undefined || !price) return [];
    // The schedule is in thousandths of a tinycent. Divided first, as the mirror node does; the price of a contract result is
    // divided last and can be a tinybar more.
    const gas = ((toBigInt(price.gas) / 1000n) * BigInt(hbarEquivalent)) / BigInt(centEquivalent);
    return [{ transactionType, gas: gas > 1n ? gas : 1n }];
  });
  return { fees: fees.sort((one, other) => (one.transactionType < other.transactionType ? -1 : 1)), timestamp };
}

const names: ReadonlyMap<proto.HederaFunctionality | null, string> = new Map([
  [proto.HederaFunctionality.ContractCall, 'ContractCall'],
  [proto.HederaFunctionality.ContractCreate, 'ContractCreate'],
  [proto.HederaFunctionality.EthereumTransaction, 'EthereumTransaction'],
]);

function isPast(expiry: proto.ITimestampSeconds | null | undefined, at: bigint): boolean {
  return at > toBigInt(expiry?.seconds) * 1_000_000_000n;
}

function toRate(rate: proto.IExchangeRate | null | undefined): Rate {
  return {
    centEquivalent: rate?.centEquiv ?? 0,
    hbarEquivalent: rate?.hbarEquiv ?? 0,
    expirationTime: toBigInt(rate?.expirationTime?.seconds),
  };
}
