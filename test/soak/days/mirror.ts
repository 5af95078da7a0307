// The parts of a mirror, each a process that can be killed and begins again: network, PostgreSQL, import, server.
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startEmbeddedPostgres } from '../../../packages/postgres/embedded/embedded-postgres.ts';
import { readStatusAddress, statusFolderOf } from '../../../src/runtime/status/status-service-file.ts';
import type { DoorPlaces } from '../../support/program/ask-doors.ts';
import { type RunningMirror, runMirror } from '../../support/program/run-mirror.ts';
import { waitForBlocks } from '../../support/tables/compare-undisturbed.ts';

export type MirrorOptions = {
  folder: string;
  /** Where PostgreSQL and the server keep their files. */
  disk: string;
  blockIntervalMs: number;
};

/** Of a process that begins: more variables of its environment. */
type Environment = Record<string, string>;

export type Mirror = {
  streams: string;
  book: string;
  connectionString: string;
  postgresFolder: string;
  places(): DoorPlaces;
  pids(): Record<Part | 'postgres', number>;
  /** Of the status service, which outlives the server that started it; null = none has begun. */
  statusPid(): number | null;
  /** By SIGKILL; it begins again two seconds later. */
  kill(part: Part, env?: Environment): Promise<void>;
  /** PostgreSQL begins again by itself. */
  signalPostgres(signal: NodeJS.Signals): void;
  /** Another server on other ports, which takes the place of the one before; that one lives until it is ended. */
  openNextServer(env?: Environment): Promise<{ end(): Promise<void> }>;
  stopNetwork(): Promise<void>;
  /** What all parts have said since the last call: warnings and errors. */
  takeSaid(): string[];
  close(): Promise<void>;
};

type Part = 'network' | 'import' | 'serve';

type Start = (args: string[], env?: Environment) => RunningMirror;

type Server = { mirror: RunningMirror; places: DoorPlaces };

export async function startMirror({ folder, disk, blockIntervalMs }: MirrorOptions): Promise<Mirror> {
  const streams = join(folder, 'streams');
  const book = join(streams, 'addressbook.bin');
  const postgresFolder = join(disk, 'postgres');
  mkdirSync(streams);
  const postgres = await startEmbeddedPostgres({ dataFolder: postgresFolder });
  const { connectionString } = postgres;
  const heard = new Map<RunningMirror, number>();
  const start: Start = (args, env = {}) => {
    // As the launcher starts them: memory is judged.
    const memory = args[0] === 'serve' || args[0] === 'import' ? args[0] : 'others';
    const part = runMirror([...args, '--log-level', 'warn'], {
      env: { DATABASE_URL: connectionString, ...env },
      memory,
    });
    heard.set(part, 0);
    return part;
  };
  const dataFolder = join(disk, 'data');
  const ofData = ['--network', 'demo', '--data-dir', dataFolder];
  // The server reads from the files what it proves.
  const ofServer = ['--source', streams, ...ofData];
  const commands: Record<Exclude<Part, 'serve'>, string[]> = {
    network: [
      ...['network', '--output', streams, '--block-interval', String(blockIntervalMs), '--nodes', '3'],
      ...['--transactions-per-block', '15', '--seed', 'days', '--keep-blocks', '1000000'],
    ],
    import: ['import', '--source', streams, '--address-book', book, ...ofData],
  };
  const running = { network: start(commands.network) } as Record<Exclude<Part, 'serve'>, RunningMirror>;
  while (!existsSync(book)) await sleep(100);
  running.import = start(commands.import);
  await waitForBlocks(connectionString, 20);
  let server = await startServer(start, ofServer);
  const killAndStart = async (part: Part, env?: Environment): Promise<void> => {
    const before = part === 'serve' ? server.mirror : running[part];
    before.child.kill('SIGKILL');
    await before.ended;
    await sleep(2000);
    if (part === 'serve') server = await startServer((args) => start(args, env), ofServer, server.places);
    else running[part] = start(commands[part], env);
  };
  const all = () => [server.mirror, running.network, running.import];
  return {
    ...{ streams, book, connectionString, postgresFolder },
    places: () => server.places,
    pids: () => ({
      network: running.network.child.pid!,
      import: running.import.child.pid!,
      serve: server.mirror.child.pid!,
      postgres: postgres.pid(),
    }),
    kill: killAndStart,
    statusPid: () => readStatusAddress(statusFolderOf(dataFolder))?.pid ?? null,
    signalPostgres: (signal) => void process.kill(postgres.pid(), signal),
    async openNextServer(env) {
      const before = server.mirror;
      server = await startServer((args) => start(args, env), ofServer);
      return {
        async end() {
          before.child.kill('SIGTERM');
          await before.ended;
        },
      };
    },
    async stopNetwork() {
      running.network.child.kill('SIGTERM');
      await running.network.ended;
    },
    takeSaid: () =>
      [...heard].flatMap(([part, before]) => {
        const lines = part.output().slice(before).split('\n');
        // The rest of a line comes later.
        heard.set(part, part.output().length - lines.pop()!.length);
        return lines.filter((line) => /Z (warn|error|fatal) /.test(line));
      }),
    async close() {
      for (const { child } of all()) child.kill('SIGTERM');
      await Promise.all(all().map(({ ended }) => ended));
      await postgres.stop();
    },
  };
}

/** At the places of the server before, or at free ones. */
async function startServer(start: Start, ofServer: readonly string[], places?: DoorPlaces): Promise<Server> {
  const port = places ? new URL(places.url).port : '0';
  const { rpcPort = 0, grpcPort = 0, blockNodePort = 0 } = places ?? {};
  const mirror = start([
    ...['serve', '--port', port, '--rpc-port', String(rpcPort), '--grpc-port', String(grpcPort)],
    ...['--block-node-port', String(blockNodePort), '--opcode-rate', '100', ...ofServer],
  ]);
  const [, url] = (await mirror.says(/Answering on (http:\S+)/)) as unknown as [string, string];
  const portOf = async (name: string) => Number((await mirror.says(new RegExp(`${name}: \\S*?:(\\d+)/?\\s`)))[1]);
  return {
    mirror,
    places: {
      url,
      rpcPort: await portOf('JSON-RPC and web sockets'),
      grpcPort: await portOf('gRPC'),
      blockNodePort: await portOf('Block node'),
    },
  };
}
