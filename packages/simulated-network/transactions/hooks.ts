// Hooks (HIP-1195): accounts and contracts get and lose them on creation and update, owners write to their storage, and
// transfers run them.
import type { com, proto } from '@hashgraph/proto';
import Long from 'long';
import { toBigInt } from '../../protocol/hapi/hapi.ts';
import type { TransactionBody } from '../../protocol/hapi/transaction-body.ts';
import { accountId, contractId, toLong } from '../ledger/hapi-values.ts';
import type { Hook } from '../ledger/ledger.ts';
import { encodeKey } from '../ledger/signing-keys.ts';
import { assertSigned, createOutcome, type Execution, livingAccount, reject, resolveAccount } from './execution.ts';

type HookChanges = {
  hookIdsToDelete?: Long[] | null;
  hookCreationDetails?: com.hedera.hapi.node.hooks.IHookCreationDetails[] | null;
};
type HookStore = NonNullable<TransactionBody['lambdaSstore']>;
type StorageUpdates = NonNullable<HookStore['storageUpdates']>;

/** The contract under which the networks run every hook. */
const hookContract = 365n;
export const hookRunSlot = '07';

export function changeHooks(x: Execution, owner: bigint, { hookIdsToDelete, hookCreationDetails }: HookChanges): void {
  const ownerIsContract = x.ledger.tables.accounts.get(owner)!.isContract;
  const entityId = ownerIsContract ? { contractId: contractId(owner) } : { accountId: accountId(owner) };
  for (const id of hookIdsToDelete ?? []) {
    const hook = livingHook(x, owner, toBigInt(id));
    if (Object.keys(hook.slots).length > 0) reject('HOOK_DELETION_REQUIRES_ZERO_STORAGE_SLOTS');
    x.ledger.change('hooks', hookKey(owner, hook.id), { deleted: true });
    dispatch(x, { hookIdToDelete: { entityId, hookId: id } });
  }
  for (const details of hookCreationDetails ?? []) {
    const { hookId, lambdaEvmHook } = details;
    const id = toBigInt(hookId);
    const key = hookKey(owner, id);
    const present = x.ledger.tables.hooks.get(key);
    if (present && !present.deleted) reject('HOOK_ID_IN_USE');
    const contract = resolveAccount(x, lambdaEvmHook?.spec?.contractId);
    if (!x.ledger.tables.accounts.get(contract)?.isContract) reject('INVALID_HOOK_CREATION_SPEC');
    const adminKey = details.adminKey ? encodeKey(details.adminKey) : null;
    x.ledger.put('hooks', key, { owner, ownerIsContract, id, deleted: false, slots: {}, contract, adminKey });
    writeSlots(x, key, lambdaEvmHook?.storageUpdates ?? []);
    dispatch(x, { creation: { entityId, details } });
  }
}

export function storeInHook(x: Execution, { hookId, storageUpdates }: HookStore): void {
  const owner = resolveAccount(x, hookId?.entityId?.accountId ?? hookId?.entityId?.contractId);
  const hook = livingHook(x, owner, toBigInt(hookId?.hookId));
  assertSigned(x, livingAccount(x, owner).key);
  if (!storageUpdates?.length) reject('EMPTY_EVM_HOOK_STORAGE_UPDATE');
  writeSlots(x, hookKey(owner, hook.id), storageUpdates);
}

/**
 * A run of a hook leaves a record after the transfer's. It counts in one slot, and clears it at each multiple of four.
 */
export function runHook(x: Execution, owner: bigint, call: proto.IHookCall): void {
  const hook = livingHook(x, owner, toBigInt(call.hookId));
  const before = BigInt(`0x0${hook.slots[hookRunSlot] ?? ''}`);
  const after = (before + 1n) % 4n;
  const slots = { ...hook.slots };
  if (after === 0n) delete slots[hookRunSlot];
  else slots[hookRunSlot] = `0${after}`;
  x.ledger.change('hooks', hookKey(owner, hook.id), { slots });
  const data = call.evmHookCall?.data ?? new Uint8Array();
  const gas = call.evmHookCall?.gasLimit ?? Long.ZERO;
  const outcome = createOutcome();
  outcome.executedHook = { owner, id: hook.id, ownerIsContract: hook.ownerIsContract };
  outcome.receipt.contractID = contractId(hookContract);
  outcome.record.contractCallResult = {
    contractID: contractId(hookContract),
    bloom: new Uint8Array(256),
    contractCallResult: Buffer.concat([Buffer.alloc(31), Buffer.of(1)]),
    functionParameters: data,
    gas,
    gasUsed: toLong(22_100n),
    senderId: accountId(x.payer),
  };
  const storageChange = {
    slot: Buffer.from(hookRunSlot, 'hex'),
    valueRead: toWord(before),
    valueWritten: { value: toWord(after) },
  };
  outcome.sidecars.push({
    stateChanges: {
      contractStateChanges: [{ contractId: contractId(hookContract), storageChanges: [storageChange] }],
    },
  });
  x.outcome.following.push({
    kind: 'contractCall',
    data: { contractID: contractId(hookContract), gas, functionParameters: data },
    outcome,
    status: 'SUCCESS',
  });
}

function livingHook(x: Execution, owner: bigint, id: bigint): Hook {
  const hook = x.ledger.tables.hooks.get(hookKey(owner, id));
  if (!hook) reject('HOOK_NOT_FOUND');
  if (hook.deleted) reject('HOOK_DELETED');
  return hook;
}

function dispatch(x: Execution, data: com.hedera.hapi.node.hooks.IHookDispatchTransactionBody): void {
  x.outcome.following.push({ kind: 'hookDispatch', data, outcome: createOutcome(), status: 'SUCCESS' });
}

/** An entry of a mapping is identified by the mapping's slot and its key. */
function writeSlots(x: Execution, key: string, updates: StorageUpdates): void {
  const slots = { ...x.ledger.tables.hooks.get(key)!.slots };
  const write = (name: string, value: Uint8Array | null | undefined): void => {
    if (value?.length) slots[name] = hex(value);
    else delete slots[name];
  };
  for (const { storageSlot, mappingEntries } of updates) {
    if (storageSlot) write(hex(storageSlot.key), storageSlot.value);
    for (const { key: entry, preimage, value } of mappingEntries?.entries ?? []) {
      write(`${hex(mappingEntries!.mappingSlot)}:${preimage ? 'p' : ''}${hex(preimage ?? entry)}`, value);
    }
  }
  x.ledger.change('hooks', key, { slots });
}

function toWord(value: bigint): Buffer {
  return value === 0n ? Buffer.alloc(0) : Buffer.of(Number(value));
}

function hookKey(owner: bigint, id: bigint): string {
  return `${owner}:${id}`;
}

function hex(bytes: Uint8Array | null | undefined): string {
  return Buffer.from(bytes ?? []).toString('hex');
}
