// Incidents that open, grow, recover, close and reopen by rule. One cause is one incident: related components join the
// open one. An incident that a person has taken over does not change until it is released.
import { createIncident, findComponents, impactOf, lastNamedStatus, say } from './incident-updates.ts';
import { findWorstRule, isAtHand, isWorse, type Moment } from './judge-components.ts';
import { isOpenIncident, listIncidents } from './shown.ts';
import type { StateEditor } from './state-editor.ts';
import { statusComponents } from './status-components.ts';
import type { StatusRules } from './status-rules.ts';
import type { ComponentRecord, IncidentRecord, StatusState } from './status-state.ts';

export function keepIncidents(editor: StateEditor, rules: StatusRules, moment: Moment): void {
  for (const component of listUncovered(editor.state, rules)) cover(editor, component, rules, moment);
  for (const incident of listIncidents(editor.state, 'incident')) {
    if (isAutomatic(incident) && isOpenIncident(incident)) follow(editor, incident, rules, moment);
  }
}

function isAutomatic({ cause, heldBy }: IncidentRecord): boolean {
  return cause !== null && heldBy === null;
}

/** Whether it counts as a problem that the rules handle. */
function isInTrouble({ troubleSince, group }: ComponentRecord): boolean {
  return !group && troubleSince !== null;
}

/** Components with a problem that has lasted long enough and has no open incident; the longest first, then causes. */
function listUncovered(state: StatusState, { timings, levels }: StatusRules): ComponentRecord[] {
  const { components, incidents } = state;
  const spokenOf = new Set(
    Object.values(incidents)
      .filter(isOpenIncident)
      .flatMap(({ componentIds }) => componentIds),
  );
  return Object.values(components)
    .filter(
      (component) =>
        isInTrouble(component) &&
        !component.isDismissed &&
        !spokenOf.has(component.id) &&
        isAtHand(state, component, levels) &&
        (component.troubleMs.outage >= timings.outageOpensMs ||
          component.troubleMs.degraded >= timings.degradedOpensMs),
    )
    .sort((a, b) => a.troubleSince! - b.troubleSince! || rankOf(a) - rankOf(b));
}

function cover(editor: StateEditor, component: ComponentRecord, rules: StatusRules, { now }: Moment): void {
  const own = listIncidents(editor.state, 'incident').filter(isAutomatic);
  const open = own.find((incident) => isOpenIncident(incident) && isRelated(editor.state, incident, component));
  if (open) {
    join(editor, open, component);
    return;
  }
  const closed = own.find(
    (incident) =>
      incident.status === 'resolved' &&
      component.troubleSince! - incident.resolvedAt! <= rules.timings.reopensWithinMs &&
      (incident.componentIds.includes(component.id) || isRelated(editor.state, incident, component)),
  );
  if (closed) {
    const joined = join(editor, closed, component);
    say(
      editor,
      raiseImpact(editor.state, joined),
      'investigating',
      `The trouble is back. ${describe(editor.state, joined)}`,
      now,
    );
    return;
  }
  const incident = createIncident(
    editor,
    {
      kind: 'incident',
      name: titleOf(editor.state, component, rules),
      impact: impactOf(editor.state, [component.id]),
      componentIds: [component.id],
      cause: component.key,
      startedAt: component.troubleSince!,
    },
    now,
  );
  say(editor, incident, 'investigating', describe(editor.state, incident), now);
}

function join(editor: StateEditor, incident: IncidentRecord, { id }: ComponentRecord): IncidentRecord {
  if (incident.componentIds.includes(id)) return incident;
  const joined = { ...incident, componentIds: [...incident.componentIds, id] };
  editor.put('incidents', joined.id, joined);
  return joined;
}

