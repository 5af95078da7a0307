// The importing side of one run: a source, the reader of stored state, the one writer, and the import between them.

import type { Logger } from '../../../packages/kit/process/log.ts';
import { type Database, openDatabase } from '../../../packages/postgres/wire/database.ts';
import type { SourceEvent } from '../../../packages/sources/preferred-source.ts';
import type { StreamSource } from '../../../packages/sources/stream-source.ts';
import { asCompactWhereItIs } from '../../../packages/store/read/compact/as-compact.ts';
import { selectUnreadPublication, type UnreadPublication } from '../../../packages/store/read/select-ledger-trust.ts';
import { type NewestBlock, selectNewestBlock } from '../../../packages/store/read/select-newest-block.ts';
import { selectSystemRealm } from '../../../packages/store/read/select-system-realm.ts';
import { createRowDropper } from '../../../packages/store/retention/row-dropper.ts';
import { type BlockWriter, createBlockWriter } from '../../../packages/store/write/block-writer.ts';
import type { PriceOfGas } from '../../../packages/store/write/day-totals.ts';
import { upsertImportRevision } from '../../../packages/store/write/upsert-import-revision.ts';
import { type Compaction, createCompaction } from '../../importer/extent/compaction.ts';
import { createRetention, type Retention } from '../../importer/extent/retention.ts';
import type { ImportProgress } from '../../importer/import-progress.ts';
import { type ImportSummary, importStream } from '../../importer/import-stream.ts';
import { reimportBlocks } from '../../importer/reimport-blocks.ts';
import { retryOutage } from '../../importer/retry-transient.ts';
import { createGasPrices, type GasPrices } from '../../ledger/contracts/gas-prices.ts';
import { describeExtent } from '../../ledger/extent/extent.ts';
import { findExtent } from '../../ledger/extent/find-extent.ts';
import { findMissingTrust } from '../../ledger/extent/missing-trust.ts';
import type { SettledExtent } from '../database/settle-extent.ts';
import { readRealm } from '../database/settle-network.ts';
import { readSourceAgain } from '../serve/read-source-again.ts';
import type { Settings } from '../settings/load-settings.ts';
import { discoverBlockNodes } from '../sources/discover-block-nodes.ts';
import { openSource, readAddressBookFile, readSourceOptions } from '../sources/open-source.ts';
import { readPublicationFile } from '../sources/read-publication-file.ts';
import { createImportWatch } from '../status/signals/import-signals.ts';
import { createSourceLook, type ImportObserver } from '../status/signals/read-importer.ts';
import { type ImportHeartbeat, startImportHeartbeat } from './import-heartbeat.ts';
import { importInBulk } from './import-in-bulk.ts';
import { createImportLog, type ImportLog } from './import-log.ts';
import { mendFacts } from './mend-facts.ts';

export type RunImportOptions = {
  connectionString: string;
  settings: Settings;
  extent: SettledExtent;
  /** A simulated network that is imported instead of `--source`. */
  feed?: { folder: string; addressBookPath: string } | null;
  /** The process answers no queries, so that it may block while a file is read. */
  mayBlock?: boolean;
  log: Logger;
  signal: AbortSignal;
  onProgress?(progress: ImportProgress): void;
  /** For a process that reports the state of its import itself. */
  observer?: ImportObserver;
  /** Called with what the status reads, before anything is imported. */
  onObserved?(observer: ImportObserver): void;
  /** Events of several sources, or of block nodes. */
  onSource?(event: SourceEvent): void;
  /** A failure that will be retried. */
  onRetry?(error: Error): void;
  /** The newest block in the database before the import. */
  onStored?(block: NewestBlock | null): void;
  /** The database has a publication of a ledger id that an earlier run could not read. */
  onUnread?(unread: UnreadPublication): void;
  /** Why the newest stored block is not proved, after what could be learnt was; null: it is, or there is none. */
  onStanding?(unproved: string | null): void;
};

