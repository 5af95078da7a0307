// What a transaction costs by the schedule of simple fees. Only what the transaction itself says is counted: signatures and
// bytes. A type whose price needs more is not priced at all.
import type { ExtraReference, FeeSchedule } from '../../protocol/hapi/fee-schedule.ts';
import { proto } from '../../protocol/hapi/hapi.ts';
import { transactionTypes } from '../../protocol/hapi/transaction-types.ts';

export type PricedTransaction = {
  /** Number of the transaction type. */
  type: number;
  signatures: number;
  /** Of the whole transaction, signatures included. */
  sizeBytes: number;
  highVolume: boolean;
};

export type ExtraFee = {
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

/** null = the price of this type cannot be told exactly. */
export function estimateFee(schedule: FeeSchedule, transaction: PricedTransaction): FeeEstimate | null {
  const functionality = functionalities.get(transaction.type);
  const service = functionality === undefined ? undefined : schedule.services.get(functionality);
  if (!service || transaction.highVolume) return null;
  const nodeExtras = toExtras(schedule, schedule.nodeExtras, transaction);
  const serviceExtras = toExtras(schedule, service.extras, transaction);
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

/** What can be counted in a transaction, by number of the extra. */
const countable: ReadonlyMap<number, { name: string; count(transaction: PricedTransaction): number }> = new Map([
  [0, { name: 'SIGNATURES', count: ({ signatures }) => signatures }],
  [23, { name: 'PROCESSING_BYTES', count: ({ sizeBytes }) => sizeBytes }],
]);

/** null = one of them cannot be counted. */
function toExtras(
  { extraFees }: FeeSchedule,
  references: readonly ExtraReference[],
  transaction: PricedTransaction,
): ExtraFee[] | null {
  const extras: ExtraFee[] = [];
  for (const { name, included } of references) {
    const counted = countable.get(name);
    const feePerUnit = extraFees.get(name);
    if (!counted || feePerUnit === undefined) return null;
    const count = BigInt(counted.count(transaction));
    const charged = count > included ? count - included : 0n;
    extras.push({ name: counted.name, count, included, charged, feePerUnit, subtotal: charged * feePerUnit });
  }
  return extras;
}

function sum(extras: readonly ExtraFee[]): bigint {
  return extras.reduce((total, { subtotal }) => total + subtotal, 0n);
}

const { HederaFunctionality } = proto;

/** Types that cost the same whatever they say. Those that carry others, run code or move amounts are not among them. */
const functionalities: ReadonlyMap<number, proto.HederaFunctionality> = new Map(
  (
    [
      ['consensusDeleteTopic', HederaFunctionality.ConsensusDeleteTopic],
      ['cryptoDelete', HederaFunctionality.CryptoDelete],
      ['fileDelete', HederaFunctionality.FileDelete],
      ['scheduleDelete', HederaFunctionality.ScheduleDelete],
      ['tokenBurn', HederaFunctionality.TokenBurn],
      ['tokenDeletion', HederaFunctionality.TokenDelete],
      ['tokenDissociate', HederaFunctionality.TokenDissociateFromAccount],
      ['tokenFreeze', HederaFunctionality.TokenFreezeAccount],
      ['tokenGrantKyc', HederaFunctionality.TokenGrantKycToAccount],
      ['tokenPause', HederaFunctionality.TokenPause],
      ['tokenRevokeKyc', HederaFunctionality.TokenRevokeKycFromAccount],
      ['tokenUnfreeze', HederaFunctionality.TokenUnfreezeAccount],
      ['tokenUnpause', HederaFunctionality.TokenUnpause],
      ['tokenWipe', HederaFunctionality.TokenAccountWipe],
      ['utilPrng', HederaFunctionality.UtilPrng],
    ] as const
  ).map(([bodyField, functionality]) => [
    transactionTypes.find((type) => type.bodyField === bodyField)!.number,
    functionality,
  ]),
);
