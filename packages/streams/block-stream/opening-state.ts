// The state at the beginning of a ledger, from the state changes of its genesis block before any transaction: each
// value as it is after all of them.
import { decodeMessage } from '../../protocol/hapi/decode-message.ts';
import { proto } from '../../protocol/hapi/hapi.ts';
import { isBadData } from '../../protocol/ledger-value-error.ts';
import { StreamFileError } from '../../protocol/stream-file-error.ts';
import type { Doubt } from '../stream/doubt.ts';
import type { OpeningState } from '../stream/stream-block.ts';
import { type BlockStreamItem, itemKinds } from './block-item.ts';
import type { ValueKind } from './block-messages.ts';
import { readStateChanges, visitAccounts } from './read-state-changes.ts';
import { alternativeFields } from './state-fields.ts';
import type { ValueOfState } from './state-history.ts';
import { hasSeveral, overlay } from './state-value.ts';

/**
 * null if the block has none. A state change after the first transaction belongs to that transaction.
 * @param doubts gets what is left out
 */
export function readOpeningState(items: readonly BlockStreamItem[], doubts: Doubt[]): OpeningState | null {
  const opening = createOpening();
  for (const [place, { kind, content }] of items.entries()) {
    if (kind === itemKinds.signedTransaction) break;
    if (kind !== itemKinds.stateChanges) continue;
    const read = tryRead(() => readStateChanges(content, place), opening.refuse);
    if (!read) continue;
    const { changes, accounts } = read;
    for (const change of changes) opening.take(change.key, change.kind, openingValues[change.kind], change);
    if (!accounts) continue;
    visitAccounts(accounts, (key, account) => {
      opening.take(key, 'accountId', 'account', { ...account, isRemoved: false, valueKind: 'account' });
    });
  }
  const state = toOpeningState(opening.values(), opening.refuse);
  const { count, example } = opening.refused();
  const text = `changes of the opening state that are refused: ${count}${example === null ? '' : ` (${example})`}`;
  if (count > 0) doubts.push({ kind: 'openingState', text, count, place: null });
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
  const refused = { count: 0, example: null as string | null };
  const refuse = (why: string): void => {
    refused.count += 1;
    refused.example ??= why;
  };
  return {
    refused: () => refused,
    refuse,
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
        if (isRefused) refuse('it is malformed, or a part of no value');
        const value = isRefused ? null : tryRead(() => readWhole(before, change, kind), refuse);
        if (value) values.set(name, { key, kind, value });
      }
    },
  };
}

/** The value after the change. Throws StreamFileError. */
function readWhole(before: OpeningValue | undefined, change: ValueOfState, kind: ValueKind): Buffer {
  const value = overlay(before?.value ?? change.value, change);
  if (!hasSeveral(value, alternativeFields[kind] ?? [])) return value;
  throw new StreamFileError('malformed', 'value of the opening state', 'one of several fields', 'more');
}

/** null, and reported, for bad data. */
function tryRead<Result>(read: () => Result, refuse: (why: string) => void): Result | null {
  try {
    return read();
  } catch (error) {
    if (!isBadData(error)) throw error;
    refuse(error.message);
    return null;
  }
}

function toOpeningState(values: Iterable<OpeningValue>, refuse: (why: string) => void): OpeningState {
  const state: OpeningState = { accounts: [], files: [], bytecodes: [], slots: [] };
  for (const value of values) tryRead(() => addValue(state, value), refuse);
  return state;
}

function addValue(state: OpeningState, { key, kind, value }: OpeningValue): void {
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
