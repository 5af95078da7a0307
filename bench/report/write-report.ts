// Writes a report: as a separate folder, and into a page of the documentation.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { QueryReport } from './query-report.ts';
import { formatReportPage } from './report-page.ts';
import { formatReportTables } from './report-tables.ts';

export function writeReport(report: QueryReport, folder: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'report.json'), `${JSON.stringify(report, null, 1)}\n`);
  writeFileSync(join(folder, 'report.md'), `# What answers cost\n\n${formatReportTables(report)}\n`);
  writeFileSync(join(folder, 'report.html'), formatReportPage(report));
  console.log(`Written to ${folder}: report.json, report.md, report.html`);
}

const begin = '<!-- bench/queries.ts writes from here -->';
const end = '<!-- to here -->';

/** The tables, between the marks of the page. */
export function fillPage(report: QueryReport, path: string): void {
  const [before, after] = splitPage(path);
  writeFileSync(path, `${before}${begin}\n\n${formatReportTables(report)}\n\n${end}${after}`);
  console.log(`Written into ${path}`);
}

/** The text before and after the marks; throws if the page has none. */
export function splitPage(path: string): [before: string, after: string] {
  const page = readFileSync(path, 'utf8');
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`${path} needs the line "${begin}", and "${end}" after it`);
  return [page.slice(0, from), page.slice(to + end.length)];
}
