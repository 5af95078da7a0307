// What all test files of a run share: a folder for temporary files, in memory where there is room, one PostgreSQL and
// locks. The process that runs vitest has them and tells each file over a local socket. It starts PostgreSQL when the
// first file asks for it, so that a run without databases costs nothing.
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { findRoomyFolder } from './roomy-folder.ts';
import { type ScratchServer, startScratchServer } from './scratch-server.ts';

const addressVariable = 'LEDGER_MIRROR_TEST_ADDRESS';
const folderVariable = 'LEDGER_MIRROR_TEST_FOLDER';

/** vitest runs it before all files, and the function that it returns after them. */
export async function setup(): Promise<() => Promise<void>> {
  // Sockets of PostgreSQL are in folders below it, and their paths may have 107 bytes.
  const folder = mkdtempSync(join(findRoomyFolder(), 'lm-'));
  // Where root runs the tests, PostgreSQL runs as another user, who must come through.
  chmodSync(folder, 0o711);
  const address =
    process.platform === 'win32' ? `\\\\.\\pipe\\${folder.replaceAll(/[:\\]/g, '-')}` : join(folder, 'ask');
  let started: Promise<ScratchServer> | undefined;
  const tellServer = (socket: Socket) => {
    started ??= startScratchServer();
    started.then(
      ({ connectionString }) => socket.end(`ok ${connectionString}\n`),
      (error: Error) => socket.end(`no ${JSON.stringify(error.stack)}\n`),
    );
  };
  const locks = createLocks();
  const listener = createServer((socket) => {
    socket.on('error', () => {}); // The test process was killed meanwhile.
    createInterface({ input: socket }).once('line', (question) => {
      if (question === serverQuestion) tellServer(socket);
      else locks.lock(question, socket);
    });
  }).listen(address);
  await once(listener, 'listening');
  process.env[addressVariable] = address;
  process.env[folderVariable] = folder;
  const { TMPDIR } = process.env;
  process.env.TMPDIR = folder;
  return async () => {
    listener.close();
    await (await started?.catch(() => undefined))?.stop();
    restore('TMPDIR', TMPDIR);
    rmSync(folder, { recursive: true, force: true });
  };
}

function restore(name: string, value: string | undefined): void {
  if (value === undefined) delete process.env[name];
  else process.env[name] = value;
}

const serverQuestion = 'server';

/** A lock is held until its socket ends, also by the death of the process that has it. */
function createLocks() {
  const last = new Map<string, Promise<unknown>>();
  return {
    lock(name: string, socket: Socket): void {
      const before = last.get(name) ?? Promise.resolve();
      const ended = once(socket, 'close');
      last.set(
        name,
        before.then(() => ended),
      );
      void before.then(() => socket.write('ok\n'));
    },
  };
}

/** Of the test run that has this process, for what its files share; undefined outside of one. */
export function runFolder(): string | undefined {
  return process.env[folderVariable];
}

/** The connection string of the run's PostgreSQL. Throws if the server could not be started. */
export async function askForServer(): Promise<string> {
  const { answer, socket } = await ask(serverQuestion);
  socket.end();
  if (!answer.startsWith('ok '))
    throw new Error(`The PostgreSQL of the test run could not be started: ${answer.slice(3)}`);
  return answer.slice(3);
}

/** Waits until no other process of the run has the lock; returns the function that gives it up. */
export async function lockInRun(name: string): Promise<() => void> {
  const { socket } = await ask(`lock ${name}`);
  return () => socket.destroy();
}

async function ask(question: string): Promise<{ answer: string; socket: Socket }> {
  const socket = connect(process.env[addressVariable]!);
  socket.write(`${question}\n`);
  const lines = createInterface({ input: socket });
  const [answer] = await Promise.race([once(lines, 'line'), once(lines, 'close').then(() => ['no answer'])]);
  return { answer: answer as string, socket };
}
