// FileAppend: more bytes at the end of a file. The entity itself does not change.
import { toEntityId } from '../../../protocol/hapi/entity-id.ts';
import { emptyBytes } from '../../evm/contract-facts.ts';
import type { TransactionHandler } from '../../block/item-context.ts';
import { addFileData } from './file-data.ts';

export const fileAppend: TransactionHandler = {
  bodyField: 'fileAppend',
  entityId: (item) => toEntityId(item.body.fileAppend?.fileID),
  onSuccess(item, context) {
    if (item.entityId === 0n) return;
    addFileData(item, context, { fileId: item.entityId, contents: item.body.fileAppend?.contents ?? emptyBytes });
  },
};
