// The importing side of one run: a source, the reader of what is stored, the one writer, and the import between them.
import { readFileSync } from 'node:fs';
import type { ImportProgress } from '../importer/import-progress.ts';
import { type ImportSummary, importStream } from '../importer/import-stream.ts';
import { formatTimestamp } from '../protocol/hapi/timestamp.ts';
import { createFolderSource } from '../source/folder-source.ts';
import { openDatabase } from '../store/wire/database.ts';
import { createBlockWriter } from '../store/write/block-writer.ts';
import { type ImportHeartbeat, type ImportObserver, startImportHeartbeat } from './import-heartbeat.ts';
import type { Logger } from './log.ts';
import { UsageError } from './settings/usage-error.ts';
import { createImportWatch } from './status/signals/import-signals.ts';
import { createSourceLook } from './status/signals/look-at-source.ts';

export type RunImportOptions = {
  connectionString: string;
  /** Folder with stream files. */
  sourcePath: string;
  addressBookPath: string | undefined;
  live: boolean;
  startBlockNumber: bigint;
  log: Logger;
  signal: AbortSignal;
  onProgress?(progress: ImportProgress): void;
  /** Of a process that also says for itself how its import is. */
  observer?: ImportObserver;
};

/** Resolves when the files or the signal end the import; throws as `importStream` does. */
export async function runImport(options: RunImportOptions): Promise<ImportSummary> {
  const { connectionString, sourcePath, addressBookPath, live, startBlockNumber, log, signal, onProgress } = options;
  const addressBook = addressBookPath === undefined ? null : readAddressBookFile(addressBookPath);
  const { observer = { watch: createImportWatch(Date.now), lookAtSource: createSourceLook(sourcePath) } } = options;
  const { watch } = observer;
  const db = openDatabase({
    connectionString,
    maxConnections: 2,
    statementTimeoutMs: 0,
    onConnectionLost: (error) => log.warn({ err: error }, 'a connection to PostgreSQL was lost'),
  });
  try {
    const writer = await createBlockWriter({ connectionString, log: (sentence) => log.warn(sentence) });
    let heartbeat: ImportHeartbeat | null = null;
    try {
      heartbeat = await startImportHeartbeat(db, observer, log);
      const summary = await importStream({
        source: createFolderSource({ path: sourcePath }),
        db,
        writer,
        addressBook,
        live,
        startBlockNumber,
        signal,
        onProgress(progress) {
          for (const { file, node, code } of progress.block.verification.rejected) {
            log.warn({ file, node, check: code }, 'a copy did not pass and another one was taken');
          }
          watch.onProgress(progress);
          onProgress?.(progress);
        },
        onProblem(problem) {
          if ('file' in problem) log.warn({ file: problem.file }, problem.problem);
          else
            log.warn({ transaction: formatTimestamp(problem.consensusTimestamp), type: problem.type }, problem.problem);
        },
        onRetry(error, delayMs) {
          log.warn(`${error.message} Trying again in ${delayMs / 1000} s.`);
          watch.onRetry(error);
        },
      });
      await heartbeat.end(null);
      return summary;
    } catch (error) {
      await heartbeat?.end(error as Error);
      throw error;
    } finally {
      await writer.close();
    }
  } finally {
    await db.close();
  }
}

function readAddressBookFile(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new UsageError(`The address book ${path} cannot be read: ${(error as Error).message}`);
  }
}
