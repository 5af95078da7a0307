// docs/reference/status.md, written from the rules so that the page cannot go stale.
import { statusComponents } from '../../src/status/status-components.ts';
import { defaultStatusRules, type LevelRule } from '../../src/status/status-rules.ts';

/** The whole page as Markdown. */
export function formatStatusRulesPage(): string {
  const { timings, levels } = defaultStatusRules;
  const names = new Map(
    statusComponents.map(({ key, name }) => [
      key,
      name({ name: 'testnet', title: 'Hedera Testnet', version: 'vX.Y.Z' }),
    ]),
  );
  const rules = Object.entries(levels).map(
    ([name, rule]) =>
      `| \`${name}\` | ${names.get(rule.component)!.replaceAll('|', '\\|')} | ${rule.level.replaceAll('_', ' ')} | \`${rule.signal}\` | ${formatNumber(rule, rule.enterAt)} | ${formatNumber(rule, rule.exitBelow)} | ${formatMs(rule.holdMs)} | ${formatMs(rule.leaveMs)} |`,
  );
  const times = Object.entries(timings).map(
    ([name, value]) => `| \`${name}\` | ${formatMs(value)} | ${meanings[name as keyof typeof meanings]} |`,
  );
  return `# The rules of the status summary

How signals become states of components, and states become incidents. A rule comes into force when its signal was at the first
threshold or above for the hold time, and goes out of force only after it was below the second one for the leave time at a
stretch. Trouble that comes and goes fills the hold time more slowly, yet fills it. The worst rule in force is what a
component shows. Where the signals that it stands on are older than \`staleMs\` and no rule is in force, it is unknown: shown
as degraded, counted as time without data.

A JSON file given with \`--status-rules\` replaces numbers of this page and nothing else (times in ms, shares from 0 to 1):
\`{ "timings": { "staleMs": 60000 }, "levels": { "api-slow": { "enterAt": 500, "exitBelow": 400 } } }\`.

## Levels

| rule | component | state | signal | from | until below | hold | leave |
|---|---|---|---|---|---|---|---|
${rules.join('\n')}

## Times

| name | time | meaning |
|---|---|---|
${times.join('\n')}

## Overall

Groups do not count. All components in a major outage are \`critical\` (Major System Outage), one of several is \`major\` (Partial
System Outage). All in a partial outage are \`major\` (Partial System Outage), one of several is \`minor\` (Minor Service Outage).
All degraded are \`minor\` (Degraded System Service), one is \`minor\` (Partially Degraded Service). Maintenance beside
operational is \`maintenance\` (Service Under Maintenance). Where all are operational, an open incident speaks by its impact.

## Incidents

Trouble of components that hang together, such as the database and the queries, becomes one incident. It says when it gets
worse, goes to monitoring when all of its components work again, and is resolved after \`resolvesAfterMs\` without trouble. Trouble
that comes back within \`reopensWithinMs\` opens the same incident again. None is opened when the signals are calm again, and none
by \`verification-slow\`: a busy machine compiles slowly. It is named after its cause, and named anew when another one is found:
the database before the network, the network before the import, the import before the queries.

An incident that a person has changed is left alone until it is released; so is a component whose state a person has set,
and the page says that it is. An outage that begins after the person's word, and is worse, becomes an incident all the same.
A deleted incident is not opened again by the trouble that it was about. A maintenance mutes incidents of its components
while it lasts.

## Who says it

Every process that answers queries reports what it sees; of several on one data folder the worst counts. The import speaks for
itself: in \`start\` within the process, else by a heartbeat that \`import\` leaves in the table \`importer_state\` every two seconds.
A heartbeat that is missing is the import's outage. Nothing is said of the network then, nor of the chain unless it is
broken: both become unknown. In a database without that table, such as a Hiero mirror node's, fresh blocks speak for all three.
`;
}

const meanings: Record<keyof (typeof defaultStatusRules)['timings'], string> = {
  tickMs: 'How often the state moves on; parts report twice as often. The last minute is six of these.',
  staleMs: 'Older signals say nothing.',
  outageOpensMs: 'A partial or major outage that lasts this long becomes an incident.',
  degradedOpensMs: 'The same for a component that is only degraded.',
  resolvesAfterMs: 'An incident is resolved after so long without trouble.',
  reopensWithinMs: 'Trouble that comes back this soon opens the same incident again.',
  maintenanceVerifiesMs: 'A maintenance whose time is over is completed after so long without trouble.',
  maintenanceOverrunMs: 'So long after its time, trouble that is still there becomes an incident.',
  selfTestMs: 'How often contract verification compiles and compares a small contract of its own.',
};

function formatNumber({ signal }: LevelRule, value: number): string {
  if (signal.endsWith('Ms')) return formatMs(value);
  return signal.endsWith('Share') ? `${value * 100} %` : String(value);
}

function formatMs(ms: number): string {
  if (ms >= 60_000) return `${ms / 60_000} min`;
  return ms >= 1000 ? `${ms / 1000} s` : ms === 0 ? 'none' : `${ms} ms`;
}
