// The contents of the system files that say what gas costs.
import { proto } from '../../protocol/hapi/hapi.ts';
import { encodeFeeSchedule } from '../../simulated-network/formats/encode-fee-schedule.ts';

/** File 113 with one extra, for gas, in tinycents; null = without it. */
export function encodeSimpleGas(gas: bigint | null): Buffer {
  const none = { nodeBaseFee: 0n, nodeExtras: [], networkMultiplier: 9n, services: new Map() };
  return Buffer.from(
    encodeFeeSchedule({
      ...none,
      extraFees: new Map(
        gas === null
          ? [[1, 7n]]
          : [
              [1, 7n],
              [5, gas],
            ],
      ),
    }),
  );
}

/** File 111: the price in thousandths of a tinycent now, and from `expiry` (s) on, of all that gas has a price for. */
export function encodeClassicGas(gas: number, expiry: bigint, nextGas: number | null = null): Buffer {
  const { ContractCall, ContractCreate, CryptoTransfer, EthereumTransaction } = proto.HederaFunctionality;
  const of = (price: number, seconds: bigint) => ({
    transactionFeeSchedule: [
      { hederaFunctionality: CryptoTransfer, fees: [{ servicedata: { gas: 1 } }] },
      ...[EthereumTransaction, ContractCall, ContractCreate].map((hederaFunctionality) => ({
        hederaFunctionality,
        fees: [{ servicedata: { gas: price } }],
      })),
    ],
    expiryTime: { seconds: Number(seconds) },
  });
  const schedules = {
    currentFeeSchedule: of(gas, expiry),
    nextFeeSchedule: nextGas === null ? null : of(nextGas, 9_000_000_000n),
  };
  return Buffer.from(
    proto.CurrentAndNextFeeSchedule.encode(schedules as unknown as proto.ICurrentAndNextFeeSchedule).finish(),
  );
}

export type RateOf = { hbarEquiv: number; centEquiv: number };

/** File 112: the rate until `expiry` (s), and the next one. */
export function encodeRates(current: RateOf, expiry: bigint, next: RateOf | null = null): Buffer {
  const rates = {
    currentRate: { ...current, expirationTime: { seconds: Number(expiry) } },
    nextRate: next && { ...next, expirationTime: { seconds: 9e9 } },
  };
  return Buffer.from(proto.ExchangeRateSet.encode(rates as unknown as proto.IExchangeRateSet).finish());
}

/** Rows of `file_data`. `when`: s. */
export function fileRows(files: readonly [file: bigint, when: bigint, type: number, content: Buffer][]) {
  return files.map(([entity_id, when, transaction_type, file_data]) => ({
    table: 'file_data',
    row: { entity_id, consensus_timestamp: when * 1_000_000_000n, transaction_type, file_data },
  }));
}
