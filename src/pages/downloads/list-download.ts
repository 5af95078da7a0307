// A list as a CSV file: the pages of its endpoint one after the other, from the one on that the query names.
import { refuse } from '../../../packages/web-server/request-error.ts';
import type { Links } from '../page/links.ts';
import type { PageDownload, PageRequest } from '../page/page.ts';
import type { PageContext } from '../page/page-context.ts';
import type { Field } from '../parts/table.ts';
import { askAgain } from './ask-again.ts';
import { csvCut, csvHead, csvLines, csvRecord } from './csv-lines.ts';

/** `nextQuery`: as the path of the file takes it; null = nothing follows. */
type ListPart<T> = { items: readonly T[]; nextQuery: string | null };

/** `queryText` of the request: of the page. Throws RequestError. */
export type ListFinder<T> = (request: PageRequest) => Promise<ListPart<T>>;

export type ListDownloadOptions<T> = {
  path: string;
  /** Throws RequestError. */
  fields(context: PageContext, request: PageRequest): readonly Field<T>[] | Promise<readonly Field<T>[]>;
  /** What finds the pages of one file, one after the other. */
  open(context: PageContext): ListFinder<T>;
  /** The query that the file begins with; default: that of the request. Throws RequestError. */
  toQuery?(queryText: string): string;
  /** A file has no more; its last line says how to go on. */
  maxRows?: number;
};

const maxDownloadRows = 1_000_000;

export function listDownload<T>(options: ListDownloadOptions<T>): PageDownload {
  const { path, fields, open, toQuery = (queryText) => queryText, maxRows = maxDownloadRows } = options;
  return {
    path,
    async *lines(request, context) {
      const listed = withLabels(await fields(context, request), context.links);
      if (listed.length === 0) throw refuse('notFound');
      const find = open(context);
      let queryText: string | null = withLargestPages(toQuery(request.queryText), context.settings.limitMax);
      let head = csvHead(listed);
      let count = 0;
      while (queryText !== null) {
        const asked: PageRequest = { ...request, queryText };
        const ask = (): Promise<ListPart<T>> => find(asked);
        const { items, nextQuery }: ListPart<T> = head === '' ? await askAgain(ask) : await ask();
        yield head + csvLines(items.map((item) => csvRecord(listed, item)));
        head = '';
        count += items.length;
        queryText = nextQuery;
        if (queryText !== null && count >= maxRows) {
          yield csvCut(listed, count, `${request.path}?${queryText}`);
          return;
        }
      }
    },
  };
}

/** The size of a page of the list is none of the file. What is no size is left for the endpoint to refuse. */
function withLargestPages(queryText: string, limitMax: number): string {
  const others = queryText.split('&').filter((part) => part !== '' && !/^limit=[1-9]\d*$/.test(part));
  const isRefused = others.some((part) => part.startsWith('limit='));
  return [...others, ...(isRefused ? [] : [`limit=${limitMax}`])].join('&');
}

/** Behind each id its name, where those who run the mirror have given any. */
function withLabels<T>(fields: readonly Field<T>[], { hasLabels, labelText }: Links): readonly Field<T>[] {
  if (!hasLabels) return fields;
  return fields.flatMap((field) => {
    const { name, id } = field;
    if (id === undefined) return field;
    return [field, { name: `${name}_label`, text: (item: T) => labelText(id(item)), isForeign: true }];
  });
}
