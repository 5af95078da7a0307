// The schedule of simple fees as the content of the system file 113.
import { type ExtraReference, type FeeSchedule, feeScheduleMessage } from '../../protocol/hapi/fee-schedule.ts';

export function encodeFeeSchedule(schedule: FeeSchedule): Uint8Array {
  const references = (list: readonly ExtraReference[]) =>
    list.map(({ name, included }) => ({ name, includedCount: Number(included) }));
  const services = [...schedule.services].map(([name, { baseFee, extras, free }]) => ({
    name,
    baseFee: Number(baseFee),
    extras: references(extras),
    free,
  }));
  return feeScheduleMessage
    .encode({
      node: { baseFee: Number(schedule.nodeBaseFee), extras: references(schedule.nodeExtras) },
      network: { multiplier: Number(schedule.networkMultiplier) },
      extras: [...schedule.extraFees].map(([name, fee]) => ({ name, fee: Number(fee) })),
      services: [{ name: 'Services', schedule: services }],
    })
    .finish();
}
