// What is scheduled, as a part of a sentence.
import type { proto } from '../../../packages/protocol/hapi/hapi.ts';
import { type BodyField, typeNumber } from '../../../packages/protocol/hapi/transaction-types.ts';
import { typeWords } from './transaction-words.ts';

/** `crypto transfer`; null = it cannot be read. */
export function scheduledWords(body: proto.ISchedulableTransactionBody | null): string | null {
  const field = body && Object.keys(body).find((name): name is BodyField => name in typeNumber);
  return field ? typeWords(typeNumber[field]).toLowerCase() : null;
}
