// States of components that operators set, and their end: with the incident or maintenance that they were set for, also
// where the automation ends it. Each change is recorded with its author.
import { invalid, OperatorError } from './operator-error.ts';
import { showComponents } from './show-components.ts';
import { coversComponent } from './shown.ts';
import { nextNumber, type StateEditor } from './state-editor.ts';
import type { ComponentRecord, ComponentStatus, IncidentRecord, StatusState } from './status-state.ts';

/** A change in progress. */
export type Change = {
  editor: StateEditor;
  /** Its author. */
  by: string;
  /** ms since 1970 */
  now: number;
};

/**
 * @param reference id, key or name of the component
 * @param status null returns it to the automation
 * @returns the component before the change
 */
export function override(change: Change, reference: string, status: ComponentStatus | null): ComponentRecord {
  const { editor, by, now } = change;
  const component = findComponent(editor.state, reference);
  if (component.group) throw invalid(`"${component.name}" is a group: it shows the worst of its components.`);
  editor.put('components', component.key, {
    ...component,
    override: status === null ? null : { status, by, at: now, measured: component.measured },
  });
  recordChange(change, 'component', component, { status: component.override?.status ?? null }, { status });
  return component;
}

/**
 * The states that were set for its components end with the incident or maintenance. One that was set while another
 * one was there too, which goes on, ends with that one.
 */
export function releaseComponents(change: Change, ended: IncidentRecord): void {
  const others = Object.values(change.editor.state.incidents).filter(({ id }) => id !== ended.id);
  for (const { id, override: said } of Object.values(change.editor.state.components)) {
    if (!said || said.at < ended.createdAt || said.at === change.now || !ended.componentIds.includes(id)) continue;
    if (others.some((other) => other.createdAt <= said.at && coversComponent(other, id))) continue;
    override(change, id, null);
  }
  show(change);
}

export function show({ editor, now }: Change): void {
  showComponents(editor, { now, watchedMs: 0 });
}

export function findComponent({ components }: StatusState, reference: string): ComponentRecord {
  const found = Object.values(components).find(
    ({ id, key, name }) => id === reference || key === reference || name === reference,
  );
  if (found) return found;
  const leaves = Object.values(components).filter(({ group }) => !group);
  const known = leaves.map(({ key, id }) => `${key} (${id})`).join(', ');
  throw new OperatorError('notFound', `There is no component "${reference}". There are ${known}.`);
}

const changesKept = 10_000;

/** @param what e.g. `component`, `incident` */
export function recordChange(
  { editor, by, now: at }: Change,
  what: string,
  { id, name }: { id: string; name: string },
  old: Record<string, unknown> | null,
  now: Record<string, unknown> | null,
): void {
  const number = nextNumber(editor, 'change');
  editor.put('changes', String(number), { number, at, by, what, id, name, old, new: now });
  editor.remove('changes', String(number - changesKept));
}
