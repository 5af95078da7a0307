// StateChanges (item 7): the entries of the network's maps after a unit. A unit has one such item, right after the
// submitted transaction and at its time, before the items that follow it (children, inner and scheduled transactions).
import { proto } from '../../protocol/hapi/hapi.ts';
import { bytesField, type WireField } from '../../protocol/wire-writer.ts';
import { accountId, fileId, scheduleId, tokenId, topicId } from '../ledger/hapi-values.ts';
import type { Account, Hook, LedgerChange, LedgerNode, TableName } from '../ledger/ledger.ts';
import type { StreamUnit } from '../run/stream-unit.ts';
import { pendingAirdropId } from '../transactions/airdrops.ts';
import { type SlotChange, toHookChanges, toSlotChange } from './contract-states.ts';
import {
  accountState,
  bytecodeKey,
  entityNumber,
  fileState,
  nodeState,
  registeredNodeState,
  scheduleState,
  topicState,
} from './entity-states.ts';
import { encodeMessage } from './message-fields.ts';
import type { StateForm } from './partial-state.ts';
import { deleteEntry, type MapKindName, type StateEntry, updateEntry, writeEntry } from './state-change.ts';
import { airdropState, nftKey, nftState, relationKey, relationState, tokenState } from './token-states.ts';

export function toStateChanges(unit: StreamUnit, slots: readonly SlotChange[], form: StateForm): WireField[] {
  const runHooks = new Set(unit.items.flatMap(({ executedHook }) => (executedHook ? [nameOf(executedHook)] : [])));
  const entries: Partial<Record<TableName | 'bytecode', StateEntry[]>> = {};
  const add = (place: TableName | 'bytecode', added: StateEntry[]) => {
    entries[place] = [...(entries[place] ?? []), ...added];
  };
  for (const change of unit.changes) {
    if (change.table === 'accounts') add('bytecode', bytecodeChange(change.before, change.after));
    if (change.table === 'hooks') {
      if (change.after) add('hooks', toHookChanges(change.before, change.after, runHooks.has(nameOf(change.after))));
    } else if (change.before !== change.after) add(change.table, toEntries(change, unit));
  }
  entries.storage = slots.map(toSlotChange);
  return inOrder.flatMap((place) => entries[place] ?? []).map((entry) => writeEntry(entry, form));
}

/** One service after the other; accounts last, as all of them change balances. */
const inOrder = [
  ...(['topics', 'files', 'schedules', 'storage', 'bytecode', 'hooks', 'nodes', 'registeredNodes'] as const),
  ...(['tokens', 'relations', 'nfts', 'airdrops', 'accounts', 'names'] as const),
];

/** Other tables do not exist in a network, or are written elsewhere. */
function toEntries(change: LedgerChange, unit: StreamUnit): StateEntry[] {
  switch (change.table) {
    case 'topics':
      return toUpdate('topic', encodeMessage(proto.TopicID, topicId(change.key)), change, topicState);
    case 'files':
      return toUpdate('file', encodeMessage(proto.FileID, fileId(change.key)), change, fileState);
    case 'schedules':
      return toUpdate('schedule', encodeMessage(proto.ScheduleID, scheduleId(change.key)), change, scheduleState);
    case 'nodes':
      return change.after ? nodeChanges(change.before, change.after) : [];
    case 'registeredNodes': {
      const key = entityNumber(change.key);
      if (change.after?.deleted) return [deleteEntry('registeredNode', key)];
      return toUpdate('registeredNode', key, change, registeredNodeState);
    }
    case 'tokens':
      return toUpdate('token', encodeMessage(proto.TokenID, tokenId(change.key)), change, tokenState);
    case 'relations': {
      const key = relationKey((change.after ?? change.before)!);
      return change.after ? toUpdate('relation', key, change, relationState) : [deleteEntry('relation', key)];
    }
    case 'nfts': {
      const { before, after } = change;
      const key = nftKey((after ?? before)!);
      if (!after) return before ? [deleteEntry('nft', key)] : [];
      const { treasuries, treasuriesBefore } = unit;
      const was = before && nftState(before, treasuriesBefore.get(before.token));
      return [updateEntry('nft', key, nftState(after, treasuries.get(after.token)), was ?? null)];
    }
    case 'airdrops': {
      const key = encodeMessage(proto.PendingAirdropId, pendingAirdropId((change.after ?? change.before)!));
      return change.after ? toUpdate('airdrop', key, change, airdropState) : [deleteEntry('airdrop', key)];
    }
    case 'accounts':
      return toUpdate('account', encodeMessage(proto.AccountID, accountId(change.key)), change, accountState);
    case 'names': {
      const key = Buffer.concat(bytesField(1, Buffer.from(change.key, 'hex')));
      if (change.after === undefined) return [deleteEntry('alias', key)];
      return toUpdate('alias', key, change, (id) => encodeMessage(proto.AccountID, accountId(id)));
    }
    default:
      return [];
  }
}

/** Nothing for an entry that is not there afterwards: entities are marked as deleted. */
function toUpdate<Value>(
  kind: MapKindName,
  key: Uint8Array,
  { before, after }: { before: Value | undefined; after: Value | undefined },
  toState: (value: Value) => Buffer,
): StateEntry[] {
  if (after === undefined) return [];
  return [updateEntry(kind, key, toState(after), before === undefined ? null : toState(before))];
}

function bytecodeChange(before: Account | undefined, after: Account | undefined): StateEntry[] {
  if (!after?.code || before?.code === after.code) return [];
  const was = before?.code ? encodeMessage(proto.Bytecode, { code: before.code }) : null;
  return [updateEntry('bytecode', bytecodeKey(after), encodeMessage(proto.Bytecode, { code: after.code }), was)];
}

function nodeChanges(before: LedgerNode | undefined, after: LedgerNode): StateEntry[] {
  const key = entityNumber(after.nodeId);
  const account = (id: bigint) => encodeMessage(proto.AccountID, accountId(id));
  const hasMoved = before && before.account !== after.account;
  return [
    updateEntry('node', key, nodeState(after), before ? nodeState(before) : null),
    ...(hasMoved ? [deleteEntry('nodeOfAccount', account(before.account))] : []),
    ...(before && !hasMoved ? [] : [updateEntry('nodeOfAccount', account(after.account), key, null)]),
  ];
}

function nameOf({ owner, id }: Pick<Hook, 'owner' | 'id'>): string {
  return `${owner}:${id}`;
}
