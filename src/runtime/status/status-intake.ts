// What programs report to the status service: those of this machine (`control`), and those of others (`reporting`).

import type { Logger } from '../../../packages/kit/process/log.ts';
import { createReportBoard } from '../../../packages/status/combine-reports.ts';
import type { StatusService } from '../../../packages/status/create-status-service.ts';
import type { StatusControl } from '../../../packages/status/http/status-control-routes.ts';
import type { StatusGate } from '../../../packages/status/http/status-gate.ts';
import type { StatusReporting } from '../../../packages/status/http/status-report-routes.ts';
import type { ReporterRoll } from '../../../packages/status/reporter-roll.ts';
import type { Settings } from '../settings/load-settings.ts';
import type { ServingPlaces } from './serving-places.ts';
import type { StandIns } from './stand-ins.ts';

export type StatusIntakeOptions = {
  service: Pick<StatusService, 'report' | 'setPageUrl'>;
  /** Of the service; part of the answer to a report. */
  identity: string;
  tickMs: number;
  /** How long a report counts. */
  freshMs: number;
  settings: Settings;
  gate: StatusGate;
  places: ServingPlaces;
  roll: ReporterRoll;
  standIns: StandIns;
  /** The mirror that started the service is gone, and no other needs it. */
  isLeftOver(): boolean;
  /** Checks which programs are gone. */
  look(): void;
  /** Another mirror takes over. */
  onReplaced(): void;
  log: Logger;
  clock(): number;
};

export function createStatusIntake(options: StatusIntakeOptions): {
  control: StatusControl;
  reporting: StatusReporting;
} {
  const { service, identity, settings, places, roll, standIns, isLeftOver, look, clock } = options;
  const board = createReportBoard(options.freshMs);

  function forget(name: string): boolean {
    board.drop(name);
    const wasThere = roll.forget(name);
    look();
    return wasThere;
  }

  const control: StatusControl = {
    gate: options.gate,
    about: () => ({ pid: process.pid, isLeftOver: isLeftOver(), standsInAt: standIns.ports() }),
    onReport(report, place) {
      const now = clock();
      if (place) places.note(place, now);
      // The first that answers gives the page its address.
      const [first] = places.list(now);
      if (first && settings.find('status-url') === undefined) service.setPageUrl(`${first.url}/status`);
      service.report(place ? board.take(place.url, report, now) : report);
      return { service: identity };
    },
    onLeave(place) {
      places.forget(place);
      board.drop(place.url);
      look();
    },
    async onStop(port) {
      const freed = port === undefined ? null : await standIns.release(port);
      // Otherwise it would listen there again before the query service does.
      if (freed) places.forget(freed);
      if (!isLeftOver()) return true;
      await standIns.close();
      options.onReplaced();
      return false;
    },
  };
  const reporting: StatusReporting = {
    about: () => ({ service: identity, everyMs: options.tickMs / 2 }),
    network: settings.find('network') ?? null,
    onReport({ name, kind }, report) {
      const now = clock();
      if (!roll.note(name, kind, now)) return false;
      service.report(board.take(name, report, now));
      look();
      return true;
    },
    onLeave: ({ name }) => void forget(name),
    list: () => roll.list(clock()),
    forget,
    onLost({ name }) {
      roll.lose(name);
      board.drop(name);
      options.log.warn(`${name}, which reports to this service, has ended without notice`);
      look();
    },
  };
  return { control, reporting };
}