/** Updates an open incident when it changes, recovers or is over. */
function follow(editor: StateEditor, given: IncidentRecord, rules: StatusRules, { now, watchedMs }: Moment): void {
  const { timings } = rules;
  const incident = nameByCause(editor.state, raiseImpact(editor.state, given), rules);
  const rename = incident.name === given.name ? '' : `First reported as "${given.name}".\n`;
  const members = findComponents(editor.state, incident.componentIds);
  if (members.some(isInTrouble)) {
    const changed = members.filter(({ id, status }) => lastNamedStatus(incident, id) !== status);
    if (incident.status === 'monitoring') {
      const body = `The trouble is back. ${describe(editor.state, incident)}`;
      say(editor, { ...incident, cleanMs: 0 }, 'investigating', body, now);
    } else if (changed.length > 0 || rename !== '') {
      say(editor, incident, incident.status, rename + describe(editor.state, incident), now);
    }
    return;
  }
  if (incident.status !== 'monitoring') {
    say(editor, { ...incident, cleanMs: 0 }, 'monitoring', sayWorking(members), now);
    return;
  }
  const cleanMs = incident.cleanMs + watchedMs;
  if (cleanMs >= timings.resolvesAfterMs) {
    const minutes = Math.max(1, Math.round((now - incident.startedAt) / 60_000));
    const took = `${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`;
    say(editor, incident, 'resolved', `No trouble has come back. The incident took ${took} in all.`, now);
  } else if (watchedMs > 0) {
    editor.put('incidents', incident.id, { ...incident, cleanMs });
  }
}

/** Causes come before their consequences; an outage comes before a degradation. */
const causes = ['database', 'network', 'continuity', 'import', 'verification', 'api'];

/**
 * Named after the first active cause: one that ends first stays the cause, and one that improves keeps the name of its
 * worst state. A name that a person gave stays.
 */
function nameByCause(state: StatusState, incident: IncidentRecord, { levels }: StatusRules): IncidentRecord {
  const named = Object.values(levels).find(({ title }) => title === incident.name);
  if (!named && !incident.name.startsWith(noData)) return incident;
  const members = findComponents(state, incident.componentIds);
  const known = members.find(({ key }) => key === incident.cause);
  const [cause] = members
    .filter((member) => isInTrouble(member) && !member.unknown && isAtHand(state, member, levels))
    .sort((a, b) => rankOf(a) - rankOf(b));
  if (!cause || (known && rankOf(cause) > rankOf(known))) return incident;
  const worst = findWorstRule(state, cause.key, levels);
  if (named && worst && cause === known && isWorse(named.level, worst.rule.level)) return incident;
  return { ...incident, name: titleOf(state, cause, { levels }), cause: cause.key };
}

function rankOf({ key, measured }: ComponentRecord): number {
  return causes.indexOf(key) + (measured === 'degraded_performance' ? causes.length : 0);
}

function raiseImpact(state: StatusState, incident: IncidentRecord): IncidentRecord {
  const impact = impactOf(state, incident.componentIds, incident.impact);
  return impact === incident.impact ? incident : { ...incident, impact };
}

/** Whether the component is related to one of the incident's, or both are unknown. */
function isRelated(state: StatusState, { componentIds }: IncidentRecord, component: ComponentRecord): boolean {
  const definition = statusComponents.find(({ key }) => key === component.key);
  return findComponents(state, componentIds).some(
    ({ id, key, unknown }) =>
      id === component.id || definition?.related.some((related) => related === key) || (unknown && component.unknown),
  );
}

const noData = 'No data about ';

function titleOf(state: StatusState, { key, name }: ComponentRecord, { levels }: Pick<StatusRules, 'levels'>): string {
  return findWorstRule(state, key, levels)?.rule.title ?? `${noData}${name}`;
}

function describe(state: StatusState, { componentIds }: IncidentRecord): string {
  const members = findComponents(state, componentIds);
  const troubled = members.filter(isInTrouble).sort((a, b) => (isWorse(a.measured, b.measured) ? -1 : 0));
  const calm = members.filter((member) => !isInTrouble(member));
  const sentences = troubled.map(
    ({ name, measured, reason }) =>
      `${name}: ${measured.replace('_', ' ')}${reason === null ? '' : `, ${reason}`}${reason?.endsWith('.') ? '' : '.'}`,
  );
  if (calm.length > 0) sentences.push(sayWorking(calm));
  return sentences.join('\n');
}

function sayWorking(components: readonly ComponentRecord[]): string {
  const names = components.map(({ name }) => name);
  const list = names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${names.at(-1)}` : (names[0] ?? 'Everything');
  return `${list} ${names.length === 1 ? 'works' : 'work'} again.`;
}
