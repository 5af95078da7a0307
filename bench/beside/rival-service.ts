// The rival: the REST service of a clone of the Hiero mirror node, as its image runs it, over the measured database.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../test/support/program/free-port.ts';
import { type Child, startChild } from '../support/start-child.ts';

/** Installs and builds what the clone lacks. */
export async function prepareRival(clone: string): Promise<void> {
  const folder = join(clone, 'rest');
  if (!existsSync(join(folder, 'package.json'))) throw new Error(`--rival ${clone} has no rest/package.json`);
  if (!existsSync(join(folder, 'node_modules'))) await run(folder, 'npm', ['ci']);
  if (!existsSync(join(folder, 'gen', 'services'))) await run(folder, 'npm', ['run', 'generate-proto-js']);
  await run(folder, process.execPath, ['esbuild.config.js']);
}

/** Without a cache of answers and without a log of requests; everything else as its defaults are. */
export async function startRival(clone: string, connectionString: string, poolSize: number): Promise<Child> {
  const folder = join(clone, 'rest', 'buildDist');
  // The host is a path where PostgreSQL listens on a socket, which no URL can have in its place.
  const address = new URL(connectionString.replace('@/', '@localhost/'));
  const port = await freePort();
  const settings = {
    DB_HOST: address.searchParams.get('host') ?? address.hostname,
    DB_PORT: address.searchParams.get('port') ?? (address.port || '5432'),
    DB_NAME: address.pathname.slice(1),
    DB_USERNAME: decodeURIComponent(address.username),
    DB_PASSWORD: decodeURIComponent(address.password) || 'none',
    DB_POOL_MAXCONNECTIONS: String(poolSize),
    PORT: String(port),
    REDIS_ENABLED: 'false',
    CACHE_RESPONSE_ENABLED: 'false',
    LOG_SAMPLERATE: '0',
  };
  const environment = Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [`HIERO_MIRROR_REST_${name}`, value]),
  );
  const allocator = findAllocator();
  const child = await startChild(
    ['server.js'],
    /Server running on port: (\d+)/,
    { NODE_ENV: 'production', ...environment, ...(allocator === null ? {} : { LD_PRELOAD: allocator }) },
    folder,
  );
  return { ...child, url: `http://127.0.0.1:${child.url}` };
}

export function describeRival(clone: string): string {
  const { name, version } = JSON.parse(readFileSync(join(clone, 'rest', 'package.json'), 'utf8'));
  return `${name} ${version}, ${findAllocator() === null ? 'without' : 'with'} jemalloc`;
}

/** Its image has it for all processes. */
function findAllocator(): string | null {
  const places = ['x86_64', 'aarch64'].map((machine) => `/usr/lib/${machine}-linux-gnu/libjemalloc.so.2`);
  return places.find(existsSync) ?? null;
}

async function run(folder: string, command: string, args: string[]): Promise<void> {
  const child = spawn(command, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} in ${folder} ended with ${code}:\n${output}`);
}
