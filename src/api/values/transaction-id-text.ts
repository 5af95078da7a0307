// A transaction's id in paths and answers: payer, seconds and nanoseconds of its valid start.
import { formatEntityId } from '../../../packages/protocol/hapi/entity-id.ts';

/** `validStart` in ns since 1970. */
export function formatTransactionId({ payerId, validStart }: { payerId: bigint; validStart: bigint }): string {
  const digits = validStart.toString().padStart(10, '0');
  return `${formatEntityId(payerId)}-${digits.slice(0, -9)}-${digits.slice(-9)}`;
}
