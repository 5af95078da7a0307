// What `doctor` checks before anything is started: one question after the other, each with the finding and, if it fails, what
// to do about it.
import { statfsSync } from 'node:fs';
import { createServer } from 'node:net';
import { resolve } from 'node:path';
import { startEmbeddedPostgres } from '../../../packages/postgres/embedded/embedded-postgres.ts';
import { findRunningPostgres } from '../../../packages/postgres/embedded/find-running-postgres.ts';
import { type Database, openDatabase } from '../../../packages/postgres/wire/database.ts';
import { explainConnection } from '../../../packages/postgres/wire/explain-connection.ts';
import { hasPublicKey, readAddressBook } from '../../../packages/protocol/hapi/address-book.ts';
import type { SourcePlace } from '../../../packages/sources/source-places.ts';
import type { StreamBlockFile, StreamSource } from '../../../packages/sources/stream-source.ts';
import { describeLedger, describeProof } from '../../importer/open/block-verification.ts';
import { openBlockFile } from '../../importer/open/open-block-file.ts';
import { describeBootstrap, stateOf } from '../../ledger/extent/bootstrap-state.ts';
import { describeExtent, type Extent } from '../../ledger/extent/extent.ts';
import { findExtent } from '../../ledger/extent/find-extent.ts';
import { findMissingTrust } from '../../ledger/extent/missing-trust.ts';
import { countPostponedIndexes } from '../../store/read/count-postponed-indexes.ts';
import { asDistributedWhereItIs } from '../../store/read/distributed/as-distributed.ts';
import { describeMissing, selectMachines } from '../../store/read/distributed/select-machines.ts';
import { selectDoubts } from '../../store/read/select-doubts.ts';
import { type LedgerTrust, selectLedgerTrust, selectUnreadPublication } from '../../store/read/select-ledger-trust.ts';
import { selectNewestBlock } from '../../store/read/select-newest-block.ts';
import { selectServer } from '../../store/read/select-server.ts';
import { countUnprovedBlocks, countUnverifiedBlocks } from '../../store/read/select-unverified-proofs.ts';
import { type BootstrapRun, selectBootstrapRun } from '../../store/transfer/bootstrap-run.ts';
import { nameOf, readReplicaUrls } from '../database/open-readers.ts';
import { type DoorPort, doorPorts } from '../settings/door-ports.ts';
import type { Settings } from '../settings/load-settings.ts';
import {
  openPlace,
  readAddressBookFile,
  readSourceOptions,
  readSourcePlaces,
  type SourceOptions,
} from '../sources/open-source.ts';
import { describeDoubts } from './describe-doubts.ts';
import { examineBucket } from './examine-bucket.ts';
import { examineEmbedded } from './examine-embedded.ts';
import { examineNetwork } from './examine-network.ts';
import { examineTables, judgeServer } from './examine-server.ts';
import { examineService } from './examine-service.ts';
import { FailedCheck } from './failed-check.ts';
import { findUsableFolder } from './find-usable-folder.ts';

export type Finding = { name: string; ok: boolean; found: string; advice?: string };

/** All questions, or those of these names, in order; a failure does not stop the next. */
export async function* examine(settings: Settings, names = Object.keys(questions)): AsyncGenerator<Finding> {
  for (const name of names) {
    const question = questions[name]!;
    try {
      const found = await question(settings);
      if (found !== null) yield { name, ok: true, found };
    } catch (error) {
      if (error instanceof FailedCheck) yield { name, ok: false, found: error.message, advice: error.advice };
      else yield { name, ok: false, found: (error as Error).message };
    }
  }
}

