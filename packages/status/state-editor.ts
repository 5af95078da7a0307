// Makes the next state: records are set or removed, the given state is not changed. A table without a change stays the
// same object, so that changes are found by reference.
import type { StatusState } from './status-state.ts';

export type StateTable = keyof StatusState;
type RecordOf<T extends StateTable> = StatusState[T][string];

export type StateEditor = {
  /** The state as edited so far. */
  readonly state: StatusState;
  put<T extends StateTable>(table: T, key: string, record: RecordOf<T>): void;
  remove(table: StateTable, key: string): void;
};

export function createStateEditor(given: StatusState): StateEditor {
  let state = given;
  const own = new Set<StateTable>();
  const open = (table: StateTable): Record<string, unknown> => {
    if (!own.has(table)) {
      state = { ...state, [table]: { ...state[table] } };
      own.add(table);
    }
    return state[table];
  };
  return {
    get state() {
      return state;
    },
    put(table, key, record) {
      if (state[table][key] !== record) open(table)[key] = record;
    },
    remove(table, key) {
      if (key in state[table]) delete open(table)[key];
    },
  };
}

/** One changed record; null = removed. */
export type StateChange = [table: StateTable, key: string, record: unknown];

/** Records that are different objects in `after` and `before`. */
export function listChanges(before: StatusState, after: StatusState): StateChange[] {
  const changes: StateChange[] = [];
  for (const table of Object.keys(after) as StateTable[]) {
    const [old, now]: Record<string, unknown>[] = [before[table], after[table]];
    if (old === now) continue;
    for (const [key, record] of Object.entries(now!)) if (old![key] !== record) changes.push([table, key, record]);
    for (const key of Object.keys(old!)) if (!(key in now!)) changes.push([table, key, null]);
  }
  return changes;
}

/** The counter's next number. */
export function nextNumber(editor: StateEditor, counter: string): number {
  const number = (editor.state.counters[counter] ?? 0) + 1;
  editor.put('counters', counter, number);
  return number;
}
