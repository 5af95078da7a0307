// How long a client may take for each part of an exchange, and how many connections may be open.

export type ConnectionLimits = {
  /** For the whole head of a request, and for a new connection until then. */
  headTimeoutMs: number;
  /** For the body, from the end of the head on. */
  bodyTimeoutMs: number;
  /** Between two requests of one connection. */
  idleTimeoutMs: number;
  /** From the first byte of an answer until the client has taken the last. */
  answerTimeoutMs: number;
  /** Above it the longest idle connection is closed; if all are busy, a few more are accepted for operators. */
  maxConnections: number;
};

export const defaultConnectionLimits: ConnectionLimits = {
  headTimeoutMs: 10_000,
  bodyTimeoutMs: 30_000,
  idleTimeoutMs: 60_000,
  answerTimeoutMs: 60_000,
  maxConnections: 4096,
};
