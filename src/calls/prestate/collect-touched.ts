// Whom a transaction concerned, and what its records say of their nonces and of the hbar that its calls moved.

import type { PartyRow, TouchedSlotRow } from '../../../packages/store/read/state/select-touched.ts';
import type { ContractResultDetail } from '../../ledger/contracts/create-contract-results.ts';
import { wasRun } from '../rerun/compare-run.ts';
import type { Unit } from '../rerun/find-unit.ts';

export type Touched = {
  ids: ReadonlySet<bigint>;
  /** EVM addresses of others: who had none before, or signed authorizations (EIP-7702). */
  addresses: readonly Buffer[];
  /** After the transaction, by id, as far as its records say. */
  nonces: ReadonlyMap<bigint, bigint>;
  /** By id, how much the nonce rose. */
  rises: ReadonlyMap<bigint, bigint>;
  /** By id, what calls brought, less what they took; tinybar. */
  moved: ReadonlyMap<bigint, bigint>;
  /** The same by EVM address in hex. */
  movedTo: ReadonlyMap<string, bigint>;
};

export type TouchedRecords = {
  result: ContractResultDetail;
  unit: Unit;
  actions: readonly PartyRow[];
  slots: readonly TouchedSlotRow[];
  /** Of contracts after it. */
  contractNonces: readonly { id: bigint; nonce: bigint }[];
  /** Who signed authorizations. */
  authorities: readonly Buffer[];
};

const operation = { delegatecall: 3, staticcall: 4, create: 5, create2: 6 } as const;
const failures: readonly (number | null)[] = [12, 13];

/** At most `maxAccounts`, the first of them. */
export function collectTouched(records: TouchedRecords, maxAccounts: number): Touched {
  const { result, unit, actions, slots, contractNonces, authorities } = records;
  const ids = new Set<bigint>();
  const add = (id: bigint | null): void => {
    if (id !== null && id !== 0n && ids.size < maxAccounts) ids.add(id);
  };
  const nonces = new Map<bigint, bigint>();
  const rises = new Map<bigint, bigint>();
  const moved = new Map<bigint, bigint>();
  const movedTo = new Map<string, bigint>();
  /** Of the outermost call that failed around the current one: what happens inside is undone. */
  let failedDepth = Number.POSITIVE_INFINITY;
  for (const action of actions) {
    if (action.callDepth <= failedDepth) {
      failedDepth = failures.includes(action.resultDataType) ? action.callDepth : Number.POSITIVE_INFINITY;
    }
    add(action.caller);
    add(action.recipientAccount);
    add(action.recipientContract);
    // A creation that fails raises the nonce of who tried, unless that is undone, too.
    if (isCreation(action) && action.caller && action.callDepth <= failedDepth) addTo(rises, action.caller, 1n);
    const value = failedDepth === Number.POSITIVE_INFINITY ? movedBy(action) : 0n;
    if (value === 0n) continue;
    const recipient = action.recipientAccount || action.recipientContract;
    if (action.caller) addTo(moved, action.caller, -value);
    if (recipient) addTo(moved, recipient, value);
    else if (action.recipientAddress?.length === addressLength) {
      addTo(movedTo, action.recipientAddress.toString('hex'), value);
    }
  }
  for (const { contractId } of slots) add(contractId);
  add(result.senderId);
  for (const id of [...unit.createdAccounts, ...(result.createdContractIds ?? [])]) add(id);
  for (const { id, nonce } of contractNonces) {
    add(id);
    nonces.set(id, nonce);
  }
  if (wasRun(result) && result.ethType !== null && result.senderId !== null && result.nonce !== null) {
    nonces.set(result.senderId, result.nonce + 1n);
    addTo(rises, result.senderId, 1n);
  }
  const addresses = [...authorities, ...[...movedTo.keys()].map((address) => Buffer.from(address, 'hex'))];
  return { ids, addresses: addresses.slice(0, maxAccounts), nonces, rises, moved, movedTo };
}

const addressLength = 20;

function addTo<Key>(sums: Map<Key, bigint>, id: Key, amount: bigint): void {
  sums.set(id, (sums.get(id) ?? 0n) + amount);
}

/** Within code: the outermost one counts as a transaction of its sender, or raises no nonce. */
function isCreation({ callDepth, callOperationType: type }: PartyRow): boolean {
  return callDepth > 0 && (type === operation.create || type === operation.create2);
}

function movedBy({ callOperationType: type, value }: PartyRow): bigint {
  return type === operation.delegatecall || type === operation.staticcall ? 0n : value;
}
