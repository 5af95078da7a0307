// One line about a bootstrap or an export: files, rows, rates, remaining time.

import { formatDuration } from '../../packages/kit/duration-text.ts';
import { formatBytes } from '../../packages/kit/format-bytes.ts';
import type { ExportProgress } from '../transfer/export-ledger.ts';
import type { LoadProgress } from '../transfer/load-export.ts';
import { createTransferRates } from '../transfer/transfer-rates.ts';

export function createTransferProgressText(now: () => number = Date.now): (progress: LoadProgress) => string {
  const rates = createTransferRates(now);
  return ({ files, bytes, rows }) => {
    const { rowsPerSecond, bytesPerSecond } = rates(rows.done, bytes.done);
    const left = bytes.all - bytes.done;
    return [
      `${files.done} of ${files.all} files`,
      `${count(rows.done)}${rows.all === null ? '' : ` of ${count(rows.all)}`} rows`,
      `${count(rowsPerSecond)} rows/s`,
      `${formatBytes(bytesPerSecond)}/s`,
      ...(bytesPerSecond > 0 && left > 0 ? [`${formatDuration((1000 * left) / bytesPerSecond)} to go`] : []),
    ].join(' · ');
  };
}

export function createExportProgressText(now: () => number = Date.now): (progress: ExportProgress) => string {
  const rates = createTransferRates(now);
  return ({ files, bytes, rows }) =>
    [
      `${files.done} of ${files.all} files`,
      `${count(rows)} rows`,
      `${formatBytes(rates(rows, bytes).bytesPerSecond)}/s of CSV`,
    ].join(' · ');
}

function count(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}
