// Files: create, append, update, delete. System files are changed by 0.0.50 and may be larger.
import { toEntityId } from '../../protocol/hapi/entity-id.ts';
import type { proto } from '../../protocol/hapi/hapi.ts';
import { fileId } from '../ledger/hapi-values.ts';
import type { LedgerFile } from '../ledger/ledger.ts';
import { exchangeRateFile, simpleFeesFile, systemFileAdmin } from '../ledger/prices.ts';
import { encodeKey } from '../ledger/signing-keys.ts';
import { assertSigned, type Execution, reject } from './execution.ts';

export function createFile(x: Execution, data: proto.IFileCreateTransactionBody): void {
  const keys = (data.keys?.keys ?? []).map((key) => encodeKey(key));
  for (const key of keys) assertSigned(x, key);
  const id = x.ledger.take('nextEntity');
  x.ledger.put('files', id, { id, contents: Uint8Array.from(data.contents ?? []), deleted: false, keys });
  x.outcome.receipt.fileID = fileId(id);
}

export function appendFile(x: Execution, data: proto.IFileAppendTransactionBody): void {
  const file = writableFile(x, data.fileID);
  x.ledger.change('files', file.id, { contents: Buffer.concat([file.contents, data.contents ?? new Uint8Array()]) });
  x.outcome.receipt.fileID = fileId(file.id);
}

export function updateFile(x: Execution, data: proto.IFileUpdateTransactionBody): void {
  const file = updatableFile(x, data.fileID);
  const changes: Partial<LedgerFile> = {};
  if (data.contents?.length) changes.contents = Uint8Array.from(data.contents);
  if (data.keys) changes.keys = (data.keys.keys ?? []).map((key) => encodeKey(key));
  for (const key of changes.keys ?? []) assertSigned(x, key);
  x.ledger.change('files', file.id, changes);
  x.outcome.receipt.fileID = fileId(file.id);
}

export function deleteFile(x: Execution, data: proto.IFileDeleteTransactionBody): void {
  const file = writableFile(x, data.fileID);
  x.ledger.change('files', file.id, { deleted: true, contents: new Uint8Array() });
  x.outcome.receipt.fileID = fileId(file.id);
}

export function readLivingFile(x: Execution, id: proto.IFileID | null | undefined): LedgerFile {
  const file = x.ledger.tables.files.get(toEntityId(id));
  if (!file) reject('INVALID_FILE_ID');
  if (file.deleted) reject('FILE_DELETED');
  return file;
}

/** The network itself makes the file of simple fees; its first trace in the stream is this update. */
function updatableFile(x: Execution, id: proto.IFileID | null | undefined): LedgerFile {
  if (toEntityId(id) === simpleFeesFile && x.payer === systemFileAdmin && !x.ledger.tables.files.has(simpleFeesFile)) {
    const { keys } = readLivingFile(x, fileId(exchangeRateFile));
    x.ledger.put('files', simpleFeesFile, { id: simpleFeesFile, contents: new Uint8Array(), deleted: false, keys });
  }
  return writableFile(x, id);
}

function writableFile(x: Execution, id: proto.IFileID | null | undefined): LedgerFile {
  const file = readLivingFile(x, id);
  if (file.id < 1000n) {
    if (x.payer !== systemFileAdmin && x.payer !== 2n) reject('AUTHORIZATION_FAILED');
    return file;
  }
  if (file.keys.length === 0) reject('UNAUTHORIZED');
  for (const key of file.keys) assertSigned(x, key);
  return file;
}
