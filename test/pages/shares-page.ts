// docs/reference/shares.md, written from the table of the doors so that the page cannot go stale.
import { type DoorShare, doorShares } from '../../packages/kit/shares/door-shares.ts';

/** The whole page as Markdown. */
export function formatSharesPage(): string {
  return `# Shares of clients

What a client can take of this server, door by door, and what happens when a door is full. One client that takes all it can get costs
others neither an answer nor a place. \`UPDATE_PAGES=1 npm test -- test/pages\` writes this page from \`packages/kit/shares/door-shares.ts\`; the tests in
\`test/fairness/\` have one address take everything at each door, and eight others ask.

## What a client is

The owner of a known API key (\`--api-keys\`, header \`x-api-key\`), else the network of the address: an IPv4 address, or the /64 network of
an IPv6 address, where one client has many. Behind proxies that \`--trust-proxy\` names it is the address that they forward
(\`X-Forwarded-For\`). A call of gRPC says the same in its metadata. Each process (\`--workers\`) counts by itself.

## What is held

Streams, files, filters, connections: a client has them as long as it likes. One client may hold all of them while nobody else wants any.
When all are held, a client that holds fewer than the client with most gets one of that client's places:

* of streams and files the newest goes, of filters the one that was not used longest. A client that has most and adds a filter loses
  its own oldest one
* of connections an idle one goes, the longest idle first, then one whose request has not come whole, then one whose answer is not read,
  then a stream or web socket. One whose request is worked on goes only if its client has more than half of all connections. A client
  that has most and opens a new connection loses its own longest idle one; if it has none, it is answered as when all are busy
  (\`--max-connections\`). The connections of a proxy in \`--trust-proxy\` are those of one client here, as who sends on them is not known
  before the first request
* of transactions that wait for the relay none can go: a client gets one as long as it has fewer than are left

| door | a place is | places | of one client | refusal: its own, all | retry after |
|---|---|---|---|---|---|
${rowsOf('held').join('\n')}

How a client sees that its place went:

| | |
|---|---|
| stream of events | \`retry: ${1000 * doorShares.liveFeeds.retryAfterSeconds}\`, then the end: an \`EventSource\` comes back by itself, and goes on behind the last item |
| file | it ends without its last chunk, which clients report |
| gRPC and block node | RESOURCE_EXHAUSTED, with \`grpc-retry-pushback-ms\`. What it does not take of what was sent is dropped after 5 s |
| filter | it is unknown (−32001), as one that was not used for five minutes |
| subscription | its web socket is closed with code 1013, so that the client asks for its subscriptions again |
| connection | it is closed |

## What is worked on

A few at a time, the others wait in a line. Clients take turns: who has fewest running comes first, then who has taken least time
lately, then who has waited longest. So others wait for one piece of a client's many. Where the line is full, the client with least in it
takes a place from the one with most. A place that is kept is for clients that have none and took little time lately. What several clients wait for is done once,
by the first whose turn comes. A page that has waited too long is refused with 429 if others of its client were made meanwhile, else with 503.

Of \`questions\` a client that is alone has no bound. While several ask (in the last second or two), each has an equal part of the
places, at least two, and eight of all are worked on in any case; while the thread that answers is busy, they share these eight, and while it is behind, each has one. What waits in a
line of its own, such as a call for its thread, takes no place meanwhile. Answers from the cache take none. Bodies of JSON-RPC of more than 16 KB
are read in turn, too. At PostgreSQL clients take turns at the connections, and one has at most three of four of those that long queries or
snapshots hold; a query that would wait too long (\`--max-wait\`) is refused to the client with most first.

| door | a place is | at a time | of one client | wait | refusal: its own, all | retry after |
|---|---|---|---|---|---|---|
${rowsOf('work').join('\n')}

## Refusals

| | for what the client takes itself | because all is taken |
|---|---|---|
| HTTP | 429 | 503 |
| JSON-RPC | −32005, with 429 | −32010, with 503 |
| gRPC, block node | RESOURCE_EXHAUSTED | UNAVAILABLE |

HTTP has \`Retry-After\`, gRPC the trailer \`grpc-retry-pushback-ms\`. Refusals are not failures of the service: they are not logged as errors.

## Metrics

\`ledger_mirror_places_refused_total\` by door and by \`client\` or \`all\`, \`ledger_mirror_places_withdrawn_total\` by door. Many refusals by \`all\` say
that there are more clients than places; \`client\` alone says that one takes what it can.
`;
}

function rowsOf(kind: DoorShare['kind']): string[] {
  return Object.entries<DoorShare>(doorShares)
    .filter(([, door]) => door.kind === kind)
    .map(([name, { counts, places, kept, share, waitMs, refusal, retryAfterSeconds }]) => {
      const wait = kind === 'work' ? [formatWait(waitMs)] : [];
      const refused = refusal === null ? ['–', '–'] : [refusal.join(', '), `${retryAfterSeconds} s`];
      const all = `${formatCount(places)}${kept === undefined ? '' : `, and ${kept} kept`}`;
      const cells = [`\`${name}\``, counts, all, share === null ? 'any' : formatCount(share)];
      return `| ${[...cells, ...wait, ...refused].join(' | ')} |`;
    });
}

function formatCount(count: number | string): string {
  return typeof count === 'number' ? count.toLocaleString('en-US') : `\`${count}\``;
}

function formatWait(waitMs: DoorShare['waitMs']): string {
  if (waitMs === null) return 'any';
  return typeof waitMs === 'number' ? `${waitMs / 1000} s` : `\`${waitMs}\``;
}