/** Each returns the finding, or null if the question does not apply. */
const questions: Record<string, (settings: Settings) => Promise<string | null>> = {
  async Node() {
    const major = Number(process.versions.node.split('.')[0]);
    if (major < 24) throw new FailedCheck(process.version, 'Run it with npm start, which brings its own Node 24.');
    return process.version;
  },

  async 'data folder'(settings) {
    const folder = resolve(settings.get('data-dir'));
    const existing = findUsableFolder(folder);
    const { bavail, bsize } = statfsSync(existing);
    const freeMiB = (bavail * bsize) / 2 ** 20;
    if (freeMiB < 1024)
      throw new FailedCheck(`${Math.floor(freeMiB)} MiB free below ${folder}`, 'Free at least 1 GiB.');
    return `${folder}, ${Math.floor(freeMiB / 1024)} GiB free`;
  },

  async database(settings) {
    const nothingYet = settings.find('database-url') === undefined ? examineEmbedded(settings.get('data-dir')) : null;
    if (nothingYet !== null) return nothingYet;
    return withDatabase(settings, (connectionString) =>
      describeDatabase(connectionString, {
        kind: settings.find('database-url') === undefined ? 'embedded ' : '',
        readOnly: settings.get('read-only'),
        addressBook: settings.find('address-book'),
      }),
    );
  },

  async replicas(settings) {
    const urls = readReplicaUrls(settings);
    const primary = settings.find('database-url');
    if (urls.length === 0) return null;
    if (primary === undefined)
      throw new FailedCheck('they are replicas of no database', 'Set DATABASE_URL to the primary.');
    const newest = await newestBlockOf(primary);
    const found: string[] = [];
    for (const url of urls) {
      const end = await newestBlockOf(url).catch((error: Error) => {
        const said = explainConnection(error, url);
        throw new FailedCheck(
          `${nameOf(url)} does not answer: ${said?.found ?? error.message}`,
          said?.advice.replaceAll('DATABASE_URL', '--replica-urls') ?? 'Check its address, and that it runs.',
        );
      });
      const behindS = Number(newest - end) / 1e9;
      if (behindS > settings.get('replica-max-lag')) {
        throw new FailedCheck(
          `${nameOf(url)} is ${behindS.toFixed(1)} s behind, more than --replica-max-lag`,
          'Queries go elsewhere until it has caught up. Look at pg_stat_replication of the primary.',
        );
      }
      found.push(`${nameOf(url)} is ${Math.max(0, behindS).toFixed(1)} s behind`);
    }
    return found.join(', ');
  },

  async port(settings) {
    const [port, host] = [settings.get('port'), settings.get('host')];
    const service = port === 0 ? null : await examineService(host, port);
    if (service?.problem) {
      throw new FailedCheck(
        `a mirror answers at ${host}:${port}: ${service.problem} (${service.found})`,
        'The log of that mirror says why; a worker that ended is started again within 10 s.',
      );
    }
    if (service) return `a mirror answers at ${host}:${port}: ${service.found}`;
    const code = await bindError(host, port);
    if (code) throw refusedPort({ host, port, code, instead: 'choose another with --port' });
    return `${host}:${port} is free`;
  },

  async doors(settings) {
    const ports = doorPorts(settings).filter(({ port }) => port !== 0);
    if (ports.length === 0) return null;
    const [servicePort, host] = [settings.get('port'), settings.get('host')];
    const isRunning = servicePort !== 0 && (await examineService(host, servicePort)) !== null;
    for (const { port, portSetting } of ports) {
      const code = await bindError(host, port);
      if (isRunning && code === null) {
        throw new FailedCheck(
          `nothing listens at ${host}:${port}`,
          `The mirror that runs was started without it: start it again with --${portSetting}.`,
        );
      }
      if (!isRunning && code) {
        const instead = portSetting === 'extra-ports' ? 'start without' : 'choose another with';
        throw refusedPort({ host, port, code, instead: `${instead} --${portSetting}` });
      }
    }
    const places = ports.map(({ kind, port }) => `${doorNames[kind]} ${host}:${port}`).join(', ');
    return `${places} ${isRunning ? (ports.length === 1 ? 'is open' : 'are open') : ports.length === 1 ? 'is free' : 'are free'}`;
  },

  async 'address book'(settings) {
    const path = settings.find('address-book');
    if (path === undefined) return null;
    const { nodes } = readAddressBook(readAddressBookFile(path));
    const withKey = nodes.filter(hasPublicKey).length;
    if (withKey === 0)
      throw new FailedCheck(`${path} has no readable public key`, 'Take the content of the file 102 of the network.');
    return `${path}: ${nodes.length} nodes, ${withKey} with a public key`;
  },

  async source(settings) {
    const text = settings.find('source');
    if (text === undefined) return null;
    const found: string[] = [];
    const failures: string[] = [];
    let isBucket = true;
    for (const place of readSourcePlaces(text)) {
      await describePlace(place, readSourceOptions(settings)).then(
        (one) => found.push(one),
        (error: Error) => {
          failures.push(error.message);
          isBucket &&= place.kind === 'bucket';
        },
      );
    }
    if (failures.length === 0) return found.join('; ');
    const all = [...failures, ...found].join('; ');
    // A bucket's error has its own advice.
    if (isBucket) throw new Error(all);
    throw new FailedCheck(
      all,
      'Point --source at the folder above recordstreams/, at a folder with blocks, at a bucket with either, or at block nodes (grpc://<host>:40840).',
    );
  },
};

async function describePlace(place: SourcePlace, options: SourceOptions): Promise<string> {
  if (place.kind !== 'bucket') return describeSource(openPlace(place, options));
  const { source, found } = await examineBucket(place, options);
  return `${await describeSource(source)}; ${found}`;
}

