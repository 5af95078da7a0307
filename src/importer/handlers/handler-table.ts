// Every transaction type that contributes more than its transaction row and transfers. Other types are stored
// generically, without an entity.

import {
  type BodyField,
  type FieldOf,
  type TransactionFamily,
  typeNumber,
} from '../../../packages/protocol/hapi/transaction-types.ts';
import type { TransactionHandler } from '../block/transaction-handler.ts';
import { accountHandlers } from './account/account-handlers.ts';
import { contractHandlers } from './contract/contract-handlers.ts';
import { fileHandlers } from './file/file-handlers.ts';
import { hookHandlers } from './hook/hook-handlers.ts';
import { networkHandlers } from './network/network-handlers.ts';
import { scheduleHandlers } from './schedule/schedule-handlers.ts';
import { tokenHandlers } from './token/token-handlers.ts';
import { topicHandlers } from './topic/topic-handlers.ts';

/** A type of one of these families does not compile without its handler. */
const handlers: { readonly [Field in FieldOf<HandledFamily>]: TransactionHandler<Field> } = {
  ...accountHandlers,
  ...contractHandlers,
  ...fileHandlers,
  ...hookHandlers,
  ...networkHandlers,
  ...scheduleHandlers,
  ...tokenHandlers,
  ...topicHandlers,
};

type HandledFamily = Exclude<TransactionFamily, 'generic' | 'internal'>;

const byType: ReadonlyMap<number, TransactionHandler & { bodyField: BodyField }> = new Map(
  (Object.entries(handlers) as [BodyField, TransactionHandler][]).map(([bodyField, handler]) => [
    typeNumber[bodyField],
    { bodyField, ...handler },
  ]),
);

/** Undefined for types without a handler. `bodyField`: the field that it reads, absent if it could not be decoded. */
export function findHandler(type: number): (TransactionHandler & { bodyField: BodyField }) | undefined {
  return byType.get(type);
}
