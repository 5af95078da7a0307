// The importing side of one run: a source, the reader of what is stored, the one writer, and the import between them.

import type { ItemProblem } from '../importer/block/item-problems.ts';
import { createRetention, type Retention } from '../importer/extent/retention.ts';
import type { StreamFilter } from '../importer/extent/stream-filter.ts';
import type { StartPoint, StreamPoint } from '../importer/extent/stream-point.ts';
import type { ImportProgress } from '../importer/import-progress.ts';
import { type ImportSummary, importStream } from '../importer/import-stream.ts';
import { describeProof } from '../importer/open/block-verification.ts';
import type { ConsensusRatio } from '../importer/open/consensus-ratio.ts';
import { StreamCheckError } from '../importer/open/stream-check-error.ts';
import { reimportBlocks } from '../importer/reimport-blocks.ts';
import { describeExtent } from '../ledger/extent/extent.ts';
import { findExtent } from '../ledger/extent/find-extent.ts';
import type { SystemRealm } from '../protocol/hapi/system-entity.ts';
import { formatSecond, formatTimestamp } from '../protocol/hapi/timestamp.ts';
import { transactionTypeName } from '../protocol/hapi/transaction-types.ts';
import type { SourceEvent } from '../source/preferred-source.ts';
import { StreamSourceError } from '../source/stream-source.ts';
import { type NewestBlock, selectNewestBlock } from '../store/read/select-newest-block.ts';
import { createRowDropper } from '../store/retention/row-dropper.ts';
import { openDatabase } from '../store/wire/database.ts';
import { type BlockWriter, createBlockWriter } from '../store/write/block-writer.ts';
import { upsertImportRevision } from '../store/write/upsert-import-revision.ts';
import { discoverBlockNodes } from './block-nodes/discover-block-nodes.ts';
import { type ImportHeartbeat, type ImportObserver, startImportHeartbeat } from './import-heartbeat.ts';
import { importInBulk } from './import-in-bulk.ts';
import type { Logger } from './log.ts';
import { openSource, type SourceOptions } from './open-source.ts';
import { readAddressBookFile } from './read-address-book-file.ts';
import { createImportWatch } from './status/signals/import-signals.ts';
import { createSourceLook } from './status/signals/look-at-source.ts';
import { createWaitTeller } from './tell-waiting.ts';

export type RunImportOptions = {
  connectionString: string;
  /** As in the setting. */
  sourcePath: string;
  sourceOptions: SourceOptions;
  /** Block nodes that the ledger registers are further sources. */
  discoversBlockNodes?: boolean;
  addressBookPath: string | undefined;
  consensusRatio: ConsensusRatio;
  /** See `importStream`. */
  system?: SystemRealm | null;
  live: boolean;
  startBlockNumber: bigint;
  /** See `importStream`. */
  commitTransactions?: number;
  /** See `importInBulk`. */
  isBulk?: boolean;
  /** Number of the block from which on stored blocks are imported once more before anything else. */
  reimportFrom?: bigint;
  /** Where to begin while the database is empty. */
  start?: StartPoint;
  /** Where the import ends although there is more. */
  until?: StreamPoint;
  /** Which transactions are stored; all unless said. */
  filter?: StreamFilter;
  /** How much of the newest consensus time is kept, ns; everything unless said. */
  keepNs?: bigint;
  log: Logger;
  signal: AbortSignal;
  onProgress?(progress: ImportProgress): void;
  /** Of a process that also says for itself how its import is. */
  observer?: ImportObserver;
  /** What the status is told by, before anything is imported. */
  onObserved?(observer: ImportObserver): void;
  /** Of sources that are several, or block nodes. */
  onSource?(event: SourceEvent): void;
  /** What failed and will be tried again. */
  onRetry?(error: Error): void;
  /** What the database holds before anything is imported. */
  onStored?(block: NewestBlock | null): void;
};

