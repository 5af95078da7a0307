// Versions of the entity table for transactions that create, update and delete entities. A member that the transaction
// does not set stays unset, so that it is inherited.

import { decodeEntityId, type EntityId } from '../../../packages/protocol/hapi/entity-id.ts';
import type { BodyField } from '../../../packages/protocol/hapi/transaction-types.ts';
import type { Row } from '../../../packages/schema/tables.ts';
import type { BlockItem } from '../block/block-item.ts';
import type { ItemContext } from '../block/item-context.ts';
import type { Rule, TransactionHandler } from '../block/transaction-handler.ts';

export type EntityType = 'ACCOUNT' | 'CONTRACT' | 'FILE' | 'TOPIC' | 'TOKEN' | 'SCHEDULE';

type AddEntity = (
  item: BlockItem,
  context: ItemContext,
  type: EntityType,
  fields: Row<'entity'>,
  id?: EntityId,
) => void;

/** @param id default: of the item */
export const addCreatedEntity: AddEntity = (item, { rows }, type, fields, id = item.entityId) => {
  const created = { deleted: false, created_timestamp: item.consensusTimestamp };
  rows.version('entity', { ...entityVersion(id, type, item.consensusTimestamp), ...created, ...fields });
};

/** An update also sets that the entity is not deleted. */
export const addUpdatedEntity: AddEntity = (item, { rows }, type, fields, id = item.entityId) => {
  rows.version('entity', { ...entityVersion(id, type, item.consensusTimestamp), deleted: false, ...fields });
};

export const addDeletedEntity: AddEntity = (item, { rows }, type, fields, id = item.entityId) => {
  rows.version('entity', { ...entityVersion(id, type, item.consensusTimestamp), deleted: true, ...fields });
};

/** The handler of a transaction that only marks an entity as deleted: its other rows stay as they are. */
export function deletion<Field extends BodyField>(
  type: EntityType,
  entityId: Rule<Field, bigint>,
): TransactionHandler<Field> {
  return { entityId, onEntity: (_body, item, context) => addDeletedEntity(item, context, type, {}) };
}

export function entityVersion(id: EntityId, type: EntityType, from: bigint): Row<'entity'> {
  return { ...entityIdColumns(id), type, timestamp_range: { from, to: null } };
}

/** The id and its parts, which every row that may create an entity has. */
export function entityIdColumns(id: EntityId): Row<'entity'> {
  const { shard, realm, num } = decodeEntityId(id);
  return { id, shard, realm, num };
}
