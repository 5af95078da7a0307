// Checks that need no database, before one is made or opened: a taken port, a missing folder, an unusable address book.
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { assertPortFree } from '../../packages/kit/process/listen.ts';
import type { Logger } from '../../packages/kit/process/log.ts';
import { type StreamSource, StreamSourceError, type StreamUnit } from '../../packages/sources/stream-source.ts';
import { doorPorts } from './settings/door-ports.ts';
import type { Settings } from './settings/load-settings.ts';
import { readGrpcTls } from './settings/read-grpc-tls.ts';
import { readLabels } from './settings/read-labels.ts';
import { UsageError } from './settings/usage-error.ts';
import { openPlace, readAddressBookFile, readSourceOptions, readSourcePlaces } from './sources/open-source.ts';
import { readRemoteStatus } from './status/remote-status.ts';
import { findRunningStatus, statusFolderOf } from './status/status-service-file.ts';

export type CheckBeforeStartOptions = {
  settings: Settings;
  log: Logger;
  signal: AbortSignal;
  /** The command listens on --port. */
  serves: boolean;
  /** The command imports from --source, where that is given. */
  imports: boolean;
};

/** Throws UsageError, or an Error if another program holds something that is needed. */
export async function checkBeforeStart({
  settings,
  log,
  signal,
  serves,
  imports,
}: CheckBeforeStartOptions): Promise<void> {
  readRemoteStatus(settings);
  if (imports && settings.find('source') !== undefined) await checkSource(settings);
  if (serves) await checkPort(settings, { log, signal });
}

async function checkSource(settings: Settings): Promise<void> {
  const places = readSourcePlaces(settings.get('source'));
  const folders = places.flatMap((place) => (place.kind === 'folder' ? [place.path] : []));
  for (const folder of folders) {
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) continue;
    throw new UsageError(
      `--source ${folder} is no folder. Name the folder that holds the stream files (it may still be empty), or make it first.`,
    );
  }
  const addressBook = settings.find('address-book');
  if (addressBook !== undefined) readAddressBookFile(addressBook);
  else if (settings.find('database-url') === undefined && !hasCluster(settings.get('data-dir'))) {
    for (const folder of folders) await askForAddressBook(folder, settings);
  }
}

/**
 * For a folder that begins with record files, which nodes sign. With blocks, and later files, it is checked when they
 * are read.
 */
async function askForAddressBook(folder: string, settings: Settings): Promise<void> {
  // The import may start among the blocks.
  if (settings.find('from') !== undefined) return;
  const first = await findFirstUnit(openPlace({ kind: 'folder', path: folder }, readSourceOptions(settings)));
  if (first?.kind !== 'record') return;
  throw new UsageError(
    `A new database needs --address-book <file> for the record files in ${folder}: nothing else says who may sign them. It is the content of the file 102 of the network.`,
  );
}

/** null = no unit yet. */
async function findFirstUnit(source: StreamSource): Promise<StreamUnit | null> {
  try {
    for await (const unit of source.units({ position: () => null, live: false, isEnough: () => true })) return unit;
  } catch (error) {
    if (!(error instanceof StreamSourceError) || error.code !== 'noStreamFiles') throw error;
  }
  return null;
}

/** The cluster may lie elsewhere; then a file has the path. */
function hasCluster(dataFolder: string): boolean {
  return ['postgres', 'postgres.location'].some((name) => existsSync(join(dataFolder, name)));
}

// The status service that a killed mirror of the same folder left on the port makes room when asked.
async function checkPort(settings: Settings, options: { log: Logger; signal: AbortSignal }): Promise<void> {
  const host = settings.get('host');
  const doors = doorPorts(settings);
  readGrpcTls(settings);
  readLabels(settings);
  const hieroPort = settings.find('port-hiero');
  if (hieroPort !== undefined) {
    await assertPortFree({ port: hieroPort, host, portSetting: 'port-hiero', ...options });
  }
  for (const { port, portSetting } of doors) await assertPortFree({ port, host, portSetting, ...options });
  if (await findRunningStatus(statusFolderOf(settings.get('data-dir')))) return;
  await assertPortFree({ port: settings.get('port'), host, ...options });
}
