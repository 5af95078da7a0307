// What a client can take, door by door, and how much of it there is: the one table of docs/reference/shares.md. Where a number is
// a setting, its name stands here.

export type DoorShare = {
  /** One place of it. */
  counts: string;
  /** Of all clients together, in this process. */
  places: number | `--${string}`;
  /** Of one client; null = as many as nobody else wants. */
  share: number | `--${string}` | null;
  /** How long a client may wait for one, ms; 0 = it is refused at once. */
  waitMs: number | `--${string}`;
  /** Seconds, with the refusal. */
  retryAfterSeconds: number;
};

const mebibyte = 2 ** 20;

export const doorShares = {
  questions: {
    counts: 'a request for which an answer is being made',
    places: 32,
    share: null,
    waitMs: 1000,
    retryAfterSeconds: 1,
  },
  connections: {
    counts: 'an open connection',
    places: '--max-connections',
    share: null,
    waitMs: 0,
    retryAfterSeconds: 5,
  },
  calls: {
    counts: 'a call of a contract, or a transaction that is run again, in a thread',
    places: '--call-threads',
    share: null,
    waitMs: 10_000,
    retryAfterSeconds: 1,
  },
  forwarded: {
    counts: 'a request that is forwarded to the status service',
    places: 64,
    share: null,
    waitMs: 30_000,
    retryAfterSeconds: 1,
  },
  liveFeeds: { counts: 'a stream of events', places: 2000, share: null, waitMs: 0, retryAfterSeconds: 5 },
  downloads: { counts: 'a file that is being downloaded', places: 64, share: null, waitMs: 0, retryAfterSeconds: 5 },
  blockStreams: {
    counts: 'a subscription to blocks, or a block that is being sent',
    places: 200,
    share: null,
    waitMs: 0,
    retryAfterSeconds: 5,
  },
  blockConnections: {
    counts: 'an open connection to the port of block nodes',
    places: '--max-connections',
    share: null,
    waitMs: 0,
    retryAfterSeconds: 5,
  },
  grpcConnections: {
    counts: 'an open connection to the port of gRPC',
    places: '--max-connections',
    share: null,
    waitMs: 0,
    retryAfterSeconds: 5,
  },
  grpcStreams: { counts: 'a stream of gRPC', places: 20_000, share: null, waitMs: 0, retryAfterSeconds: 5 },
  filters: { counts: 'a filter of JSON-RPC', places: 10_000, share: null, waitMs: 0, retryAfterSeconds: 5 },
  filterBytes: { counts: 'a byte of a filter', places: 16 * mebibyte, share: null, waitMs: 0, retryAfterSeconds: 5 },
  subscriptionTerms: {
    counts: 'a subscription of a web socket, and each of its addresses and topics',
    places: 200_000,
    share: null,
    waitMs: 0,
    retryAfterSeconds: 5,
  },
  sessions: { counts: 'a session of contract checks', places: 1000, share: 20, waitMs: 0, retryAfterSeconds: 5 },
  checks: {
    counts: 'a contract check that waits',
    places: '--verify-queue',
    share: '--verify-client-queue',
    waitMs: 0,
    retryAfterSeconds: 10,
  },
  relayed: {
    counts: 'a transaction that waits for the relay',
    places: 100,
    share: null,
    waitMs: 0,
    retryAfterSeconds: 5,
  },
} as const satisfies Record<string, DoorShare>;

export type DoorName = keyof typeof doorShares;
