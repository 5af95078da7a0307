// The errors of Citus about a machine that it cannot reach, or that it lost within a transaction. Many have no specific
// code, but that of an internal error (XX000) or of input and output (58030).

/** `cause`, if set, names the machine. */
export class LostMachineError extends Error {
  /** SQLSTATE: connection failure. */
  readonly code = '08006';

  constructor(message: string, cause?: Error) {
    super(message, { cause });
    this.name = 'LostMachineError';
  }
}

/** Without the name of the machine: the reason why an import waits is public. */
export function toLostMachine(error: unknown): unknown {
  if (!isLostMachine(error) || error instanceof LostMachineError) return error;
  return new LostMachineError('A machine of the cluster was lost', error as Error);
}

const doubtfulCodes: ReadonlySet<unknown> = new Set(['XX000', '58030', '08000', '08001', '08003', '08006']);

const sentences = new RegExp(
  [
    '^failure on connection marked as essential: ',
    '^connection (to the remote node|establishment for node) ',
    '^could not (connect to any active placements|establish any connections to the node|find an available connection)',
    '^failed to (prepare transaction|complete COPY on|COPY to shard) ',
    // From libpq, between the coordinator and the machine.
    '^(server closed the connection unexpectedly|connection not open|no connection to the server|lost synchronization with server)',
    '^(could not (send data to|receive data from) server|SSL (SYSCALL error|connection has been closed unexpectedly))',
  ].join('|'),
);

/** Of an error that a coordinator reports; if the coordinator itself is lost, there is none. */
export function isLostMachine(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof LostMachineError) return true;
  const { code } = error as Error & { code?: unknown };
  if (code === undefined) return isLostMachine(error.cause);
  if (!doubtfulCodes.has(code)) return false;
  return sentences.test(error.message) || isLostMachine(error.cause);
}
