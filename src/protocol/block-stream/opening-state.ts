// The state at the beginning of a ledger, from the state changes of its genesis block before any transaction: each value as it is
// after all of them.
import { decodeMessage } from '../hapi/decode-message.ts';
import { proto } from '../hapi/hapi.ts';
import type { OpeningState } from '../stream/stream-block.ts';
import { type BlockStreamItem, itemKinds } from './block-item.ts';
import type { ValueKind } from './block-messages.ts';
import { readStateChanges, visitAccounts } from './read-state-changes.ts';
import { alternativeFields } from './state-fields.ts';
import type { ValueOfState } from './state-history.ts';
import { hasSeveral, overlay } from './state-value.ts';

/**
 * null if the block has none. A state change after the first transaction belongs to that transaction. Throws StreamFileError.
 * @param problems gets what is left out
 */
export function readOpeningState(items: readonly BlockStreamItem[], problems: string[]): OpeningState | null {
  const opening = createOpening();
  for (const [place, { kind, content }] of items.entries()) {
    if (kind === itemKinds.signedTransaction) break;
    if (kind !== itemKinds.stateChanges) continue;
    const { changes, accounts } = readStateChanges(content, place);
    for (const change of changes) opening.take(change.key, change.kind, openingValues[change.kind], change);
    if (!accounts) continue;
    visitAccounts(accounts, (key, account) => {
      opening.take(key, 'accountId', 'account', { ...account, isRemoved: false, valueKind: 'account' });
    });
  }
  if (opening.refused() > 0) problems.push(`changes of the opening state that are refused: ${opening.refused()}`);
  const state = toOpeningState(opening.values());
  return Object.values(state).some((list) => list.length > 0) ? state : null;
}

/** The values that are read, by the kind of their key. */
const openingValues: Readonly<Record<string, ValueKind>> = {
  contractId: 'bytecode',
  fileId: 'file',
  slotKey: 'slotValue',
};

type OpeningValue = { key: Buffer; kind: ValueKind; value: Buffer };

function createOpening() {
  const values = new Map<string, OpeningValue>();
  let refused = 0;
  return {
    refused: () => refused,
    values: () => values.values(),
    /** `kind`: of the value that belongs to such a key; another one is passed over. */
    take(
      key: Buffer,
      keyKind: string,
      kind: ValueKind | undefined,
      change: ValueOfState & { valueKind: ValueKind | null },
    ): void {
      if (!kind || key.length === 0) return;
      const name = `${keyKind} ${key.toString('latin1')}`;
      if (change.isRemoved) values.delete(name);
      else if (change.valueKind === kind && (change.value.length > 0 || change.cleared.length > 0)) {
        const before = values.get(name);
        const isRefused = change.isRefused || (change.isPartial && !before);
        const value = isRefused ? null : overlay(before?.value ?? change.value, change);
        if (value && !hasSeveral(value, alternativeFields[kind] ?? [])) values.set(name, { key, kind, value });
        else refused += 1;
      }
    },
  };
}

function toOpeningState(values: Iterable<OpeningValue>): OpeningState {
  const state: OpeningState = { accounts: [], files: [], bytecodes: [], slots: [] };
  for (const { key, kind, value } of values) {
    if (kind === 'account') state.accounts.push(decodeMessage(proto.Account, value));
    else if (kind === 'file') state.files.push(decodeMessage(proto.File, value));
    else if (kind === 'bytecode') {
      const contractId = decodeMessage(proto.ContractID, key);
      state.bytecodes.push({ contractId, code: decodeMessage(proto.Bytecode, value).code });
    } else {
      const { contractID, key: slot } = decodeMessage(proto.SlotKey, key);
      const { value: stored } = decodeMessage(proto.SlotValue, value);
      if (contractID) state.slots.push({ contractId: contractID, key: slot, value: stored });
    }
  }
  return state;
}
