// A simulated ledger in a database: written and imported once in a test run, then copied.
import { createScratchDatabase, createTemplate, type ScratchDatabase } from '../postgres/scratch-database.ts';
import { makeOnce } from '../run/make-once.ts';
import {
  hashOptions,
  type SimulatedStream,
  type SimulatedStreamOptions,
  writeSimulatedStream,
} from '../streams/simulated-stream.ts';

export type ImportedLedger = {
  stream: SimulatedStream;
  /** Another database with the whole ledger, which its user closes. */
  openDatabase(): Promise<ScratchDatabase>;
};

/** Options without functions. */
export async function openImported(options: SimulatedStreamOptions): Promise<ImportedLedger> {
  const hash = hashOptions(options);
  const stream = await writeSimulatedStream(options);
  const template = `ledger_${hash}`;
  await makeOnce(`imported-${hash}`, async () => {
    await stream.importInto(await createTemplate(template));
  });
  return { stream, openDatabase: () => createScratchDatabase({ template }) };
}
