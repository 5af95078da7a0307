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
  const opened = new Map<string, IncidentRecord | null>();
  for (const component of listUncovered(editor.state, rules)) {
    const { incident, before } = cover(editor, component, rules, moment);
    if (!opened.has(incident.id)) opened.set(incident.id, before);
  }
  for (const [id, before] of opened) announce(editor, editor.state.incidents[id]!, before, rules, moment);
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

/** `before`: as it was before its component joined; null for a new one. */
type Covered = { incident: IncidentRecord; before: IncidentRecord | null };

function cover(editor: StateEditor, component: ComponentRecord, rules: StatusRules, { now }: Moment): Covered {
  const { state } = editor;
  const own = listIncidents(state, 'incident').filter(isAutomatic);
  const before =
    own.find((incident) => isOpenIncident(incident) && isOfFault(state, incident, component)) ??
    own.find(
      (incident) =>
        incident.status === 'resolved' &&
        component.troubleSince! - incident.resolvedAt! <= rules.timings.reopensWithinMs &&
        isOfFault(state, incident, component),
    );
  if (before) return { incident: join(editor, before, component), before };
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
  editor.put('incidents', incident.id, incident);
  return { incident, before: null };
}

/**
 * One incident is one fault: while a member has a problem, whatever is related to a member joins; where all was well
 * again, only its cause, or with the cause what is related to that, continues it.
 */
function isOfFault(state: StatusState, incident: IncidentRecord, component: ComponentRecord): boolean {
  const members = findComponents(state, incident.componentIds);
  if (isOpenIncident(incident) && members.some(isInTrouble)) return isRelated(members, component);
  const cause = members.filter(({ key }) => key === incident.cause);
  return component.key === incident.cause || (cause.some(isInTrouble) && isRelated(cause, component));
}

/** The one update of an incident that was opened or reopened in this tick. */
function announce(
  editor: StateEditor,
  given: IncidentRecord,
  before: IncidentRecord | null,
  rules: StatusRules,
  { now }: Moment,
): void {
  // What joined an open one is a change like any other.
  if (before !== null && before.status !== 'resolved') return;
  const incident = nameByCause(editor.state, raiseImpact(editor.state, given), rules);
  const isBack = before !== null ? 'The trouble is back. ' : '';
  say(editor, { ...incident, cleanMs: 0 }, 'investigating', isBack + describe(editor.state, incident), now);
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
    say(editor, { ...incident, cleanMs: 0 }, 'monitoring', sayCalm(members), now);
    return;
  }
  const cleanMs = incident.cleanMs + watchedMs;
  if (cleanMs >= timings.resolvesAfterMs) {
    const minutes = Math.max(1, Math.round((now - incident.startedAt) / 60_000));
    const took = `The incident took ${minutes} ${minutes === 1 ? 'minute' : 'minutes'} in all.`;
    const hidden = members.filter(({ measured }) => measured !== 'operational');
    const rest = hidden.length === 0 ? 'No trouble has come back.' : sayCalm(hidden);
    say(editor, incident, 'resolved', `${rest} ${took}`, now);
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

/** Whether the component is one of them, is related to one, or both are unknown. */
function isRelated(members: readonly ComponentRecord[], component: ComponentRecord): boolean {
  const definition = statusComponents.find(({ key }) => key === component.key);
  return members.some(
    ({ id, key, unknown }) =>
      id === component.id || definition?.related.some((related) => related === key) || (unknown && component.unknown),
  );
}

const noData = 'No data about ';

function titleOf(state: StatusState, { key, name }: ComponentRecord, { levels }: Pick<StatusRules, 'levels'>): string {
  const isAlone = Object.values(state.components).filter(({ unknown }) => unknown).length === 1;
  return findWorstRule(state, key, levels)?.rule.title ?? `${noData}${isAlone ? name : 'the mirror'}`;
}

function describe(state: StatusState, { componentIds }: IncidentRecord): string {
  const members = findComponents(state, componentIds);
  const troubled = members.filter(isInTrouble).sort((a, b) => (isWorse(a.measured, b.measured) ? -1 : 0));
  const calm = members.filter((member) => !isInTrouble(member));
  const sentences = troubled.map(
    ({ name, measured, reason }) =>
      `${name}: ${measured.replace('_', ' ')}${reason === null ? '' : `, ${reason}`}${reason?.endsWith('.') ? '' : '.'}`,
  );
  if (calm.length > 0) sentences.push(sayCalm(calm));
  return sentences.join('\n');
}

/** Of components whose problem is over, or is covered by a maintenance or by what an operator set. */
function sayCalm(components: readonly ComponentRecord[]): string {
  const working = components.filter(({ measured }) => measured === 'operational');
  const covered = components.filter(({ measured }) => measured !== 'operational');
  return [
    ...(working.length > 0 || covered.length === 0 ? [sayWorking(working)] : []),
    ...covered.map(({ name, override }) =>
      override === null ? `${name} is under maintenance.` : `The state of ${name} was set by an operator.`,
    ),
  ].join(' ');
}

function sayWorking(components: readonly ComponentRecord[]): string {
  const names = components.map(({ name }) => name);
  const list = names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${names.at(-1)}` : (names[0] ?? 'Everything');
  return `${list} ${names.length === 1 ? 'works' : 'work'} again.`;
}
