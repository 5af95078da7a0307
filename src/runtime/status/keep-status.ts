// The periodic work of the status service: its clock, checks of the reporting programs, and standing in for killed
// ones.

import { pause } from '../../../packages/kit/pause.ts';
import type { Logger } from '../../../packages/kit/process/log.ts';
import type { Shutdown } from '../../../packages/kit/process/shutdown.ts';
import type { StatusService } from '../../../packages/status/create-status-service.ts';
import type { ServiceFolder } from './service-folder.ts';
import type { ServingPlaces } from './serving-places.ts';
import type { StandIns } from './stand-ins.ts';
import { goesOnMessage, type StatusAddress, stopMessage } from './status-service-file.ts';
import type { ServingWatch } from './watch-serving.ts';

export type KeepStatusOptions = {
  service: Pick<StatusService, 'tick'>;
  folder: ServiceFolder;
  address: StatusAddress;
  parent: ServiceParent;
  places: ServingPlaces;
  standIns: StandIns;
  watch: ServingWatch;
  tickMs: number;
  outliveSeconds: number;
  shutdown: Shutdown;
  clock(): number;
};

/** How often to check for programs that are gone. */
const lookEveryMs = 250;
const standInEveryMs = 500;

/** Until the signal. */
export async function keepStatus(options: KeepStatusOptions): Promise<void> {
  await Promise.all([keepTime(options), keepProbing(options), keepLooking(options), keepStandingIn(options)]);
}

async function keepTime({ service, folder, address, tickMs, shutdown }: KeepStatusOptions): Promise<void> {
  for (;;) {
    service.tick();
    folder.keep(address);
    if (!(await pause(tickMs, shutdown.signal))) return;
    endWhereLost(folder, shutdown);
  }
}

async function keepProbing({ places, watch, tickMs, shutdown, clock }: KeepStatusOptions): Promise<void> {
  let probedAt = Number.NEGATIVE_INFINITY;
  for (;;) {
    const isAlone = places.list(clock()).length === 0;
    if (!isAlone || performance.now() - probedAt >= tickMs) {
      await watch.probe();
      probedAt = performance.now();
    }
    if (!(await pause(isAlone ? Math.min(200, tickMs) : tickMs, shutdown.signal))) return;
  }
}

async function keepLooking({ watch, shutdown }: KeepStatusOptions): Promise<void> {
  while (await pause(lookEveryMs, shutdown.signal)) watch.look();
}

/** Listens on the ports of killed query services; ends when there has been none for too long. */
async function keepStandingIn(options: KeepStatusOptions): Promise<void> {
  const { parent, folder, places, standIns, watch, outliveSeconds, shutdown, clock } = options;
  let aloneSince: number | null = null;
  while (parent.pid !== null && (await pause(standInEveryMs, shutdown.signal))) {
    const now = clock();
    endWhereLost(folder, shutdown);
    aloneSince = parent.isLeftOver() ? (aloneSince ?? now) : null;
    if (aloneSince !== null && now - aloneSince >= outliveSeconds * 1000) {
      shutdown.request('no mirror has started again');
      return;
    }
    // A client that gets this answer learns that the service is gone.
    watch.look();
    for (const place of places.listGone(now)) await standIns.takeOver(place);
  }
}

function endWhereLost(folder: ServiceFolder, shutdown: Shutdown): void {
  if (folder.isLost()) shutdown.request('the folder is no longer its own');
}

type ServiceParent = ReturnType<typeof createServiceParent>;

/** The mirror that started the service. A service that was started by hand has none: a supervisor owns it. */
export function createServiceParent(
  places: ServingPlaces,
  { log, outliveSeconds, clock }: { log: Logger; outliveSeconds: number; clock(): number },
) {
  const pid = process.channel ? process.ppid : null;
  let isGone = false;
  return {
    pid,
    /** It is gone, and no other mirror needs the service. */
    isLeftOver: () => isGone && !places.isShared(null, clock()),
    /** Handles its messages and its end, from now on. */
    watch(shutdown: Shutdown): void {
      if (pid === null) return;
      process.on('message', (message) => {
        if (message !== stopMessage) return;
        if (places.isShared(pid, clock())) process.send?.(goesOnMessage);
        else shutdown.request('the mirror ends');
      });
      process.on('disconnect', () => {
        if (shutdown.signal.aborted) return;
        isGone = true;
        log.warn(
          `The mirror has ended; without another one the status service continues for up to ${outliveSeconds} s`,
        );
      });
    },
  };
}
