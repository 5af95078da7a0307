// The private folder of the server's Unix socket: in the data folder, or in the temporary folder where that path is too
// long for a socket.
import { chmodSync, mkdirSync, mkdtempSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PostgresUser } from './postgres-user.ts';
import { takeOverFiles } from './take-over-files.ts';

/** Names the socket file; the server listens on no network. */
export const socketPort = 5432;

export function makeSocketFolder(folder: string, user: PostgresUser): string {
  const usual = join(folder, 'socket');
  const short = Buffer.byteLength(socketFile(usual)) <= maxSocketPathBytes;
  const made = short ? usual : mkdtempSync(join(tmpdir(), 'ledger-mirror-'));
  mkdirSync(made, { recursive: true });
  chmodSync(made, 0o700);
  // Also what a killed server of another user left there.
  takeOverFiles(made, user);
  return made;
}

/** Whether a server answers there, even if its process is not visible from here (another container). */
export function isListening(socketFolder: string): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(socketFile(socketFolder));
    socket.once('connect', () => done(true)).once('error', () => done(false));
    socket.once('connect', () => socket.destroy());
  });
}

/** Bytes in `sockaddr_un.sun_path` without the final zero: 107 on Linux, 103 on macOS. */
const maxSocketPathBytes = 103;

function socketFile(folder: string): string {
  return join(folder, `.s.PGSQL.${socketPort}`);
}