/** Resolves when the files or the signal end the import; throws as `importStream` does. */
export async function runImport(options: RunImportOptions): Promise<ImportSummary> {
  const { connectionString, sourcePath, addressBookPath, live, startBlockNumber, log, signal, onProgress } = options;
  const addressBook = addressBookPath === undefined ? null : readAddressBookFile(addressBookPath);
  const source = openSource({
    text: sourcePath,
    options: options.sourceOptions,
    log,
    onEvent: options.onSource,
    findFurther: options.discoversBlockNodes ? discoverBlockNodes({ ...options, db: () => db }) : undefined,
  });
  const { observer = { watch: createImportWatch(Date.now), lookAtSource: createSourceLook(source) } } = options;
  const { watch } = observer;
  options.onObserved?.(observer);
  /** The file at which the import stays, in the words in which it was told. */
  let stays: string | null = null;
  let unverified: string | null = null;
  const waiting = live ? createWaitTeller(log) : null;
  const db = openDatabase({
    connectionString,
    maxConnections: 2,
    statementTimeoutMs: 0,
    onConnectionLost: (error) => log.warn({ err: error }, 'a connection to PostgreSQL was lost'),
  });
  try {
    const stored = await selectNewestBlock(db);
    waiting?.onBlock(stored);
    const extent = await findExtent(db);
    const held = extent && describeExtent(extent);
    if (held !== null) log.info(held);
    options.onStored?.(stored);
    // Refuses a database that nothing can be dropped from, before anything is imported.
    if (options.keepNs !== undefined) await (await createRowDropper(connectionString)).close();
    const retention = options.keepNs === undefined ? null : openRetention(options.keepNs);
    const writer = await createBlockWriter({
      connectionString,
      log: (sentence) => log.warn(sentence),
      onLost(error) {
        watch.onRetry(error);
        options.onRetry?.(error);
      },
    });
    let heartbeat: ImportHeartbeat | null = null;
    try {
      await upsertImportRevision(db);
      heartbeat = await startImportHeartbeat(db, observer, log);
      if (options.reimportFrom !== undefined) await reimport(options.reimportFrom, writer);
      const importBlocks = (isLive: boolean): Promise<ImportSummary> =>
        importStream({
          source,
          db,
          writer,
          addressBook,
          consensusRatio: options.consensusRatio,
          system: options.system,
          live: isLive,
          startBlockNumber,
          commitTransactions: options.commitTransactions,
          start: options.start,
          until: options.until,
          filter: options.filter,
          signal,
          onProgress(progress) {
            if (stays !== null) log.info({ block: progress.block.number.toString() }, 'The import goes on');
            stays = null;
            for (const { file, node, code } of progress.block.verification.rejected) {
              log.warn({ file, node, check: code }, 'a copy did not pass and another one was taken');
            }
            tellProofs(progress);
            waiting?.onBlock(progress.block);
            retention?.onBlock(progress.block);
            watch.onProgress(progress);
            onProgress?.(progress);
          },
          onProblem(problem) {
            if ('file' in problem) log.warn({ file: problem.file }, problem.problem);
            else tellProblem(problem);
          },
          onCutover({ block, isRootChecked }) {
            const checked = isRootChecked
              ? 'it names the root of the block around the last record file'
              : 'its number follows; the root that it names could not be checked, because it follows from all record files since block 0 and this mirror began later';
            log.info({ block: block.toString() }, `Record files have ended and a block stream goes on: ${checked}`);
          },
          onRetry,
        });
      const { isBulk = false } = options;
      const summary = await importInBulk({ connectionString, isBulk, live, log, signal, onRetry, importBlocks });
      await heartbeat.end(null);
      return summary;
    } catch (error) {
      await heartbeat?.end(error as Error);
      throw error;
    } finally {
      await retention?.close();
      await writer.close();
    }
  } finally {
    waiting?.close();
    await db.close();
  }

  async function reimport(first: bigint, writer: BlockWriter): Promise<void> {
    const { commitTransactions = 5_000, filter, system } = options;
    const { blocks, last, isComplete } = await reimportBlocks({
      ...{ source, db, writer, first, commitTransactions, filter, system, signal },
      onProgress: ({ block, last: newest }) => log.info(`Imported again: blocks ${first} to ${block} of ${newest}`),
      onProblem: tellProblem,
    });
    if (isComplete) log.info(`Imported again: ${blocks} blocks, up to the newest, ${last}`);
    else
      log.warn(`Stopped: blocks ${first} to ${last} were imported again. Go on with --reimport-from ${last ?? first}`);
  }

  function tellProblem({ consensusTimestamp, type, defect, problem }: ItemProblem): void {
    const transaction = { transaction: formatTimestamp(consensusTimestamp), type: transactionTypeName(type) };
    if (!defect) {
      log.warn(transaction, problem);
      return;
    }
    log.error(
      { ...transaction, err: defect },
      'a defect of this program left out a part of a transaction; please report it with this line',
    );
  }

  function openRetention(keepNs: bigint): Retention {
    return createRetention({
      connectionString,
      db,
      keepNs,
      signal,
      onDropped({ before, blocks, rows, seconds }) {
        const facts = { blocks, rows, seconds: Number(seconds.toFixed(1)) };
        log.info(facts, `Dropped what is older than --keep says: the past before ${formatSecond(before)}`);
      },
      onFailed: (error) => log.warn({ err: error }, 'Older rows could not be dropped; it is tried again later'),
    });
  }

  function onRetry(error: Error, retryMs: number): void {
    tellRetry(error, retryMs);
    watch.onRetry(error);
    options.onRetry?.(error);
  }

  /** Once for each kind of proof that takes the place of another. */
  function tellProofs({ block }: ImportProgress): void {
    const open = block.verification.proofs.filter(({ isVerified }) => !isVerified).map(describeProof);
    const text = open.length > 0 ? open.join('; ') : null;
    if (text !== null && text !== unverified) {
      log.warn(
        { block: block.number.toString() },
        `From this block on hashes and chain are checked, but not its proof: ${text}`,
      );
    }
    unverified = text;
  }

  function tellRetry(error: Error, retryMs: number): void {
    if (!(error instanceof StreamCheckError || error instanceof StreamSourceError)) {
      log.warn({ err: error, retryMs }, 'The import waits for the database and tries again');
      waiting?.onRetry('the database', retryMs);
      return;
    }
    waiting?.onRetry(`the source: ${error.message}`, retryMs);
    if (stays !== error.message) {
      stays = error.message;
      const isLate = error instanceof StreamCheckError && error.transient;
      log[isLate ? 'warn' : 'error'](
        `${error.message} The import waits there and looks again every 30 s at the latest.`,
      );
    }
  }
}
