// What a user may not read or write is told in one line, with what to do about it.
import { accessSync, constants } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { say } from './say.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const deeds = { EACCES: 'may not use', EPERM: 'may not change', EROFS: 'cannot write to' };

/** Gives what `work` gives. Ends this process where it meets a file or folder that this user may not use. */
export function withAccess(work) {
  try {
    return work();
  } catch (error) {
    if (!Object.hasOwn(deeds, error.code)) throw error;
    say(
      `The user ${userName()} ${deeds[error.code]} ${error.path ?? error.message} (${error.code}). Run "node scripts/prepare.mjs" once in ${root} as a user who may write there: what it installs works for every user.`,
      50,
    );
    process.exit(1);
  }
}

/** Whether there is such a file; throws where this user may not use it. `mode`: `R_OK` or `X_OK`. */
export function isUsable(path, mode) {
  try {
    accessSync(path, constants[mode]);
    return true;
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return false;
    throw error;
  }
}

/** Throws where this user may not make files in the folder. */
export function assertWritable(folder) {
  accessSync(folder, constants.W_OK | constants.X_OK);
}

function userName() {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid()); // It has no name on this system, as in a container.
  }
}
