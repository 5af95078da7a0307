// Charts over days as files: `/{network}/charts/{name}.csv`, a line a day, oldest first; `/{network}/charts/types.csv`, a
// line for each type of a day.
import { refuse } from '../../../packages/web-server/request-error.ts';
import type { DaySpans, TypeSums } from '../../ledger/days/create-days.ts';
import { type ListFinder, listDownload } from '../downloads/list-download.ts';
import type { PageDownload } from '../page/page.ts';
import type { PageContext } from '../page/page-context.ts';
import type { Field } from '../parts/table.ts';
import { formatDay } from '../parts/times.ts';
import { typeWords } from '../parts/transaction-words.ts';
import { startOf } from './chart-range.ts';
import type { Chart, ChartedDay } from './chart-table.ts';

const dayField = { name: 'day', text: ({ start }: { start: bigint }) => formatDay(start) };

export function chartFile(chart: Chart): PageDownload {
  return listDownload<ChartedDay>({
    path: `/charts/${chart.name}.csv`,
    fields: () => [dayField, ...chart.fields],
    open: (context) =>
      findDays(context, async (part) => {
        const sums = await context.ledger.days.sums(part);
        return sums.map((sum) => ({ ...sum, start: startOf(part.from + Number(sum.span)) }));
      }),
  });
}

type DayOfType = TypeSums & { start: bigint };

const typeFields: readonly Field<DayOfType>[] = [
  dayField,
  { name: 'type', text: ({ type }) => typeWords(type) },
  { name: 'transactions', text: ({ transactions }) => transactions.toString() },
  { name: 'fees_tinybar', text: ({ fees }) => fees.toString() },
];

export const typesFile = listDownload<DayOfType>({
  path: '/charts/types.csv',
  fields: () => typeFields,
  open: (context) =>
    findDays(context, async (part) => {
      const sums = await context.ledger.days.typeSums(part);
      return sums.map((sum) => ({ ...sum, start: startOf(part.from + Number(sum.span)) }));
    }),
});

/** Days, as many at a time as `limit` says. `from`: the day that the next part begins with. */
function findDays<T>({ ledger }: PageContext, ask: (part: DaySpans) => Promise<T[]>): ListFinder<T> {
  return async ({ queryText }) => {
    const query = new URLSearchParams(queryText);
    const limit = readCount(query, 'limit', 100);
    const known = await ledger.days.known();
    const from = Math.max(readCount(query, 'from', 0), known?.first ?? 0);
    const end = known === null ? from : known.last + 1;
    const until = Math.min(from + limit, end);
    const items = until > from ? await ask({ from, until, step: 1 }) : [];
    return { items, nextQuery: until < end ? `from=${until}&limit=${limit}` : null };
  };
}

/** Throws RequestError. */
function readCount(query: URLSearchParams, name: 'from' | 'limit', missing: number): number {
  const unknown = [...query.keys()].find((key) => key !== 'from' && key !== 'limit');
  if (unknown !== undefined) throw refuse('unknownParameter', { name: unknown.slice(0, 100) });
  const [text, ...more] = query.getAll(name);
  if (text === undefined) return missing;
  if (more.length > 0 || !/^\d{1,6}$/.test(text)) throw refuse('invalidParameter', { name });
  return Number(text);
}
