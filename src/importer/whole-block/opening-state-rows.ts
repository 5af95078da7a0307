// The state at the beginning of a ledger → rows as if it had always existed: accounts, contracts and their storage,
// files. It is valid just before the first transaction; when its entities were created is unknown.

import { toEntityId } from '../../../packages/protocol/hapi/entity-id.ts';
import { aliasToEvmAddress, evmAddressLength } from '../../../packages/protocol/hapi/evm-address.ts';
import { type proto, toBigInt } from '../../../packages/protocol/hapi/hapi.ts';
import { maxTimestamp } from '../../../packages/protocol/hapi/timestamp.ts';
import { typeNumber } from '../../../packages/protocol/hapi/transaction-types.ts';
import type { Row } from '../../../packages/schema/tables.ts';
import type { OpeningState } from '../../../packages/streams/stream/stream-block.ts';
import type { EntityLookup } from '../block/entity-lookup.ts';
import type { FileContents } from '../block/file-contents.ts';
import { entityVersion } from '../columns/entity-change.ts';
import { keyColumns } from '../columns/entity-columns.ts';
import { emptyBytes, padWord, toStoredText, trimWord } from '../columns/stored-values.ts';
import type { BlockRows } from '../rows/block-rows.ts';

export type OpeningContext = { rows: BlockRows; lookup: EntityLookup; files: FileContents };

/** @param at ns, before the first transaction */
export function addOpeningState({ rows, lookup, files }: OpeningContext, state: OpeningState, at: bigint): void {
  for (const account of state.accounts) {
    const id = toEntityId(account.accountId);
    const columns = accountColumns(account, at);
    lookup.remember(id, { alias: columns.alias, evmAddress: columns.evm_address });
    const type = account.smartContract ? 'CONTRACT' : 'ACCOUNT';
    rows.version('entity', { ...entityVersion(id, type, at), ...columns, deleted: account.deleted === true });
    if (account.smartContract) rows.upsert('contract', { id });
  }
  for (const { contractId, code } of state.bytecodes) {
    rows.upsert('contract', { id: toEntityId(contractId), runtime_bytecode: code });
  }
  for (const { contractId, key, value } of state.slots) {
    rows.upsert('contract_state', {
      contract_id: toEntityId(contractId),
      created_timestamp: at,
      modified_timestamp: at,
      slot: padWord(key),
      value: trimWord(value),
    });
  }
  // A file's bytes are identified by their consensus timestamp alone.
  for (const [index, file] of state.files.entries()) addFile({ rows, files }, file, at - BigInt(index));
}

function addFile({ rows, files }: Pick<OpeningContext, 'rows' | 'files'>, file: proto.IFile, at: bigint): void {
  const id = toEntityId(file.fileId);
  const contents = file.contents ?? emptyBytes;
  rows.version('entity', {
    ...entityVersion(id, 'FILE', at),
    deleted: file.deleted === true,
    expiration_timestamp: expirationOf(file.expirationSecond),
    ...keyColumns(file.keys ? { keyList: file.keys } : null),
    memo: toStoredText(file.memo ?? ''),
  });
  rows.insert('file_data', {
    consensus_timestamp: at,
    entity_id: id,
    file_data: contents,
    transaction_type: typeNumber.fileCreate,
  });
  files.replace(id, contents);
}

function accountColumns(account: proto.IAccount, at: bigint): Row<'entity'> {
  const { alias, stakedAccountId, stakedNodeId } = account;
  const isAddress = alias?.length === evmAddressLength;
  const keyAlias = alias && alias.length > 0 && !isAddress ? alias : null;
  const nodeId = stakedNodeId === null || stakedNodeId === undefined ? -1n : toBigInt(stakedNodeId);
  return {
    alias: keyAlias,
    auto_renew_account_id: toEntityId(account.autoRenewAccountId) || null,
    auto_renew_period: toBigInt(account.autoRenewSeconds),
    balance: toBigInt(account.tinybarBalance),
    balance_timestamp: at,
    decline_reward: account.declineReward === true,
    ethereum_nonce: toBigInt(account.ethereumNonce),
    evm_address: isAddress ? alias : keyAlias && aliasToEvmAddress(keyAlias),
    expiration_timestamp: expirationOf(account.expirationSecond),
    ...keyColumns(account.key),
    max_automatic_token_associations: account.maxAutoAssociations ?? 0,
    memo: toStoredText(account.memo ?? ''),
    receiver_sig_required: account.receiverSigRequired === true,
    staked_account_id: toEntityId(stakedAccountId) || null,
    staked_node_id: nodeId,
    stake_period_start: toBigInt(account.stakePeriodStart) || -1n,
  };
}

const nsPerSecond = 1_000_000_000n;

/** 0: none. */
function expirationOf(second: proto.IAccount['expirationSecond']): bigint | null {
  const at = toBigInt(second) * nsPerSecond;
  if (at === 0n) return null;
  return at > maxTimestamp ? maxTimestamp : at;
}
