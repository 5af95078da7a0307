// The schedule of simple fees (HIP-1261) of the system file 113.
import { loadMessages } from '../load-messages.ts';
import type { FeeScheduleMessages } from './fee-schedule.generated.ts';
import { toBigInt } from './hapi.ts';

/** Amounts in tinycents. */
export type FeeSchedule = {
  nodeBaseFee: bigint;
  nodeExtras: readonly ExtraReference[];
  networkMultiplier: bigint;
  /** Unit price, by number of the extra. */
  extraFees: ReadonlyMap<number, bigint>;
  /** By number of the functionality (HederaFunctionality). */
  services: ReadonlyMap<number, ServiceFee>;
};

/** An extra by its number, and how many of it are free. */
export type ExtraReference = { name: number; included: bigint };
type ServiceFee = { baseFee: bigint; extras: readonly ExtraReference[]; free: boolean };

/** Throws errors of the decoder. */
export function decodeFeeSchedule(content: Buffer): FeeSchedule {
  const stored = feeScheduleMessage.decode(content);
  return {
    nodeBaseFee: toBigInt(stored.node?.baseFee),
    nodeExtras: toReferences(stored.node?.extras),
    networkMultiplier: BigInt(stored.network?.multiplier ?? 0),
    extraFees: new Map(stored.extras.map(({ name, fee }) => [name, toBigInt(fee)])),
    services: new Map(
      stored.services.flatMap(({ schedule }) =>
        schedule.map(({ name, baseFee, extras, free }): [number, ServiceFee] => [
          name,
          { baseFee: toBigInt(baseFee), extras: toReferences(extras), free },
        ]),
      ),
    ),
  };
}

export const feeScheduleMessage = loadMessages<FeeScheduleMessages>(new URL('./fee-schedule.proto', import.meta.url))(
  'FeeSchedule',
);

function toReferences(stored: readonly FeeScheduleMessages['ExtraReference'][] = []): ExtraReference[] {
  return stored.map(({ name, includedCount }) => ({ name, included: BigInt(includedCount) }));
}
