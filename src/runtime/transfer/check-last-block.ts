// The last block of an export against the stream that the network signed: an export is not signed itself.
import { readFileSync } from 'node:fs';
import type { Logger } from '../../../packages/kit/process/log.ts';
import { type Database, openDatabase } from '../../../packages/postgres/wire/database.ts';
import { type AddressBook, readAddressBook } from '../../../packages/protocol/hapi/address-book.ts';
import { systemEntityId } from '../../../packages/protocol/hapi/system-entity.ts';
import { StreamSourceError } from '../../../packages/sources/stream-source.ts';
import {
  type StoredBlock,
  selectAddressBook,
  selectLastBlock,
  selectNodeStakes,
} from '../../../packages/store/read/import-state.ts';
import { selectSystemRealm } from '../../../packages/store/read/select-system-realm.ts';
import type { BootstrapCheck } from '../../../packages/store/transfer/bootstrap-run.ts';
import { StreamCheckError } from '../../importer/open/stream-check-error.ts';
import { type VerifiedFile, verifyStream } from '../../importer/verify-stream.ts';
import type { Settings } from '../settings/load-settings.ts';
import { openSource, readSourceOptions } from '../sources/open-source.ts';

const name = 'signed stream';

export type CheckLastBlockOptions = {
  connectionString: string;
  settings: Settings;
  log: Logger;
  signal: AbortSignal;
};

export async function checkLastBlock(options: CheckLastBlockOptions): Promise<BootstrapCheck[]> {
  const { connectionString, settings } = options;
  if (settings.find('source') === undefined) {
    return [
      {
        name,
        holds: null,
        sentence: 'Without --source the last block is compared with nothing; the next import has to continue it.',
      },
    ];
  }
  const db = openDatabase({ connectionString, maxConnections: 1 });
  try {
    const last = await selectLastBlock(db);
    return last ? [await compare(last, db, options)] : [];
  } finally {
    await db.close();
  }
}

async function compare(last: StoredBlock, db: Database, options: CheckLastBlockOptions): Promise<BootstrapCheck> {
  const { settings, log, signal } = options;
  const source = openSource({ text: settings.get('source'), options: readSourceOptions(settings), log });
  try {
    const file = await findFile(
      verifyStream({
        source,
        addressBook: await findBook(db, settings),
        stakes: new Map((await selectNodeStakes(db)).map(({ nodeId, stake }) => [nodeId, stake])),
        consensusRatio: settings.get('consensus-ratio'),
        after: last.consensusStart - 1n,
        signal,
      }),
    );
    if (!file || file.consensusStart > last.consensusEnd) {
      return {
        name,
        holds: null,
        sentence: `${source.description} does not have the block ${last.index} any more, or not yet.`,
      };
    }
    const isSame = file.hash.toString('hex') === last.hash && file.consensusEnd === last.consensusEnd;
    const sentence = isSame
      ? `${file.name} of ${source.description} has the same hash, and its signatures hold.`
      : `${file.name} of ${source.description} has the hash ${file.hash.toString('hex')}, not ${last.hash}.`;
    return { name, holds: isSame, sentence };
  } catch (error) {
    if (error instanceof StreamCheckError) return { name, holds: false, sentence: error.message };
    if (error instanceof StreamSourceError)
      return { name, holds: null, sentence: `It cannot be compared: ${error.message}` };
    throw error;
  }
}

async function findFile(files: AsyncGenerator<VerifiedFile>): Promise<VerifiedFile | null> {
  for await (const file of files) return file;
  return null;
}

/** The operator's, or that of the export; null = signatures are not checked. */
async function findBook(db: Database, settings: Settings): Promise<AddressBook | null> {
  const path = settings.find('address-book');
  if (path !== undefined) return readAddressBook(readFileSync(path));
  const system = await selectSystemRealm(db);
  const stored = system && (await selectAddressBook(db, systemEntityId('nodeDetails', system)));
  return stored ? readAddressBook(stored.fileData) : null;
}