/** Resolves when the files or the signal end the import; throws as `importStream` does. */
export async function runImport(options: RunImportOptions): Promise<ImportSummary> {
  const { connectionString, settings, feed, log } = options;
  const addressBookPath = settings.find('address-book') ?? feed?.addressBookPath;
  const addressBook = addressBookPath === undefined ? null : readAddressBookFile(addressBookPath);
  const publicationPath = settings.find('ledger-publication');
  const ledgerPublication = publicationPath === undefined ? null : readPublicationFile(publicationPath);
  const source = openImportSource(options, () => db);
  const { observer = { watch: createImportWatch(Date.now), lookAtSource: createSourceLook(source) } } = options;
  options.onObserved?.(observer);
  const said = createImportLog(log, !settings.get('once'));
  const onRetry = (error: Error): void => {
    observer.watch.onRetry(error);
    options.onRetry?.(error);
  };
  const db = openDatabase({
    connectionString,
    maxConnections: 2,
    statementTimeoutMs: 0,
    onConnectionLost: (error) => log.warn({ err: error }, 'a connection to PostgreSQL was lost'),
  });
  const open = { ...options, addressBook, ledgerPublication, onRetry, observer, source, said, db };
  try {
    return await retryOutage(() => openAndImport(open), {
      live: !settings.get('once'),
      signal: options.signal,
      onRetry(error, retryMs) {
        said.onRetry(error, retryMs);
        onRetry(error);
      },
    });
  } finally {
    said.close();
    await db.close();
  }
}

async function openAndImport(parts: Omit<ImportParts, 'writer' | 'retention' | 'compaction'>): Promise<ImportSummary> {
  const { connectionString, log, db, said, onRetry } = parts;
  const stored = await selectNewestBlock(db);
  said.onStored(stored);
  const extent = await findExtent(db);
  const held = extent && describeExtent(extent);
  if (held !== null) log.info(held);
  parts.onStored?.(stored);
  const unread = await selectUnreadPublication(db);
  if (unread) {
    said.onUnread(unread);
    parts.onUnread?.(unread);
  }
  const retention = await openRetention(parts, db, said);
  const compaction = await openCompaction(parts, db, said);
  const writer = await createBlockWriter({
    connectionString,
    log: (sentence) => log.warn(sentence),
    onLost: onRetry,
    priceOfGas: openGasPrices(db),
  });
  try {
    const summary = await importAll({ ...parts, writer, retention, compaction });
    await finishRetention(retention);
    return summary;
  } finally {
    await retention?.close();
    await compaction?.close();
    await writer.close();
  }
}

function openImportSource(options: RunImportOptions, db: () => Database): StreamSource {
  const { settings, feed, mayBlock, log, onSource } = options;
  const sourceOptions = { ...readSourceOptions(settings), mayBlock };
  const text = feed?.folder ?? settings.get('source');
  const discovers = !feed && settings.get('discover-block-nodes');
  const findFurther = discovers ? discoverBlockNodes({ sourcePath: text, sourceOptions, log, db }) : undefined;
  return openSource({ text, options: sourceOptions, log, onEvent: onSource, findFurther });
}

/** Refuses, before the import, a database that nothing can be dropped from. */
async function openRetention(
  { connectionString, settings, signal }: RunImportOptions,
  db: Database,
  { onDropped, onFailed }: ImportLog,
): Promise<Retention | null> {
  const keepNs = settings.find('keep');
  if (keepNs === undefined) return null;
  await (await createRowDropper(connectionString)).close();
  return createRetention({ connectionString, db, keepNs, signal, onDropped, onFailed });
}

/** null: the database has another form. */
async function openCompaction(
  { connectionString, signal }: RunImportOptions,
  db: Database,
  { onCompacted, onCompactionFailed: onFailed }: ImportLog,
): Promise<Compaction | null> {
  if (!(await asCompactWhereItIs(db)).isCompact) return null;
  const clock = (): bigint => BigInt(Date.now()) * 1_000_000n;
  return createCompaction({ connectionString, signal, clock, onCompacted, onFailed });
}

async function finishRetention(retention: Retention | null): Promise<void> {
  await retention?.finish().catch((cause: Error) => {
    throw new Error(
      `The import has ended, and what is older than --keep could not be dropped: ${cause.message}. The same command goes on.`,
      { cause },
    );
  });
}

