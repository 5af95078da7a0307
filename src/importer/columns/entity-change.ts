// Versions of the entity table as the transactions that create, update and delete entities make them. A member that the
// transaction does not mention stays unset, so that it is inherited.
import type { EntityId } from '../../protocol/hapi/entity-id.ts';
import { decodeEntityId } from '../../protocol/hapi/entity-id.ts';
import type { Row } from '../../store/schema/tables.ts';
import type { BlockItem } from '../block/item-context.ts';

export type EntityType = 'ACCOUNT' | 'CONTRACT' | 'FILE' | 'TOPIC' | 'TOKEN' | 'SCHEDULE';

export function createdEntity(item: BlockItem, id: EntityId, type: EntityType, fields: Row<'entity'>): Row<'entity'> {
  return { ...updatedEntity(item, id, type, fields), created_timestamp: item.consensusTimestamp };
}

/** An update also says that the entity lives. */
export function updatedEntity(item: BlockItem, id: EntityId, type: EntityType, fields: Row<'entity'>): Row<'entity'> {
  return { ...entityVersion(item, id, type), deleted: false, ...fields };
}

export function deletedEntity(item: BlockItem, id: EntityId, type: EntityType, fields: Row<'entity'>): Row<'entity'> {
  return { ...entityVersion(item, id, type), deleted: true, ...fields };
}

function entityVersion(item: BlockItem, id: EntityId, type: EntityType): Row<'entity'> {
  return { ...entityIdColumns(id), type, timestamp_range: { from: item.consensusTimestamp, to: null } };
}

/** The id and its parts, which every row that may create an entity carries. */
export function entityIdColumns(id: EntityId): Row<'entity'> {
  const { shard, realm, num } = decodeEntityId(id);
  return { id, shard, realm, num };
}
