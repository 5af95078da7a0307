import type { Logger } from '../../packages/kit/process/log.ts';

/** Logs that the simulated network waits for disk space, and that it continues. */
export function tellFullDisk(log: Logger, folder: string): (error: Error | null) => void {
  return (error) => {
    if (error)
      log.error(`The simulated network waits: there is no room in ${folder} (${error.message}). Make room there.`);
    else log.info('The disk has space again: the simulated network continues');
  };
}
