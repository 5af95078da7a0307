// A transaction id as text: `shard.realm.num-seconds-nanoseconds`, payer and valid start.
import { refuse } from '../../../../packages/web-server/request-error.ts';
import type { ReadingContext } from '../query/context.ts';
import { parseEntityReference } from './entity-reference.ts';

export const transactionIdForm = /^(\d+\.\d+\.\d+)-(\d{1,19})-(\d{1,9})$/;

export type TransactionId = {
  payerAccountId: bigint;
  /** ns; may lie beyond int64. */
  validStart: bigint;
};

/** undefined = invalid form. Throws RequestError if no account can have the id. */
export function parseTransactionId(text: string, { settings }: ReadingContext): TransactionId | undefined {
  const match = transactionIdForm.exec(text);
  if (!match || BigInt(match[2]!) > maxSeconds) return undefined;
  const payer = parseEntityReference(match[1]!, settings.system);
  if (payer.kind !== 'id') throw refuse('invalidEntityId', { id: payer.padded });
  return { payerAccountId: payer.id, validStart: BigInt(match[2]!) * 1_000_000_000n + BigInt(match[3]!) };
}

const maxSeconds = 2n ** 63n - 1n;
