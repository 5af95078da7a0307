// What Node itself would write to standard error goes through the log, in its format: warnings, and failures that nothing
// else has caught.
import type { Logger } from '../runtime/process/log.ts';

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