const doorNames: Record<DoorPort['kind'], string> = {
  rest: 'REST',
  rpc: 'JSON-RPC',
  grpc: 'gRPC',
  blockNode: 'block node',
};

type RefusedPort = { host: string; port: number; code: string; instead: string };

function refusedPort({ host, port, code, instead }: RefusedPort): FailedCheck {
  const place = `${host}:${port}`;
  switch (code) {
    case 'EADDRINUSE':
      return new FailedCheck(
        `${place} is taken by another program (${code})`,
        `Stop what listens there, or ${instead}.`,
      );
    case 'EACCES':
      return new FailedCheck(
        `this user may not listen on ${place} (${code})`,
        `Run it with that right, or ${instead}.`,
      );
    default:
      return new FailedCheck(
        `${place} cannot be listened on (${code})`,
        `See that ${host} (--host) is an address of this machine, or ${instead}.`,
      );
  }
}

/** Why a port cannot be listened on; null = it can. */
function bindError(host: string, port: number): Promise<string | null> {
  return new Promise((done) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => done(error.code ?? error.message));
    probe.listen(port, host, () => probe.close(() => done(null)));
  });
}

/** Throws if nothing can be imported from it. */
async function describeSource(source: StreamSource): Promise<string> {
  for await (const unit of source.units({ position: () => null, live: false, isEnough: () => true })) {
    if (unit.kind === 'block') {
      return `${source.description}: first ${await describeBlock(source, unit.block)}`;
    }
    const { group } = unit;
    const copy = group.copies.find(({ recordName }) => recordName !== null);
    if (!copy) continue;
    const { length } = await source.read(copy, { kind: 'record' });
    const signed = group.copies.filter(({ signatureName }) => signatureName !== null).length;
    return `${source.description}: first file ${copy.recordName} (${length} bytes), signed by ${signed} nodes`;
  }
  throw new Error(`no record file and no block in ${source.description}`);
}

async function describeBlock(source: StreamSource, file: StreamBlockFile): Promise<string> {
  const { block, verification } = await openBlockFile({ source, file, successor: null, signers: null, last: null });
  const proofs = verification.proofs.map(describeProof).join('; ');
  return `block ${file.number} (${file.name}, ${block.sizeBytes} bytes), ${proofs}`;
}

async function describeDatabase(
  connectionString: string,
  { kind, readOnly, addressBook }: { kind: string; readOnly: boolean; addressBook: string | undefined },
): Promise<string> {
  const db = openDatabase({ connectionString, maxConnections: 1 });
  try {
    const server = await selectServer(db);
    const { version, role, creates, reads, writes } = server;
    judgeServer(server, { readOnly });
    await examineTables(connectionString, server, { readOnly });
    if (addressBook !== undefined && server.hasBlocks) await examineNetwork(db, addressBook);
    if (reads && !creates && !writes) {
      const enough = readOnly ? '' : ', which is enough for "serve" and not for an import';
      return `${kind}PostgreSQL ${version}, the role ${role} may read and nothing else${enough}`;
    }
    if (!creates && !readOnly) {
      throw new FailedCheck(
        `PostgreSQL ${version}; this role may not create tables`,
        'Run "ledger-mirror migrate" once with the owner of the database.',
      );
    }
    const able = readOnly
      ? `the role ${role} may write; one that "ledger-mirror migrate --reader-role <name>" makes may not`
      : 'tables can be created';
    const run = await selectBootstrapRun(db);
    const isFilled = !run || stateOf(run) === 'loaded';
    const found = [
      await describeMachines(await asDistributedWhereItIs(db)),
      isFilled ? describePostponed(await countPostponedIndexes(db)) : '',
      describeUnverified(await countUnverifiedBlocks(db)),
      describeUnproved(await countUnprovedBlocks(db)),
      describeTrust(await selectLedgerTrust(db)),
      describeDoubts(await selectDoubts(db)),
    ];
    if (run && stateOf(run) === 'interrupted') {
      throw new FailedCheck(describeBootstrap(run, 'operators'), 'Until then the database is incomplete.');
    }
    const unread = await selectUnreadPublication(db);
    if (unread) {
      throw new FailedCheck(
        `block ${unread.block} publishes a ledger id that the version which imported it could not read: ${unread.reason}${found.join('')}`,
        'Import with a later version, which reads what was kept of it; or, if the operators of the network confirm them, name the ledger id (--ledger-id) and the key that its blocks are signed with (--ledger-key).',
      );
    }
    const missing = await findMissingTrust(db);
    if (missing) throw new FailedCheck(`${missing.found}${found.join('')}`, missing.advice);
    // Before its end nothing is known of the part of the ledger.
    const held = server.hasBlocks && isFilled ? describeHeld(await findExtent(db)) : '';
    return `${kind}PostgreSQL ${version}, ${able}${found.join('')}${describeFilling(run)}${held}`;
  } finally {
    await db.close();
  }
}

