// What a client can take, door by door, and how much of it there is: the one table of docs/reference/shares.md. Where a
// number is a setting, its name stands here.

export type DoorShare = {
  /** `held`: as long as the client likes; `work`: a few at a time, the others wait. */
  kind: 'held' | 'work';
  /** One place of it. */
  counts: string;
  /** Of all clients together, in this process. */
  places: number | `--${string}`;
  /** Further ones, for clients that have none and have taken little time. */
  kept?: number;
  /** Of one client; null = as many as no other client wants. */
  share: number | `--${string}` | null;
  /** How long a client may wait for one, ms; 0 = it is refused at once, null = as long as it likes. */
  waitMs: number | `--${string}` | null;
  /**
   * What a client gets for what it takes itself, and what one that takes nothing gets where all is taken; null =
   * neither is refused.
   */
  refusal: readonly [ofClient: string, ofAll: string] | null;
  /** Seconds, with the refusal. */
  retryAfterSeconds: number;
};

const mebibyte = 2 ** 20;
const http = ['429', '503'] as const;
const rpc = ['−32005', '−32010'] as const;
const grpc = ['RESOURCE_EXHAUSTED', 'UNAVAILABLE'] as const;
/** At once, or in a few seconds. */
const held = { kind: 'held', share: null, waitMs: 0, retryAfterSeconds: 5 } as const;
const heldByRpc = { ...held, refusal: rpc, retryAfterSeconds: 1 } as const;
/** What waits is bounded by the streams, files and connections that wait. */
const patient = { kind: 'work', share: null, waitMs: null, refusal: null, retryAfterSeconds: 0 } as const;

export const doorShares = {
  connections: { ...held, counts: 'an open connection', places: '--max-connections', refusal: ['503', '503'] },
  liveFeeds: { ...held, counts: 'a stream of events', places: 2000, refusal: http },
  downloads: { ...held, counts: 'a file that is being downloaded', places: 64, refusal: http },
  blockConnections: {
    ...held,
    counts: 'an open connection to the port of block nodes',
    places: '--max-connections',
    refusal: ['it is closed', 'it is closed'],
  },
  blockStreams: {
    ...held,
    counts: 'a subscription to blocks, or a block that is being sent',
    places: 200,
    refusal: grpc,
  },
  largeAnswers: { ...held, counts: 'a block above 4 MiB in one message', places: 2, share: 1, refusal: grpc },
  grpcConnections: {
    ...held,
    counts: 'an open connection to the port of gRPC',
    places: '--max-connections',
    refusal: ['it is closed', 'it is closed'],
  },
  grpcStreams: {
    ...held,
    counts: 'a stream of gRPC: a topic, an address book, health, descriptions',
    places: 20_000,
    refusal: grpc,
  },
  filters: { ...heldByRpc, counts: 'a filter of JSON-RPC', places: 10_000 },
  filterBytes: { ...heldByRpc, counts: 'a byte of a filter', places: 16 * mebibyte },
  subscriptionTerms: {
    ...heldByRpc,
    counts: 'a subscription of a web socket, and each of its addresses and topics',
    places: 200_000,
  },
  sessions: { ...held, counts: 'a session of contract checks', places: 1000, share: 20, refusal: http },
  relayed: { ...heldByRpc, counts: 'a transaction that waits for the relay', places: 100, share: 50 },
  questions: {
    kind: 'work',
    counts: 'a request for which an answer is being made',
    places: 32,
    share: null,
    waitMs: 1000,
    refusal: http,
    retryAfterSeconds: 1,
  },
  calls: {
    kind: 'work',
    counts: 'a call of a contract, or a transaction that is run again, in a thread',
    places: '--call-threads',
    kept: 1,
    share: null,
    waitMs: 15_000,
    refusal: http,
    retryAfterSeconds: 1,
  },
  forwarded: {
    kind: 'work',
    counts: 'a request that is forwarded to the status service',
    places: 64,
    share: null,
    waitMs: 30_000,
    refusal: http,
    retryAfterSeconds: 1,
  },
  checks: {
    kind: 'work',
    counts: 'a contract check that waits',
    places: '--verify-queue',
    share: '--verify-client-queue',
    waitMs: 0,
    refusal: http,
    retryAfterSeconds: 10,
  },
  batches: { ...patient, counts: 'a request of a batch of JSON-RPC', places: 8, kept: 1 },
  pages: {
    kind: 'work',
    counts: 'a page that is being made; while the thread is busy one at a time; 1,000 wait',
    places: 8,
    kept: 1,
    share: null,
    waitMs: 15_000,
    refusal: http,
    retryAfterSeconds: 1,
  },
  longAnswers: {
    kind: 'work',
    counts: 'a slice of a long answer or digest of JSON-RPC; 100 wait',
    places: 1,
    share: null,
    waitMs: null,
    refusal: rpc,
    retryAfterSeconds: 1,
  },
  longBodies: {
    kind: 'work',
    counts: 'a body above 128 KiB that is written without compression; 200 wait',
    places: 1,
    share: null,
    waitMs: null,
    refusal: http,
    retryAfterSeconds: 1,
  },
  feedReads: { ...patient, counts: 'what a stream of events, or of gRPC, reads from the database', places: 4 },
  blockReads: { ...patient, counts: 'a small block that is read for those who follow', places: 4 },
  largeBlocks: { ...patient, counts: 'a block above 4 MiB that is being sent', places: 2, share: 1 },
  downloadPieces: { ...patient, counts: 'a piece of a file that is being made', places: 2, share: 1 },
  proofFiles: {
    kind: 'work',
    counts: 'a large block, or one of the source, that is opened for proofs; 16 wait',
    places: 2,
    share: null,
    waitMs: null,
    refusal: ['503', '503'],
    retryAfterSeconds: 5,
  },
} as const satisfies Record<string, DoorShare>;

export type DoorName = keyof typeof doorShares;
