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

/** With functions among the options the ledger is for the caller alone. */
export async function openImported(options: SimulatedStreamOptions): Promise<ImportedLedger> {
  const stream = await writeSimulatedStream(options);
  const hash = hashOptions(options);
  if (hash === null) return { stream, openDatabase: () => importAlone(stream) };
  const template = `ledger_${hash}`;
  await makeOnce(`imported-${hash}`, async () => {
    await stream.importInto(await createTemplate(template));
  });
  return { stream, openDatabase: () => createScratchDatabase({ template }) };
}

async function importAlone(stream: SimulatedStream): Promise<ScratchDatabase> {
  const scratch = await createScratchDatabase();
  await stream.importInto(scratch.connectionString);
  return scratch;
}
