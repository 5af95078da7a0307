// Tables of a benchmark in a page of the documentation: between the marks that name the benchmark.
import { readFileSync, writeFileSync } from 'node:fs';

/** @param program as `bench/queries.ts` */
export function fillPage(path: string, program: string, tables: string): void {
  const [before, after] = splitPage(path, program);
  const { begin, end } = marksOf(program);
  writeFileSync(path, `${before}${begin}\n\n${tables}\n\n${end}${after}`);
  console.log(`Written into ${path}`);
}

/** What stands before and behind the marks; throws where the page has none. */
export function splitPage(path: string, program: string): [before: string, after: string] {
  const page = readFileSync(path, 'utf8');
  const { begin, end } = marksOf(program);
  const from = page.indexOf(begin);
  const to = page.indexOf(end, from);
  if (from < 0 || to < 0) throw new Error(`${path} needs the line "${begin}", and "${end}" behind it`);
  return [page.slice(0, from), page.slice(to + end.length)];
}

function marksOf(program: string): { begin: string; end: string } {
  return { begin: `<!-- ${program} writes from here -->`, end: '<!-- to here -->' };
}