/** With what is wrong with its connection in our words. */
async function withDatabase<Result>(
  settings: Settings,
  work: (connectionString: string) => Promise<Result>,
): Promise<Result> {
  const url = settings.find('database-url');
  const server = url === undefined ? await openEmbedded(settings) : { connectionString: url, stop: async () => {} };
  try {
    return await work(server.connectionString);
  } catch (error) {
    throw toFinding(error as Error, server.connectionString);
  } finally {
    await server.stop();
  }
}

function toFinding(error: Error, connectionString: string): Error {
  const said = explainConnection(error, connectionString);
  if (said) return new FailedCheck(said.found, said.advice);
  const { code } = error as Error & { code?: string };
  if (code === '42501') {
    return new FailedCheck(
      `the role may not read everything that is needed (${error.message})`,
      'As the owner of the tables run "ledger-mirror migrate --reader-role <name>", which lets it read.',
    );
  }
  // What PostgreSQL says of a statement has a code of five characters.
  if (!/^[0-9A-Z]{5}$/.test(code ?? '')) return error;
  return new FailedCheck(`PostgreSQL does not answer as it should (${error.message})`, 'Its log says more.');
}

/** Of the mirror that runs now, if one does. */
async function openEmbedded(settings: Settings): Promise<{ connectionString: string; stop(): Promise<void> }> {
  const dataFolder = settings.get('data-dir');
  const running = await findRunningPostgres(dataFolder);
  if (running !== null) return { connectionString: running, stop: async () => {} };
  return startEmbeddedPostgres({ dataFolder, otherMirrorMs: 0 });
}

async function describeMachines(db: Database): Promise<string> {
  if (!db.isDistributed) return '';
  const machines = await selectMachines(db);
  if (machines.missing > 0) {
    throw new FailedCheck(
      describeMissing(machines),
      'Start PostgreSQL on it, and see that the coordinator reaches it. The import waits for it; lists are answered with 503 meanwhile.',
    );
  }
  return `; its tables are distributed over ${machines.all} machines beside the coordinator`;
}

function describeHeld(extent: Extent | null): string {
  const sentences = extent && describeExtent(extent);
  return sentences === null ? '' : `. ${sentences.replace(/\.$/, '')}`;
}

function describePostponed(count: number): string {
  if (count === 0) return '';
  return `; ${count} indexes are left out until an import with --bulk has caught up, queries are slow until then`;
}

/** Its consensus end, ns; 0 if there is none. */
async function newestBlockOf(connectionString: string): Promise<bigint> {
  const db = openDatabase({ connectionString, maxConnections: 1 });
  try {
    return (await selectNewestBlock(db))?.consensusEnd ?? 0n;
  } finally {
    await db.close();
  }
}

function describeFilling(run: BootstrapRun | null): string {
  return run ? `. ${describeBootstrap(run, 'operators').replace(/\.$/, '')}` : '';
}

function describeUnverified(found: { blocks: bigint; stored: bigint } | null): string {
  if (!found || found.blocks === 0n) return '';
  const { blocks, stored } = found;
  return `; of ${stored} stored blocks ${blocks} have proofs that are kept but not verified (hashes and chain were checked)`;
}

function describeUnproved(blocks: bigint): string {
  if (blocks === 0n) return '';
  return `; ${blocks} blocks are unproved: their signatures are good, but nothing vouches for the key (the proof of the address book is not checked; --ledger-key names one that the operators of the network confirm)`;
}

function describeTrust(trust: LedgerTrust | null): string {
  if (!trust) return '';
  const steps = trust.rotation?.steps ?? 0n;
  const rotations = steps >= firstSteps ? `, ${steps - firstSteps} rotations of its keys so far` : '';
  const former = trust.formerIds.map((id) => `, before ${id.toString('hex')}`).join('');
  return `; blocks are verified as those of ${describeLedger(trust)}${former}${rotations}${describeSigner(trust)}`;
}

/** The key that signs now, of a ledger whose keys are followed from block to block. */
function describeSigner({ keys }: LedgerTrust): string {
  const signers = keys.filter(({ signsFrom }) => signsFrom !== null);
  const [first, ...others] = signers.sort((one, other) => Number(other.signsFrom! - one.signsFrom!));
  if (!first) return '';
  const why = { ledgerId: 'named by the ledger id', signedBlock: `named by block ${first.block}`, pinned: 'pinned' }[
    first.source
  ];
  return `, signed by key ${first.keyHash.toString('hex')} since block ${first.signsFrom} (${why}), after ${others.length} others`;
}

/** Of the WRAPS proof that settles a network. */
const firstSteps = 2n;
