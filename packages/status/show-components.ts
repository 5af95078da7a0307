// Measured states → shown states: set by an operator first, then maintenance, then the measurement; a group shows the
// worst of its children. Also counts how long a problem has lasted.
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
    const override = followOverride(component);
    const status = override?.status ?? (maintained.has(component.id) ? 'under_maintenance' : component.measured);
    const next = { ...component, override, status };
    put(editor, key, { ...next, ...countTrouble(next, moment) }, moment.now);
  }
  for (const [key, group] of Object.entries(editor.state.components)) {
    if (!group.group) continue;
    const children = Object.values(editor.state.components).filter(({ groupId }) => groupId === group.id);
    put(editor, key, { ...group, status: worstOf(children.map(({ status }) => status)) }, moment.now);
  }
}

/** The worst state among them, by severity for clients. */
function worstOf(statuses: readonly ComponentStatus[]): ComponentStatus {
  return statuses.reduce<ComponentStatus>((worst, status) => {
    if (isWorse(status, worst)) return status;
    return worst === 'operational' ? status : worst;
  }, 'operational');
}

/** A state set by an operator covers the problem of that time, and none after it is over. */
function followOverride({ override, measured }: ComponentRecord): ComponentRecord['override'] {
  return override?.measured && isWorse(override.measured, measured) ? { ...override, measured } : override;
}

/** Whether a problem counts: a state set by an operator does not hide a worse outage that came later. */
function isSpoken({ override, status, measured }: ComponentRecord): boolean {
  if (!override) return status === measured && measured !== 'operational';
  const isOutage = isWorse(measured, 'degraded_performance');
  return isOutage && isWorse(measured, status) && isWorse(measured, override.measured ?? measured);
}

function countTrouble(
  component: ComponentRecord,
  { now, watchedMs }: Moment,
): Pick<ComponentRecord, 'troubleMs' | 'troubleSince' | 'isDismissed'> {
  const { measured, troubleMs, troubleSince, isDismissed = false } = component;
  if (!isSpoken(component)) {
    return troubleSince === null
      ? { troubleMs, troubleSince }
      : { troubleMs: { degraded: 0, outage: 0 }, troubleSince: null, isDismissed: false };
  }
  // A problem begins with the tick that finds it.
  if (troubleSince === null) return { troubleMs: { degraded: 0, outage: 0 }, troubleSince: now, isDismissed: false };
  const isOutage = measured !== 'degraded_performance';
  return {
    troubleMs: { degraded: troubleMs.degraded + watchedMs, outage: isOutage ? troubleMs.outage + watchedMs : 0 },
    troubleSince,
    isDismissed,
  };
}

function put(editor: StateEditor, key: string, next: ComponentRecord, now: number): void {
  const before = editor.state.components[key]!;
  const isShownAnew = before.status !== next.status;
  if (isShownAnew) editor.put('components', key, { ...next, updatedAt: now });
  else if (
    before.troubleSince !== next.troubleSince ||
    before.troubleMs !== next.troubleMs ||
    before.override !== next.override
  ) {
    editor.put('components', key, next);
  }
}
