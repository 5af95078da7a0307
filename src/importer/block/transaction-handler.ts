// What a transaction type contributes: the entity that it is about, and the rows that only it makes. What all types
// share (transaction row, transfers, results, signatures …) is done once in `item/import-item.ts`.
import type { TransactionBody } from '../../../packages/protocol/hapi/transaction-body.ts';
import type { BodyField, FieldOf, TransactionFamily } from '../../../packages/protocol/hapi/transaction-types.ts';
import type { BlockItem } from './block-item.ts';
import type { ItemContext } from './item-context.ts';

/** For the type with this field in the body; it is called only for items that have the field. */
export type TransactionHandler<Field extends BodyField = BodyField> = {
  /** The entity that the transaction is about; 0n or absent = none. May look up EVM addresses and aliases. */
  entityId?: Rule<Field, bigint>;
  /** Rows of a successful transaction. */
  onSuccess?: Rule<Field, void>;
  /** Rows of a successful transaction whose entity is known. */
  onEntity?: Rule<Field, void>;
  /** Rows that are made whatever the status is, after the others. */
  always?: Rule<Field, void>;
};

export type Rule<Field extends BodyField, Result> = (
  body: NonNullable<TransactionBody[Field]>,
  item: BlockItem,
  context: ItemContext,
) => Result;

/** One for each type of the family. */
export type FamilyHandlers<Family extends TransactionFamily> = {
  readonly [Field in FieldOf<Family>]: TransactionHandler<Field>;
};
