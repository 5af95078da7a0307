// What was measured → what is shown: an operator's word first, then maintenance, then the measurement; a group shows the
// worst of its children. Also how long the trouble at hand has lasted, for what nobody has taken care of.
import { isWorse, type Moment } from './judge-components.ts';
import { isActiveMaintenance } from './shown.ts';
import type { StateEditor } from './state-editor.ts';
import type { ComponentRecord, ComponentStatus } from './status-state.ts';

export function showComponents(editor: StateEditor, moment: Moment): void {
  const maintained = new Set(
    Object.values(editor.state.incidents)
      .filter(isActiveMaintenance)
      .flatMap(({ componentIds }) => componentIds),
  );
  for (const [key, component] of Object.entries(editor.state.components)) {
    if (component.group) continue;
    const status =
      component.override?.status ?? (maintained.has(component.id) ? 'under_maintenance' : component.measured);
    put(editor, key, { ...component, status, ...countTrouble(component, status, moment) }, moment.now);
  }
  for (const [key, group] of Object.entries(editor.state.components)) {
    if (!group.group) continue;
    const children = Object.values(editor.state.components).filter(({ groupId }) => groupId === group.id);
    put(editor, key, { ...group, status: worstOf(children.map(({ status }) => status)) }, moment.now);
  }
}

/** The worst state among them, by what a client sees first. */
function worstOf(statuses: readonly ComponentStatus[]): ComponentStatus {
  return statuses.reduce<ComponentStatus>((worst, status) => {
    if (isWorse(status, worst)) return status;
    return worst === 'operational' ? status : worst;
  }, 'operational');
}

function countTrouble(
  { override, measured, troubleMs, troubleSince }: ComponentRecord,
  status: ComponentStatus,
  { now, watchedMs }: Moment,
): Pick<ComponentRecord, 'troubleMs' | 'troubleSince'> {
  if (override || status !== measured || measured === 'operational') {
    return troubleSince === null
      ? { troubleMs, troubleSince }
      : { troubleMs: { degraded: 0, outage: 0 }, troubleSince: null };
  }
  // Trouble begins with the tick that finds it.
  if (troubleSince === null) return { troubleMs: { degraded: 0, outage: 0 }, troubleSince: now };
  const isOutage = measured !== 'degraded_performance';
  return {
    troubleMs: { degraded: troubleMs.degraded + watchedMs, outage: isOutage ? troubleMs.outage + watchedMs : 0 },
    troubleSince,
  };
}

function put(editor: StateEditor, key: string, next: ComponentRecord, now: number): void {
  const before = editor.state.components[key]!;
  const isShownAnew = before.status !== next.status;
  if (isShownAnew) editor.put('components', key, { ...next, updatedAt: now });
  else if (before.troubleSince !== next.troubleSince || before.troubleMs !== next.troubleMs) {
    editor.put('components', key, next);
  }
}
