// FileCreate: a file entity and its first bytes.
import { toEntityId } from '../../../protocol/hapi/entity-id.ts';
import { proto } from '../../../protocol/hapi/hapi.ts';
import { toTimestamp } from '../../../protocol/hapi/timestamp.ts';
import { emptyBytes } from '../../evm/contract-facts.ts';
import { createdEntity } from '../../columns/entity-change.ts';
import { toStoredText } from '../../columns/stored-text.ts';
import type { TransactionHandler } from '../../block/item-context.ts';
import { addFileData } from './file-data.ts';

export const fileCreate: TransactionHandler = {
  bodyField: 'fileCreate',
  entityId: (item) => toEntityId(item.record.receipt?.fileID),
  onSuccess(item, context) {
    const body = item.body.fileCreate;
    if (!body || item.entityId === 0n) return;
    context.rows.version(
      'entity',
      createdEntity(item, item.entityId, 'FILE', {
        expiration_timestamp: body.expirationTime ? toTimestamp(body.expirationTime) : undefined,
        key: body.keys ? proto.KeyList.encode(body.keys).finish() : undefined,
        memo: toStoredText(body.memo ?? ''),
      }),
    );
    addFileData(item, context, { fileId: item.entityId, contents: body.contents ?? emptyBytes });
  },
};
