/** ms: how long a client may take for what comes of itself. On a busy machine its start alone can take minutes. */
export const patienceMs = 600_000;
