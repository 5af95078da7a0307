// The cost of a transaction by the schedule of simple fees. Only the transaction's own content is counted: signatures,
// bytes, and the extras of its type. A transaction whose price depends on more is not priced at all.
import type { ExtraReference, FeeSchedule } from '../../../packages/protocol/hapi/fee-schedule.ts';
import type { TransactionBody } from '../../../packages/protocol/hapi/transaction-body.ts';
import { type Extra, extraNames, extras } from './extras.ts';
import { pricedServices } from './priced-services.ts';

export type PricedTransaction = {
  /** Number of the transaction type. */
  type: number;
  body: TransactionBody;
  signatures: number;
  /** Of the whole transaction, signatures included. */
  sizeBytes: number;
};

type ExtraFee = {
  name: string;
  count: bigint;
  included: bigint;
  charged: bigint;
  feePerUnit: bigint;
  subtotal: bigint;
};

/** Tinycents. */
export type FeeEstimate = {
  node: { base: bigint; extras: ExtraFee[] };
  network: { multiplier: bigint; subtotal: bigint };
  service: { base: bigint; extras: ExtraFee[] };
  total: bigint;
};

/** null = there is no exact price. */
export function estimateFee(schedule: FeeSchedule, transaction: PricedTransaction): FeeEstimate | null {
  const { body, signatures, sizeBytes } = transaction;
  const priced = pricedServices.get(transaction.type);
  const service = priced && schedule.services.get(priced.functionality);
  if (!service || body.highVolume) return null;
  const counts = priced.count(body);
  if (!counts) return null;
  const nodeExtras = toExtras(schedule, schedule.nodeExtras, {
    [extras.SIGNATURES]: signatures,
    [extras.PROCESSING_BYTES]: sizeBytes,
  });
  const serviceExtras = toExtras(schedule, service.extras, counts);
  if (!nodeExtras || !serviceExtras) return null;
  if (service.free) {
    return {
      node: { base: 0n, extras: [] },
      network: { multiplier: schedule.networkMultiplier, subtotal: 0n },
      service: { base: 0n, extras: [] },
      total: 0n,
    };
  }
  const node = schedule.nodeBaseFee + sum(nodeExtras);
  const network = node * schedule.networkMultiplier;
  return {
    node: { base: schedule.nodeBaseFee, extras: nodeExtras },
    network: { multiplier: schedule.networkMultiplier, subtotal: network },
    service: { base: service.baseFee, extras: serviceExtras },
    total: node + network + service.baseFee + sum(serviceExtras),
  };
}

/** null = one of them cannot be counted. */
function toExtras(
  { extraFees }: FeeSchedule,
  references: readonly ExtraReference[],
  counts: Partial<Record<Extra, number>>,
): ExtraFee[] | null {
  const found: ExtraFee[] = [];
  for (const { name, included } of references) {
    const counted = counts[name as Extra];
    const feePerUnit = extraFees.get(name);
    if (counted === undefined || feePerUnit === undefined) return null;
    const count = BigInt(counted);
    const charged = count > included ? count - included : 0n;
    found.push({ name: extraNames.get(name)!, count, included, charged, feePerUnit, subtotal: charged * feePerUnit });
  }
  return found;
}

function sum(fees: readonly ExtraFee[]): bigint {
  return fees.reduce((total, { subtotal }) => total + subtotal, 0n);
}
