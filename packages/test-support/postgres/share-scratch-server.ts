// One PostgreSQL for all test files of a run. The process that runs vitest starts it when the first file asks for it,
// so that a run without databases costs nothing, and sends each file its address over a local socket.
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type ScratchServer, startScratchServer } from './scratch-server.ts';

const variable = 'LEDGER_MIRROR_TEST_POSTGRES';

/** vitest runs it before all files, and the function that it returns after them. */
export async function setup(): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'ledger-mirror-tests-'));
  const address =
    process.platform === 'win32' ? `\\\\.\\pipe\\${folder.replaceAll(/[:\\]/g, '-')}` : join(folder, 'ask');
  let started: Promise<ScratchServer> | undefined;
  const listener = createServer((socket) => {
    socket.on('error', () => {}); // The test process was killed meanwhile.
    started ??= startScratchServer();
    started.then(
      ({ connectionString }) => socket.end(`ok ${connectionString}`),
      (error: Error) => socket.end(`no ${error.stack}`),
    );
  }).listen(address);
  await once(listener, 'listening');
  process.env[variable] = address;
  return async () => {
    listener.close();
    await (await started?.catch(() => undefined))?.stop();
    rmSync(folder, { recursive: true, force: true });
  };
}

/** Socket for requests of the server; undefined outside of a test run. */
export function serverAddress(): string | undefined {
  return process.env[variable];
}

/** Its connection string. Throws if the server could not be started. */
export async function askForServer(address: string): Promise<string> {
  const answer = await text(connect(address));
  if (!answer.startsWith('ok '))
    throw new Error(`The PostgreSQL of the test run could not be started: ${answer.slice(3)}`);
  return answer.slice(3);
}
