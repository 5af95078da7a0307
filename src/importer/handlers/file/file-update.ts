// FileUpdate: new facts about a file, and new bytes when the body has any; an empty update keeps the old ones.
import { toEntityId } from '../../../protocol/hapi/entity-id.ts';
import { proto } from '../../../protocol/hapi/hapi.ts';
import { toTimestamp } from '../../../protocol/hapi/timestamp.ts';
import { emptyBytes } from '../../evm/contract-facts.ts';
import { updatedEntity } from '../../columns/entity-change.ts';
import { toStoredText } from '../../columns/stored-text.ts';
import type { TransactionHandler } from '../../block/item-context.ts';
import { addFileData } from './file-data.ts';

export const fileUpdate: TransactionHandler = {
  bodyField: 'fileUpdate',
  entityId: (item) => toEntityId(item.body.fileUpdate?.fileID),
  onSuccess(item, context) {
    const body = item.body.fileUpdate;
    if (!body || item.entityId === 0n) return;
    context.rows.version(
      'entity',
      updatedEntity(item, item.entityId, 'FILE', {
        expiration_timestamp: body.expirationTime ? toTimestamp(body.expirationTime) : undefined,
        key: body.keys ? proto.KeyList.encode(body.keys).finish() : undefined,
        memo: body.memo ? toStoredText(body.memo.value ?? '') : undefined,
      }),
    );
    addFileData(item, context, { fileId: item.entityId, contents: body.contents ?? emptyBytes });
  },
};
