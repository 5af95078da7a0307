// What the status service finds out itself: whether the query services of this machine answer, and which programs ended
// without notice. The latter is known at once, and counts at once.
import type { ReporterRoll } from '../../../packages/status/reporter-roll.ts';
import { everySignal, type Facts, type Signals } from '../../../packages/status/signal-names.ts';
import type { ServingPlaces } from './serving-places.ts';
import type { StandIns } from './stand-ins.ts';

export type ServingWatch = ReturnType<typeof watchServing>;

export type WatchServingOptions = {
  /** On this machine. */
  places: ServingPlaces;
  /** On others. */
  roll: ReporterRoll;
  standIns: Pick<StandIns, 'has'>;
  report(report: { values: Signals<'service'>; facts: Facts }): void;
  /** No query service runs any more, and none is missing. */
  onNone(): void;
  clock(): number;
};

/** Of the query service. */
const readyWithinMs = 5000;

type Lost = { api: number; known: number; import: number; importers: number };

export function watchServing({ places, roll, standIns, report, onNone, clock }: WatchServingOptions) {
  let last: Lost = { api: 0, known: 0, import: 0, importers: 0 };

  function count(): Lost {
    const now = clock();
    const reporters = roll.list(now);
    const servers = reporters.filter(({ kind }) => kind === 'serve');
    const importers = reporters.filter(({ kind }) => kind === 'import');
    return {
      api: places.listGone(now).length + servers.filter(({ isLost }) => isLost).length,
      known: places.list(now).length + servers.length,
      import: importers.filter(({ isLost }) => isLost).length,
      importers: importers.length,
    };
  }

  function signalsOf({ down, lost }: { down?: number; lost?: Lost }): Signals<'service'> {
    return everySignal<'service'>()({
      ...(down === undefined ? {} : { 'api.down': down }),
      ...(lost && lost.known > 0 ? { 'api.lost': lost.api / lost.known } : {}),
      ...(lost && lost.importers > 0 ? { 'import.lost': lost.import / lost.importers } : {}),
    });
  }

  function tell(lost: Lost): void {
    if (last.known > 0 && lost.known === 0) onNone();
    last = lost;
    if (lost.known === 0 && lost.importers === 0) return;
    report({ values: signalsOf({ lost }), facts: { 'api.lost': describe(lost.api, lost.known) } });
  }

  return {
    /** Which ones are gone; cheap. */
    look(): void {
      const lost = count();
      if (Object.entries(lost).some(([name, value]) => last[name as keyof Lost] !== value)) tell(lost);
    },
    /** Asks the query services of this machine whether they are ready, as their clients would. */
    async probe(): Promise<void> {
      const known = places.list(clock());
      const answers = await Promise.all(known.map(async (place) => !standIns.has(place) && (await isReady(place.url))));
      const servers = roll.list(clock()).filter(({ kind }) => kind === 'serve');
      const all = known.length + servers.length;
      const down = answers.filter((isUp) => !isUp).length + servers.filter(({ isLost }) => isLost).length;
      if (all > 0) report({ values: signalsOf({ down: down / all }), facts: { 'api.down': describe(down, all) } });
      tell(count());
    },
  };
}

function describe(missing: number, known: number): string {
  return `${missing} of ${known} query services ${missing === 1 ? 'does' : 'do'} not answer`;
}

async function isReady(url: string): Promise<boolean> {
  try {
    const answer = await fetch(`${url}/health/readiness`, { signal: AbortSignal.timeout(readyWithinMs) });
    await answer.arrayBuffer();
    return answer.ok;
  } catch {
    // A client would not be answered either.
    return false;
  }
}
