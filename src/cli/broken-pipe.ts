// What happens when the reader of our output is gone, as in `ledger-mirror verify … | head`: the command is asked to
// end, silently.
import type { Logger } from '../../packages/kit/process/log.ts';
/** The exit code that a shell reports for a program that SIGPIPE ended. */
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

/** The process ends with code 1 at a failure, as it would without this. */
export function logEverything(log: Logger): void {
  process.removeAllListeners('warning');
  process.on('warning', (warning) => log.warn(`${warning.name}: ${warning.message}`));
  const end = (error: unknown): void => {
    log.fatal({ err: error }, 'The program ends because of a defect in it');
    process.exit(1);
  };
  process.on('uncaughtException', end);
  process.on('unhandledRejection', end);
}
