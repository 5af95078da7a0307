// Exchange rates (file 112), and the prices of gas that follow from them and from the schedule of fees (files 113 and
// 111).
import { proto, toBigInt } from '../../../packages/protocol/hapi/hapi.ts';
import type { SystemFile } from '../files/read-system-file.ts';
import { classicAt, type GasSchedule, isPast, simpleGas } from './gas-schedule.ts';
import type { ExchangeRate, GasFee, GasFees, Rate } from './network.ts';

export function toExchangeRate({ value, timestamp }: SystemFile<proto.ExchangeRateSet>): ExchangeRate {
  return { currentRate: toRate(value.currentRate), nextRate: toRate(value.nextRate), timestamp };
}

/** `at`: the moment that decides between the current and the next ones, ns. By name of the transaction type. */
export function toGasFees(
  { value: schedule, timestamp }: SystemFile<GasSchedule>,
  rates: proto.ExchangeRateSet,
  at: bigint,
): GasFees {
  const { centEquivalent, hbarEquivalent } = toRate(
    isPast(rates.currentRate?.expirationTime, at) ? rates.nextRate : rates.currentRate,
  );
  if (centEquivalent === 0) return { fees: [], timestamp };
  const fees = pricesOf(schedule, at).map(([transactionType, tinycents]): GasFee => {
    const gas = (tinycents * BigInt(hbarEquivalent)) / BigInt(centEquivalent);
    return { transactionType, gas: gas > 1n ? gas : 1n };
  });
  return { fees: fees.sort((one, other) => (one.transactionType < other.transactionType ? -1 : 1)), timestamp };
}

/** Tinycents for one gas, by name of the transaction type. Simple fees have one price for all of them. */
function pricesOf(schedule: GasSchedule, at: bigint): [name: string, tinycents: bigint][] {
  if ('simple' in schedule) {
    const gas = simpleGas(schedule.simple);
    return gas === null ? [] : [...names.values()].map((name) => [name, gas]);
  }
  return (classicAt(schedule.classic, at)?.transactionFeeSchedule ?? []).flatMap(
    ({ hederaFunctionality, fees: prices }): [string, bigint][] => {
      const name = names.get(hederaFunctionality ?? null);
      const price = prices?.[0]?.servicedata;
      // The schedule is in thousandths of a tinycent. Divided first, as the mirror node does; the price of a contract
      // result is divided last and can be a tinybar more.
      return name === undefined || !price ? [] : [[name, toBigInt(price.gas) / 1000n]];
    },
  );
}

const names: ReadonlyMap<proto.HederaFunctionality | null, string> = new Map([
  [proto.HederaFunctionality.ContractCall, 'ContractCall'],
  [proto.HederaFunctionality.ContractCreate, 'ContractCreate'],
  [proto.HederaFunctionality.EthereumTransaction, 'EthereumTransaction'],
]);

function toRate(rate: proto.IExchangeRate | null | undefined): Rate {
  return {
    centEquivalent: rate?.centEquiv ?? 0,
    hbarEquivalent: rate?.hbarEquiv ?? 0,
    expirationTime: toBigInt(rate?.expirationTime?.seconds),
  };
}
