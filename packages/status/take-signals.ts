// Reports of the parts of the mirror, added to the state with their time of arrival.
import { isJsonObject } from '../kit/is-json-object.ts';
import { createStateEditor } from './state-editor.ts';
import type { StatusState } from './status-state.ts';

export type SignalReport = {
  /** By name, e.g. `api.p95Ms`; a greater value is worse. */
  values: Record<string, number>;
  /** Texts by the name of the signal that they explain, `network.version` and `network.name`. */
  facts: Record<string, string>;
};

export function takeSignals(state: StatusState, { values, facts }: SignalReport, now: number): StatusState {
  const editor = createStateEditor(state);
  for (const [name, value] of Object.entries(values)) editor.put('readings', name, { at: now, value });
  for (const [name, text] of Object.entries(facts)) editor.put('facts', name, text);
  return editor.state;
}

export function dropSignals(
  state: StatusState,
  isDropped: (signal: string, reading: { at: number }) => boolean,
): StatusState {
  const editor = createStateEditor(state);
  for (const [name, reading] of Object.entries(state.readings)) {
    if (isDropped(name, reading)) editor.remove('readings', name);
  }
  return editor.state;
}

const maxTextLength = 2000;
const maxValues = 200;

/** Throws an Error that says what is wrong with it. */
export function readSignalReport(content: unknown): SignalReport {
  const { values, facts } = asObject(content);
  return {
    values: readMembers(values, (value) => typeof value === 'number' && Number.isFinite(value), 'a finite number'),
    facts: readMembers(facts, (value) => typeof value === 'string' && value.length <= maxTextLength, 'a short text'),
  };
}

function readMembers<T>(content: unknown, isValid: (value: unknown) => boolean, kind: string): Record<string, T> {
  const members = Object.entries(asObject(content));
  if (members.length > maxValues) throw new Error(`a report has at most ${maxValues} members`);
  for (const [name, value] of members) {
    if (!/^[a-z][\w.]{0,60}$/i.test(name)) throw new Error(`"${name.slice(0, 80)}" is no name of a signal`);
    if (!isValid(value)) throw new Error(`"${name}" must be ${kind}`);
  }
  return Object.fromEntries(members) as Record<string, T>;
}

function asObject(value: unknown): Record<string, unknown> {
  if (isJsonObject(value)) return value;
  throw new Error('a report is a JSON object with the objects "values" and "facts"');
}
