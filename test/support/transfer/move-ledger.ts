// Exports and bootstraps of databases, as the commands do them.

import type { FilePlaceAddress } from '../../../packages/sources/places/file-place.ts';
import {
  type BootstrapSummary,
  planBootstrap,
  type RunBootstrapOptions,
  runBootstrap,
  tellColumns,
} from '../../../src/runtime/transfer/run-bootstrap.ts';
import { type ExportLedgerOptions, type ExportSummary, exportLedger } from '../../../src/transfer/export-ledger.ts';

/** Into a folder. */
export async function writeExport(
  connectionString: string,
  to: string | FilePlaceAddress,
  options: Partial<ExportLedgerOptions> = {},
): Promise<ExportSummary> {
  const address = typeof to === 'string' ? ({ kind: 'folder', path: to } as const) : to;
  const signal = new AbortController().signal;
  const common = { connectionString, to: address, version: '0.2.0', isState: false, isPlain: false, signal };
  return (await exportLedger({ ...common, ...options }))!;
}

export type Told = { said: string[]; warned: string[] };

export async function loadFrom(
  from: string | FilePlaceAddress,
  connectionString: string,
  options: Partial<RunBootstrapOptions> = {},
): Promise<BootstrapSummary & Told> {
  const address = typeof from === 'string' ? ({ kind: 'folder', path: from } as const) : from;
  const told: Told = { said: [], warned: [] };
  const whole: RunBootstrapOptions = {
    connectionString,
    from: address,
    mode: { kind: 'full' },
    accepted: false,
    checkStream: async () => [],
    signal: new AbortController().signal,
    tell: (sentence) => told.said.push(sentence),
    warn: (sentence) => told.warned.push(sentence),
    ...options,
  };
  const plan = await planBootstrap(whole);
  await tellColumns(plan, whole);
  return { ...(await runBootstrap(whole, plan))!, ...told };
}