type ImportParts = RunImportOptions & {
  onRetry(error: Error): void;
  observer: ImportObserver;
  addressBook: Uint8Array | null;
  ledgerPublication: Uint8Array | null;
  source: StreamSource;
  said: ImportLog;
  db: Database;
  writer: BlockWriter;
  retention: Retention | null;
  compaction: Compaction | null;
};

async function importAll(parts: ImportParts): Promise<ImportSummary> {
  const { connectionString, settings, db, observer, said, log, signal } = parts;
  const live = !settings.get('once');
  const reimportFrom = settings.find('reimport-from');
  const onRetry = (error: Error, retryMs: number): void => {
    said.onRetry(error, retryMs);
    parts.onRetry(error);
  };
  let heartbeat: ImportHeartbeat | null = null;
  try {
    await mendFacts({
      connectionString,
      db,
      settings,
      readAgain: readSourceAgain(parts.feed?.folder ?? settings.get('source'), settings, log)!,
      tell: (sentence) => log.info(sentence),
      warn: (sentence) => log.warn(sentence),
    });
    await upsertImportRevision(db);
    const missing = await findMissingTrust(db);
    if (missing) log.error(`Trust is missing: ${missing.found}. ${missing.advice}`);
    parts.onStanding?.(missing?.isNow ? missing.found : null);
    heartbeat = await startImportHeartbeat(db, observer, log);
    if (reimportFrom !== undefined) await reimport(parts, reimportFrom);
    const importBlocks = (isLive: boolean) => importOnce(parts, isLive, onRetry);
    const isBulk = settings.get('bulk');
    const summary = await importInBulk({ connectionString, isBulk, live, log, signal, onRetry, importBlocks });
    await heartbeat.end(null);
    return summary;
  } catch (error) {
    await heartbeat?.end(error as Error);
    throw error;
  }
}

function importOnce(
  parts: ImportParts,
  live: boolean,
  onRetry: (error: Error, retryMs: number) => void,
): Promise<ImportSummary> {
  const { settings, extent, db, writer, source, addressBook, ledgerPublication } = parts;
  const { observer, retention, compaction, said, signal, onProgress } = parts;
  return importStream({
    ...extent,
    source,
    db,
    writer,
    addressBook,
    ledgerId: settings.find('ledger-id') ?? null,
    ledgerKey: settings.find('ledger-key') ?? null,
    ledgerPublication,
    consensusRatio: settings.get('consensus-ratio'),
    system: readRealm(settings),
    live,
    startBlockNumber: settings.get('start-block'),
    commitTransactions: settings.get('commit-transactions'),
    until: settings.find('until'),
    keepsFiles: settings.get('keep-proofs'),
    signal,
    onProgress(progress) {
      said.onProgress(progress);
      retention?.onBlock(progress.block);
      compaction?.onBlock(progress.block);
      observer.watch.onProgress(progress);
      onProgress?.(progress);
    },
    onDoubt: said.onDoubt,
    onDefect: said.onDefect,
    onCutover: said.onCutover,
    onUncovered: said.onUncovered,
    onHandover: said.onHandover,
    onBadPublication: said.onBadPublication,
    onRetry,
  });
}

async function reimport(parts: ImportParts, first: bigint): Promise<void> {
  const { settings, extent, source, db, writer, said, log, signal } = parts;
  const summary = await reimportBlocks({
    source,
    db,
    writer,
    first,
    until: settings.find('until'),
    commitTransactions: settings.get('commit-transactions'),
    filter: extent.filter,
    system: readRealm(settings),
    signal,
    onProgress: ({ block, last }) => log.info(`Imported again: blocks ${first} to ${block} of ${last}`),
    onDoubt: said.onDoubt,
    onDefect: said.onDefect,
  });
  said.onReimported(first, summary);
}

/** The network is known with its first block. */
function openGasPrices(db: Database): PriceOfGas {
  let prices: GasPrices | null = null;
  return async (timestamp) => {
    const system = prices ? null : await selectSystemRealm(db);
    prices ??= system && createGasPrices({ db, system });
    return prices ? prices.at(timestamp) : null;
  };
}
