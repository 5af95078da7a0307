// What happens when the reader of our output is gone, as in `ledger-mirror verify … | head`: the command is asked to end,
// and nothing is said about it.

/** As a shell tells of a program that the system ended for writing into a pipe without a reader. */
export const brokenPipeExitCode = 141;

/** @param onBroken called once */
export function watchForBrokenPipe(streams: readonly NodeJS.WriteStream[], onBroken: () => void): void {
  let isBroken = false;
  for (const stream of streams) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
      if (!isBroken) onBroken();
      isBroken = true;
    });
  }
}
