// p99 of the API while clients read all pages, against p99 beside a process that takes as much of the processors as
// those clients and asks nothing; and, to compare with, beside as many clients that ask the JSON of the same questions.
import { pause } from '../../packages/kit/pause.ts';
import { measureLoad, summarizeLoads, type TimedLoad, timeLoad } from '../support/http-load.ts';
import { formatFigure, printTable } from '../support/print-table.ts';
import { startAttacker } from '../support/start-attacker.ts';
import type { PageQuestion } from './page-questions.ts';

type Options = {
  url: string;
  rounds: number;
  /** Of each slice. */
  seconds: number;
};

/** Of p99, beside readers and beside a process that takes what they take. */
const goal = 1.2;
const clients = 16;

/** Whether the goal is kept. */
export async function compareTail(questions: readonly PageQuestion[], { url, rounds, seconds }: Options) {
  const pages = questions.flatMap(({ paths }) => paths);
  const json = questions.flatMap((question) => question.json);
  const rest = { url, paths: json, connections: clients, seconds };
  await measureLoad({ ...rest, seconds: 1, leastRequests: 1000 });
  await measureLoad({ ...rest, paths: pages, seconds: 1, leastRequests: 500 });
  const readers = startAttacker();
  const loads = { alone: [], beside: [], pages: [], json: [] } as Record<string, TimedLoad[]>;
  const beside = async (paths: readonly string[]) => {
    readers.begin({ kind: 'attack', load: { url, connections: clients, paths } });
    await pause(250);
    const load = await timeLoad(rest);
    const { share, statuses } = await readers.end();
    await pause(500);
    return { load, share, statuses: statuses.map(([status]) => status) };
  };
  const seen = new Set<number>();
  try {
    for (let round = 0; round < rounds; round++) {
      loads.alone!.push(await timeLoad(rest));
      const read = await beside(pages);
      for (const status of read.statuses) seen.add(status);
      loads.pages!.push(read.load);
      readers.begin({ kind: 'spin', share: read.share });
      loads.beside!.push(await timeLoad(rest));
      await readers.end();
      loads.json!.push((await beside(json)).load);
    }
  } finally {
    await readers.stop();
  }
  const before = summarizeLoads(loads.beside!);
  console.log(
    `\nAnswers of the API, ms, ${clients} clients; ${rounds} rounds of each in turns; pages: ${[...seen].sort()}`,
  );
  const row = (name: string, key: string): string[] => {
    const { p50Ms, p99Ms } = summarizeLoads(loads[key]!);
    return [name, formatFigure(p50Ms), formatFigure(p99Ms), `× ${(p99Ms / before.p99Ms).toFixed(2)}`];
  };
  printTable(
    ['', 'p50', 'p99', 'ratio'],
    [
      row('alone', 'alone'),
      row('beside a process that takes what the readers take', 'beside'),
      row(`beside ${clients} clients that read all pages`, 'pages'),
      row(`beside ${clients} clients that ask the same of the API`, 'json'),
    ],
  );
  const ratio = summarizeLoads(loads.pages!).p99Ms / before.p99Ms;
  console.log(`≤ ${goal}: ${ratio <= goal ? 'kept' : 'MISSED'}`);
  return ratio <= goal;
}
