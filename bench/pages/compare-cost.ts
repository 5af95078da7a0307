// CPU of pages against that of the JSON of the same questions, in turns. A page has more bytes than its JSON: what
// those cost is told by a line through what pages and answers of all sizes cost, and taken off before the goal is
// judged.
import { fitCostByBytes } from '../support/explain-by-bytes.ts';
import { measureCpu } from '../support/measure-request.ts';
import { median } from '../support/median.ts';
import { formatFigure, printTable } from '../support/print-table.ts';
import type { PageQuestion } from './page-questions.ts';

type Options = {
  url: string;
  /** Of its PostgreSQL. */
  dataFolder: string;
  rounds: number;
  /** Of a page, in a round. */
  requests: number;
  warmUp: number;
};

/** Milliseconds and bytes of one page, or of all its answers. */
type Cost = { server: number; postgres: number; kilobytes: number };
type Measured = { question: PageQuestion; page: Cost[]; json: Cost[] };

/** Of the goal: CPU of a page, without that of its additional bytes, in that of its JSON. */
const most = 1.3;
const connections = 4;

/** Whether the goal is kept by all. */
export async function compareCost(questions: readonly PageQuestion[], options: Options): Promise<boolean> {
  const measured = questions.map((question): Measured => ({ question, page: [], json: [] }));
  // All of them, so that the code that they share is compiled for every one.
  for (const { question } of measured) {
    await measureSide(question.paths, options.warmUp, 1, options);
    if (question.json.length > 0) await measureSide(question.json, options.warmUp, 1, options);
  }
  for (let round = 0; round < options.rounds; round++) {
    for (const { question, page, json } of measured) {
      const { paths, json: answers } = question;
      page.push(await measureSide(paths, options.requests, 1, options));
      const times = answers.length / paths.length;
      if (times > 0) json.push(await measureSide(answers, options.requests * times, times, options));
    }
  }
  return report(measured, options.rounds);
}

/** `times`: how many of its answers make one page. */
async function measureSide(
  paths: readonly string[],
  requests: number,
  times: number,
  { url, dataFolder }: Options,
): Promise<Cost> {
  // Whole turns: every path as often as the others.
  const leastRequests = Math.ceil(requests / paths.length) * paths.length;
  const load = { url, paths, connections, seconds: 0, leastRequests, maxSeconds: 600 };
  const { serverCpuMs, postgresCpuMs, bytes } = await measureCpu(load, dataFolder);
  return { server: times * serverCpuMs, postgres: times * (postgresCpuMs ?? 0), kilobytes: (times * bytes) / 1024 };
}

function report(measured: readonly Measured[], rounds: number): boolean {
  const compared = measured.map(({ question, page, json }) => ({
    ...{ name: question.name, page: middle(page), json: json.length === 0 ? null : middle(json) },
    ratio: median(json.map((one, round) => total(page[round]!) / total(one))),
  }));
  const sized = compared.flatMap(({ page, json }) => (json === null ? [] : [page, json]));
  const costOf = fitCostByBytes(sized.map((one) => ({ kilobytes: one.kilobytes, cost: total(one) })));
  let isKept = true;
  const rows = compared.map(({ name, page, json, ratio }) => {
    const own = [name, ...show(page)];
    if (json === null) return own;
    const explained = Math.max(0, costOf(page.kilobytes) - costOf(json.kilobytes)) / total(json);
    const isWithin = ratio - explained <= most;
    isKept &&= isWithin;
    const judged = `≤ ${most}: ${isWithin ? 'kept' : 'MISSED'}`;
    return [
      ...own,
      ...show(json),
      `× ${ratio.toFixed(2)}`,
      explained.toFixed(2),
      (ratio - explained).toFixed(2),
      judged,
    ];
  });
  const perKilobyte = (costOf(1_001) - costOf(1)) * 1000;
  console.log(`\nCPU ms of a page and of the JSON of its questions; median of ${rounds} rounds in turns`);
  const side = ['server', 'PostgreSQL', 'KB'];
  printTable(['page', ...side, ...side.map((one) => `JSON ${one}`), 'ratio', 'bytes', 'without', 'goal'], rows);
  console.log(
    `A KB more costs ${(perKilobyte / 1000).toFixed(1)} µs. "bytes": the part of the ratio that they explain.`,
  );
  return isKept;
}

function middle(costs: readonly Cost[]): Cost {
  const of = (member: keyof Cost): number => median(costs.map((one) => one[member]));
  return { server: of('server'), postgres: of('postgres'), kilobytes: of('kilobytes') };
}

function show({ server, postgres, kilobytes }: Cost): string[] {
  return [server, postgres, kilobytes].map(formatFigure);
}

function total({ server, postgres }: Cost): number {
  return server + postgres;
}
