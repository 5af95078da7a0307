// Hooks (HIP-1195): what accounts get and lose with their own creation and updates, and what their owners put into the
// storage of a hook. The network runs none of them.
import type { com } from '@hashgraph/proto';
import type Long from 'long';
import { toBigInt } from '../../protocol/hapi/hapi.ts';
import type { TransactionBody } from '../../protocol/hapi/transaction-body.ts';
import { assertSigned, type Execution, livingAccount, reject, resolveAccount } from '../execution.ts';
import type { Hook } from '../ledger.ts';

type HookChanges = {
  hookIdsToDelete?: Long[] | null;
  hookCreationDetails?: com.hedera.hapi.node.hooks.IHookCreationDetails[] | null;
};
type HookStore = NonNullable<TransactionBody['lambdaSstore']>;
type StorageUpdates = NonNullable<HookStore['storageUpdates']>;

export function changeHooks(x: Execution, owner: bigint, { hookIdsToDelete, hookCreationDetails }: HookChanges): void {
  for (const id of hookIdsToDelete ?? []) {
    const hook = livingHook(x, owner, toBigInt(id));
    if (hook.slots.length > 0) reject('HOOK_DELETION_REQUIRES_ZERO_STORAGE_SLOTS');
    x.ledger.change('hooks', hookKey(owner, hook.id), { deleted: true });
  }
  for (const { hookId, lambdaEvmHook } of hookCreationDetails ?? []) {
    const id = toBigInt(hookId);
    const key = hookKey(owner, id);
    const present = x.ledger.tables.hooks.get(key);
    if (present && !present.deleted) reject('HOOK_ID_IN_USE');
    const contract = resolveAccount(x, lambdaEvmHook?.spec?.contractId);
    if (!x.ledger.tables.accounts.get(contract)?.isContract) reject('INVALID_HOOK_CREATION_SPEC');
    x.ledger.put('hooks', key, { owner, id, deleted: false, slots: [] });
    writeSlots(x, key, lambdaEvmHook?.storageUpdates ?? []);
  }
}

export function storeInHook(x: Execution, { hookId, storageUpdates }: HookStore): void {
  const owner = resolveAccount(x, hookId?.entityId?.accountId ?? hookId?.entityId?.contractId);
  const hook = livingHook(x, owner, toBigInt(hookId?.hookId));
  assertSigned(x, livingAccount(x, owner).key);
  if (!storageUpdates?.length) reject('EMPTY_EVM_HOOK_STORAGE_UPDATE');
  writeSlots(x, hookKey(owner, hook.id), storageUpdates);
}

function livingHook(x: Execution, owner: bigint, id: bigint): Hook {
  const hook = x.ledger.tables.hooks.get(hookKey(owner, id));
  if (!hook) reject('HOOK_NOT_FOUND');
  if (hook.deleted) reject('HOOK_DELETED');
  return hook;
}

/** Entries of mappings are counted by the mapping's slot and their key. */
function writeSlots(x: Execution, key: string, updates: StorageUpdates): void {
  const slots = new Set(x.ledger.tables.hooks.get(key)!.slots);
  const write = (name: string, value: Uint8Array | null | undefined): void => {
    if (value?.length) slots.add(name);
    else slots.delete(name);
  };
  for (const { storageSlot, mappingEntries } of updates) {
    if (storageSlot) write(hex(storageSlot.key), storageSlot.value);
    for (const { key: entry, preimage, value } of mappingEntries?.entries ?? []) {
      write(`${hex(mappingEntries!.mappingSlot)}:${preimage ? 'p' : ''}${hex(preimage ?? entry)}`, value);
    }
  }
  x.ledger.change('hooks', key, { slots: [...slots] });
}

function hookKey(owner: bigint, id: bigint): string {
  return `${owner}:${id}`;
}

function hex(bytes: Uint8Array | null | undefined): string {
  return Buffer.from(bytes ?? []).toString('hex');
}
