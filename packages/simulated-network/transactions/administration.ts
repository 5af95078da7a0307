// Transactions of the network's administrators, and those by which its nodes talk to each other; the latter change
// nothing that a mirror shows.
import { toEntityId } from '../../protocol/hapi/entity-id.ts';
import type { proto } from '../../protocol/hapi/hapi.ts';
import {
  assertAdministrator,
  assertSigned,
  type Execution,
  livingAccount,
  reject,
  resolveAccount,
} from './execution.ts';

export function systemDelete(x: Execution, data: proto.ISystemDeleteTransactionBody): void {
  setDeleted(x, data, true);
}

export function systemUndelete(x: Execution, data: proto.ISystemUndeleteTransactionBody): void {
  setDeleted(x, data, false);
}

export function submitUnchecked(x: Execution): void {
  assertAdministrator(x);
}

export function addLiveHash(x: Execution, { liveHash }: proto.ICryptoAddLiveHashTransactionBody): void {
  assertSigned(x, livingAccount(x, resolveAccount(x, liveHash?.accountId)).key);
  if (liveHash?.hash?.length !== 48) reject('BAD_ENCODING');
}

export function deleteLiveHash(x: Execution, data: proto.ICryptoDeleteLiveHashTransactionBody): void {
  assertSigned(x, livingAccount(x, resolveAccount(x, data.accountOfLiveHash)).key);
}

/** Transactions between nodes. */
export function takeNote(): void {}

type Target = { fileID?: proto.IFileID | null; contractID?: proto.IContractID | null };

function setDeleted(x: Execution, { fileID, contractID }: Target, deleted: boolean): void {
  assertAdministrator(x);
  if (contractID) {
    const contract = x.ledger.tables.accounts.get(resolveAccount(x, contractID));
    if (!contract?.isContract) reject('INVALID_CONTRACT_ID');
    if (contract.deleted === deleted) reject(deleted ? 'CONTRACT_DELETED' : 'INVALID_CONTRACT_ID');
    x.ledger.change('accounts', contract.id, { deleted });
    return;
  }
  const file = x.ledger.tables.files.get(toEntityId(fileID));
  if (!file || file.id < 1000n) reject('INVALID_FILE_ID');
  if (file.deleted === deleted) reject(deleted ? 'FILE_DELETED' : 'INVALID_FILE_ID');
  x.ledger.change('files', file.id, { deleted });
}
