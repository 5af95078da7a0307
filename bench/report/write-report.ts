// Writes a report as a separate folder.
import { mkdirSync, writeFileSync } from 'node:fs';
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
