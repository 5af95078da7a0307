// StateChanges (item 7): the entries of the network's maps after a unit. A unit has one such item, right after the
// submitted transaction and at its time, before the items that follow it (children, inner and scheduled transactions).
import { proto } from '../../../src/protocol/hapi/hapi.ts';
import { bytesField, type WireField } from '../../../src/protocol/wire-writer.ts';
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
import { deleteEntry, updateEntry } from './state-change.ts';
import { airdropState, nftKey, nftState, relationKey, relationState, tokenState } from './token-states.ts';

export function toStateChanges(unit: StreamUnit, slots: readonly SlotChange[]): WireField[] {
  const runHooks = new Set(unit.items.flatMap(({ executedHook }) => (executedHook ? [nameOf(executedHook)] : [])));
  const entries: Partial<Record<TableName | 'bytecode', WireField[]>> = {};
  const add = (place: TableName | 'bytecode', fields: WireField[]) => {
    entries[place] = [...(entries[place] ?? []), ...fields];
  };
  for (const change of unit.changes) {
    if (change.table === 'accounts') add('bytecode', bytecodeChange(change.before, change.after));
    if (change.table === 'hooks') {
      if (change.after) add('hooks', toHookChanges(change.before, change.after, runHooks.has(nameOf(change.after))));
    } else if (change.before !== change.after) add(change.table, toEntries(change, unit));
  }
  entries.storage = slots.map(toSlotChange);
  return inOrder.flatMap((place) => entries[place] ?? []);
}

/** One service after the other; accounts last, as all of them change balances. */
const inOrder = [
  ...(['topics', 'files', 'schedules', 'storage', 'bytecode', 'hooks', 'nodes', 'registeredNodes'] as const),
  ...(['tokens', 'relations', 'nfts', 'airdrops', 'accounts', 'names'] as const),
];

/** Other tables do not exist in a network, or are written elsewhere. */
function toEntries(change: LedgerChange, { treasuries }: StreamUnit): WireField[] {
  switch (change.table) {
    case 'topics':
      if (!change.after) return [];
      return [updateEntry('topic', encodeMessage(proto.TopicID, topicId(change.key)), topicState(change.after))];
    case 'files':
      if (!change.after) return [];
      return [updateEntry('file', encodeMessage(proto.FileID, fileId(change.key)), fileState(change.after))];
    case 'schedules': {
      const key = encodeMessage(proto.ScheduleID, scheduleId(change.key));
      return change.after ? [updateEntry('schedule', key, scheduleState(change.after))] : [];
    }
    case 'nodes':
      return change.after ? nodeChanges(change.before, change.after) : [];
    case 'registeredNodes': {
      if (!change.after) return [];
      const key = entityNumber(change.key);
      if (change.after.deleted) return [deleteEntry('registeredNode', key)];
      return [updateEntry('registeredNode', key, registeredNodeState(change.after))];
    }
    case 'tokens':
      if (!change.after) return [];
      return [updateEntry('token', encodeMessage(proto.TokenID, tokenId(change.key)), tokenState(change.after))];
    case 'relations': {
      if (change.after) return [updateEntry('relation', relationKey(change.after), relationState(change.after))];
      return change.before ? [deleteEntry('relation', relationKey(change.before))] : [];
    }
    case 'nfts': {
      const { before, after } = change;
      if (after) return [updateEntry('nft', nftKey(after), nftState(after, treasuries.get(after.token)))];
      return before ? [deleteEntry('nft', nftKey(before))] : [];
    }
    case 'airdrops': {
      const { before, after } = change;
      const key = encodeMessage(proto.PendingAirdropId, pendingAirdropId((after ?? before)!));
      return [after ? updateEntry('airdrop', key, airdropState(after)) : deleteEntry('airdrop', key)];
    }
    case 'accounts': {
      if (!change.after) return [];
      return [
        updateEntry('account', encodeMessage(proto.AccountID, accountId(change.key)), accountState(change.after)),
      ];
    }
    case 'names': {
      const key = Buffer.concat(bytesField(1, Buffer.from(change.key, 'hex')));
      if (change.after === undefined) return [deleteEntry('alias', key)];
      return [updateEntry('alias', key, encodeMessage(proto.AccountID, accountId(change.after)))];
    }
    default:
      return [];
  }
}

function bytecodeChange(before: Account | undefined, after: Account | undefined): WireField[] {
  if (!after?.code || before?.code === after.code) return [];
  return [updateEntry('bytecode', bytecodeKey(after), encodeMessage(proto.Bytecode, { code: after.code }))];
}

function nodeChanges(before: LedgerNode | undefined, after: LedgerNode): WireField[] {
  const key = entityNumber(after.nodeId);
  const account = (id: bigint) => encodeMessage(proto.AccountID, accountId(id));
  const hasMoved = before && before.account !== after.account;
  return [
    updateEntry('node', key, nodeState(after)),
    ...(hasMoved ? [deleteEntry('nodeOfAccount', account(before.account))] : []),
    ...(before && !hasMoved ? [] : [updateEntry('nodeOfAccount', account(after.account), key)]),
  ];
}

function nameOf({ owner, id }: Pick<Hook, 'owner' | 'id'>): string {
  return `${owner}:${id}`;
}
