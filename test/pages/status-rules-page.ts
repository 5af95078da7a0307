// docs/reference/status.md, written from the rules so that the page cannot go stale.
import { statusComponents } from '../../packages/status/status-components.ts';
import { defaultStatusRules, type LevelRule } from '../../packages/status/status-rules.ts';

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

How signals become states of components, and states become incidents. A rule becomes active when its signal was at or above
the first threshold for the hold time, and inactive when the signal was below the second threshold for the whole leave time. A
problem that comes and goes fills the hold time more slowly. A component shows its worst active rule. If its signals are
older than \`staleMs\` and no rule is active, it is unknown: shown as degraded, counted as time without data.

A JSON file given with \`--status-rules\` replaces numbers of this page (times in ms, shares from 0 to 1):
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
All degraded are \`minor\` (Degraded System Service), one is \`minor\` (Partially Degraded Service). Maintenance with all
others operational is \`maintenance\` (Service Under Maintenance). If all are operational, the impact of an open incident counts.

## Incidents

Problems of components that depend on each other, such as the database and the queries, become one incident. It gets an update
when it becomes worse, goes to monitoring when all of its components work again, and is resolved after \`resolvesAfterMs\` without a
problem. If its cause returns within \`reopensWithinMs\`, it is opened again; another component that fails then, alone, gets an
incident of its own. No incident is opened after the signals
are normal again, and none by \`verification-slow\`: a busy machine compiles slowly. An incident is named after its cause, and
renamed when another cause is found: the database before the network, the network before the import, the import before the queries.

The rules do not change an incident that an operator has changed, or a component with a state that an operator has set, until it
is released; the page marks both. A worse outage that begins later opens an incident. A deleted incident is not opened again by the
same problem. A maintenance suppresses incidents of its components while it lasts. What an operator set for its components while an
incident or maintenance lasted ends with it (resolved, postmortem, completed, cancelled, by hand or by the clock). A maintenance that
has begun and is moved to a time to come is planned again.

\`affected_components\` of an update name the states from then on. Each update has an instant of its own.

## What one client can do to them

The page says what clients lose. A client is the owner of an API key, else a network (an IPv4 address; of IPv6 its network of 64 bits;
behind proxies the address that \`--trust-proxy\` names). Each request to the API, to JSON-RPC, gRPC and the port of a block node counts for its client:

| as | what |
|---|---|
| failed | status 5xx that none of the next lines names; −32603 for a defect or the database; a call of gRPC that ended by a defect or the database; a block that is there and could not be sent |
| refused | because more is asked than can be answered, or more than its share: 503 \`overloaded\`, all held, too many connections; 429 of a share; −32010, −32005; \`RESOURCE_EXHAUSTED\`, and \`UNAVAILABLE\` with a time to come again |
| answered | everything else: 501, a proof that is not there yet, what the client did wrong, what is unknown (404, \`NOT_FOUND\`), rate limits (429), what another server said (a relay) |
| not at all | requests whose client was gone before its answer |

Of the last minute (\`tickMs\` × 6), each client has one vote, however much it asks. **\`api.errorShare\`** is the mean of the clients' shares of failed
requests, without the client with the largest share, and 0 with fewer than three failures. Of one client alone it is its share: a private mirror with
one client shows what that client loses, and so does one behind a proxy that is not trusted. \`api.refusedShare\` is the same of refused requests, and 0
of one client alone. \`api.p95Ms\` is the median over clients of the time within which 19 of 20 of a client's answers were made, of an even number the
lower one. At most 10,000 clients are counted between two reports (5 s); all others together are one. Several processes of a \`serve\` are
counted together, by the names of their clients, which no page and no metric shows.

So one client among others can neither bring a signal about nor hide what two others lose. What it can drive, and why that is not enough:

| signal | what a client can do | why one address cannot move it |
|---|---|---|
| \`api.errorShare\` | ask for what fails | the client that fares worst does not count while there are others |
| \`api.refusedShare\` | ask more than can be answered | the same; others are refused only where its share does not hold |
| \`api.p95Ms\` | ask what takes long | the median of the clients |
| \`api.requests\` | ask | it is drawn, no rule uses it |
| \`api.workersMissing\` | nothing: a process counts while it runs | – |
| \`api.down\` | hold all connections | the service asks for readiness, which is answered beyond the limit of connections, and the connection that waits longest makes room |
| \`api.lost\`, \`import.lost\` | nothing: they are about processes and authenticated reports | – |
| \`database.down\`, \`database.probeMs\` | ask what takes the database long | the probe has a connection of its own; the median of its queries counts |
| \`database.busyShare\` | use all connections | it is 0 while \`api.p95Ms\` is below 1.5 s: connections that are used are no loss |
| \`database.placesLost\`, \`database.machinesLost\` | nothing: each is asked by itself | – |
| \`database.filling\`, \`database.writeFails\` | nothing | – |
| \`verification.waitMs\` | hand in many contracts, or what compiles for long | a client's own line does not count while one of its checks runs; a place is kept for clients that have had none lately, the others wait for one check of each client, and halts of a check become shorter the longer the service is busy |
| \`verification.checkMs\` | keep compilers or the service busy | the self-test has no share to wait for; waiting, the start of its process and halts are no part of its time |
| \`verification.down\` | keep compilers busy | a self-test that is refused, or meets a limit twice in a row, does not count |
| \`import.*\`, \`stream.*\`, \`network.silentMs\` | keep the service busy, where it imports, too | requests of one client have a share of the thread; the rules begin at 20 s of delay that does not shrink, and at 2 s for each of five blocks |

Webhooks, changes by operators and reports of other machines need a token; wrong ones are counted by client, and change nothing.

## Sources of the signals

Every process that answers queries reports its signals; of several on one data folder the worst counts. The import reports
within the process in \`start\`, else by a heartbeat that \`import\` writes to the table \`importer_state\` every two seconds. A
missing heartbeat is an outage of the import. Then the network is unknown, and so is the chain unless it is broken. In a
database without that table, such as that of a Hiero mirror node, new blocks are the signal for all three.

A bootstrap writes to the database how far it is (\`docs/reference/exports.md\`): \`database.filling\` is 1 while it runs and 2 after it was interrupted, and the
description of the database has files, rows, rows a second and the time left. Query services are not ready until it has ended.

Some facts about a component are not a problem: they are in its description. The description of the stream's
continuity names the ledger that blocks are verified as, with why it is trusted, and the first block that no signature covers. The newest
record file, or the newest block and the instant in its header, shows whether the network writes.

Silence is reported only of a network that was seen to write: a file that was less than two minutes old when it was seen, or a
newest stored block that was stored within two minutes of its consensus. For an archive, or a simulated network that writes its
history, it is not known whether more will come: the network is unknown, its description names the day of the newest file,
and an import that has stored all of it is neither late nor silent. In the first minute of a process no silence is reported.
Charts are drawn up to five times the third quartile where the highest value exceeds it twentyfold; higher values are marked.

\`import.lagMs\`, how old the newest stored block is, is drawn and no rule uses it: the rules of the import judge what grows or does not come.

A query service or an import that ends without notice is lost at once (\`api.lost\`, \`import.lost\`): the status service sees
that its process or its connection has ended, or that three reports are missing. It is missed for an hour, and until an operator
forgets it (\`ledger-mirror status reporter forget\`). Where the last query service ends in order, nothing is known of the queries.
`;
}

const meanings: Record<keyof (typeof defaultStatusRules)['timings'], string> = {
  tickMs: 'How often the state is computed; parts report twice as often. The last minute is six of these.',
  staleMs: 'Older signals do not count.',
  outageOpensMs: 'A partial or major outage that lasts this long becomes an incident.',
  degradedOpensMs: 'The same for a degraded component.',
  resolvesAfterMs: 'An incident is resolved after this time without a problem.',
  reopensWithinMs: 'An incident is opened again if its cause returns within this time.',
  maintenanceVerifiesMs: 'After its end a maintenance is completed after this time without a problem.',
  maintenanceOverrunMs: 'A problem that is still there this long after the end of a maintenance becomes an incident.',
  selfTestMs: 'How often contract verification checks a small built-in contract.',
};

function formatNumber({ signal }: LevelRule, value: number): string {
  if (signal.endsWith('Ms')) return formatMs(value);
  return signal.endsWith('Share') ? `${value * 100} %` : String(value);
}

function formatMs(ms: number): string {
  if (ms >= 60_000) return `${ms / 60_000} min`;
  return ms >= 1000 ? `${ms / 1000} s` : ms === 0 ? 'none' : `${ms} ms`;
}
