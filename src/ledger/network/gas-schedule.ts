// Where it stands what gas costs at a moment: in the simple fees (file 113), or, before the network had them, in the
// fee schedules (file 111). No constant says when simple fees began: they did with the first content of file 113 in the
// stream. From then on file 111 counts nowhere, however long it stays.

import type { Database } from '../../../packages/postgres/wire/database.ts';
import { decodeFeeSchedule, type FeeSchedule } from '../../../packages/protocol/hapi/fee-schedule.ts';
import { proto, toBigInt } from '../../../packages/protocol/hapi/hapi.ts';
import { type SystemRealm, systemEntityId } from '../../../packages/protocol/hapi/system-entity.ts';
import { readSystemFile, type SystemFile } from '../files/read-system-file.ts';
import { extras } from './extras.ts';

/** `simple`: the schedule of file 113; `classic`: the schedules of file 111. */
export type GasSchedule = { simple: FeeSchedule } | { classic: proto.CurrentAndNextFeeSchedule };

type When = { system: SystemRealm; from?: bigint | null; upTo: bigint };

/** `from`, `upTo`: when it was written, ns. null = no file of that time can be read. */
export async function readGasSchedule(
  db: Database,
  { system, from = null, upTo }: When,
): Promise<SystemFile<GasSchedule> | null> {
  const simpleId = systemEntityId('simpleFees', system);
  const simple = await readSystemFile(db, { fileId: simpleId, from, upTo }, decodeFeeSchedule);
  if (simple) return { value: { simple: simple.value }, timestamp: simple.timestamp };
  // Written before `from`, they have ended the time of file 111 all the same.
  if (from !== null && (await readSystemFile(db, { fileId: simpleId, upTo }, decodeFeeSchedule))) return null;
  const classicId = systemEntityId('feeSchedules', system);
  const classic = await readSystemFile(db, { fileId: classicId, from, upTo }, decodeClassic);
  return classic && { value: { classic: classic.value }, timestamp: classic.timestamp };
}

/** null = they hold none, which is content that cannot be used. Throws errors of the decoder. */
export function decodeClassic(content: Buffer): proto.CurrentAndNextFeeSchedule | null {
  const schedules = proto.CurrentAndNextFeeSchedule.decode(content);
  return schedules.currentFeeSchedule ? schedules : null;
}

/** Of a contract call at `at` (ns), in thousandths of a tinycent; null = the schedule says none. */
export function gasOfCall(schedule: GasSchedule, at: bigint): bigint | null {
  if ('simple' in schedule) {
    const tinycents = simpleGas(schedule.simple);
    return tinycents === null ? null : tinycents * 1000n;
  }
  const entry = classicAt(schedule.classic, at)?.transactionFeeSchedule?.find(
    (fees) => fees.hederaFunctionality === proto.HederaFunctionality.ContractCall,
  );
  const gas = entry?.fees?.[0]?.servicedata?.gas;
  return gas === null || gas === undefined ? null : toBigInt(gas);
}

/** Tinycents; null = the schedule has no extra for gas. */
export function simpleGas({ extraFees }: FeeSchedule): bigint | null {
  return extraFees.get(extras.GAS) ?? null;
}

/** The next schedule of the file, once the current one has expired at `at` (ns). */
export function classicAt(
  { currentFeeSchedule: current, nextFeeSchedule: next }: proto.CurrentAndNextFeeSchedule,
  at: bigint,
): proto.IFeeSchedule | null | undefined {
  return isPast(current?.expiryTime, at) ? next : current;
}

export function isPast(expiry: proto.ITimestampSeconds | null | undefined, at: bigint): boolean {
  return at > toBigInt(expiry?.seconds) * 1_000_000_000n;
}
