// The status summary as a client sees it, polled.
import { setTimeout as sleep } from 'node:timers/promises';

export type Summary = {
  page: { id: string; name: string; url: string };
  status: { indicator: string; description: string };
  components: { id: string; name: string; status: string; group: boolean }[];
  incidents: SeenIncident[];
};

export type SeenIncident = {
  id: string;
  name: string;
  status: string;
  impact: string;
  incident_updates: { id: string; status: string; body: string }[];
  components: { name: string }[];
};

export async function readSummary(url: string): Promise<Summary> {
  return (await readStatus(url, 'summary')) as Summary;
}

/** Every stored incident, newest first. */
export async function readIncidents(url: string): Promise<SeenIncident[]> {
  return ((await readStatus(url, 'incidents')) as { incidents: SeenIncident[] }).incidents;
}

async function readStatus(url: string, name: string): Promise<unknown> {
  const answer = await fetch(`${url}/api/v2/${name}.json`, { signal: AbortSignal.timeout(120_000) });
  if (answer.status !== 200) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`);
  return answer.json();
}

/** Waits until the summary matches; rejects with the last one. */
export async function waitForSummary(
  url: string,
  what: string,
  isWanted: (summary: Summary) => boolean,
  timeoutMs = 240_000,
): Promise<Summary> {
  let last: unknown = null;
  for (const until = Date.now() + timeoutMs; Date.now() < until; await sleep(50)) {
    try {
      const summary = await readSummary(url);
      last = summary;
      if (isWanted(summary)) return summary;
    } catch (error) {
      last = error;
    }
  }
  const seen = last instanceof Error ? String(last) : JSON.stringify(last, null, 1);
  throw new Error(`Within ${timeoutMs} ms there was no summary with ${what}; the last was\n${seen}`);
}

/** The status of the component whose name contains this. */
export function statusOf({ components }: Summary, name: string): string {
  return components.find((component) => component.name.includes(name))?.status ?? 'absent';
}

export type Watch = {
  /** Number of answers, and faults of others. */
  end(): Promise<{ answers: number; failures: string[] }>;
};

/** Polls the summary without a pause. */
export function watchSummary(url: string): Watch {
  let isEnding = false;
  let answers = 0;
  const failures: string[] = [];
  async function run(): Promise<void> {
    while (!isEnding) {
      try {
        await readSummary(url);
        answers += 1;
      } catch (error) {
        failures.push(`${new Date().toISOString()} ${(error as Error).message}`);
      }
      await sleep(40);
    }
  }
  const running = run();
  return {
    async end() {
      isEnding = true;
      await running;
      return { answers, failures };
    },
  };
}
