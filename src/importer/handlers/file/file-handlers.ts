import { toEntityId } from '../../../../packages/protocol/hapi/entity-id.ts';
import { proto } from '../../../../packages/protocol/hapi/hapi.ts';
import type { ItemContext } from '../../block/item-context.ts';
import type { FamilyHandlers } from '../../block/transaction-handler.ts';
import {
  addCreatedEntity,
  addDeletedEntity,
  addUpdatedEntity,
  deletion,
  type EntityType,
} from '../../columns/entity-change.ts';
import { changedText, timestampOf, toStoredText } from '../../columns/stored-values.ts';
import { addFileData } from './file-data.ts';

export const fileHandlers: FamilyHandlers<'file'> = {
  fileCreate: {
    entityId: (_body, { record }) => toEntityId(record.receipt?.fileID),
    onEntity: (body, item, context) => {
      addCreatedEntity(item, context, 'FILE', {
        expiration_timestamp: timestampOf(body.expirationTime),
        key: keyListBytes(body.keys),
        memo: toStoredText(body.memo ?? ''),
      });
      addFileData(item, context, body.contents);
    },
  },
  // The entity itself does not change.
  fileAppend: {
    entityId: ({ fileID }) => toEntityId(fileID),
    onEntity: ({ contents }, item, context) => addFileData(item, context, contents),
  },
  // An update without bytes keeps the old ones.
  fileUpdate: {
    entityId: ({ fileID }) => toEntityId(fileID),
    onEntity: (body, item, context) => {
      addUpdatedEntity(item, context, 'FILE', {
        expiration_timestamp: timestampOf(body.expirationTime),
        key: keyListBytes(body.keys),
        memo: changedText(body.memo),
      });
      addFileData(item, context, body.contents);
    },
  },
  // Its bytes stay readable for the time before.
  fileDelete: deletion('FILE', ({ fileID }) => toEntityId(fileID)),
  // Operations of the network itself on a file or contract.
  systemDelete: {
    entityId: (body, _item, context) => targetId(body, context),
    onEntity: (body, item, context) => addDeletedEntity(item, context, targetType(body), {}),
  },
  systemUndelete: {
    entityId: (body, _item, context) => targetId(body, context),
    onEntity: (body, item, context) => addUpdatedEntity(item, context, targetType(body), {}),
  },
};

function keyListBytes(keys: proto.IKeyList | null | undefined): Uint8Array | null {
  return keys ? proto.KeyList.encode(keys).finish() : null;
}

type Target = proto.ISystemDeleteTransactionBody | proto.ISystemUndeleteTransactionBody;

function targetId({ contractID, fileID }: Target, { lookup }: ItemContext): bigint {
  return contractID ? lookup.contract(contractID) : toEntityId(fileID);
}

function targetType({ contractID }: Target): EntityType {
  return contractID ? 'CONTRACT' : 'FILE';
}
