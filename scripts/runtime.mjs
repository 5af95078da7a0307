// Which Node runs the TypeScript sources: the machine's own from 24 on, else the one that prepare.mjs put beside them.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const runtimeVersion = '24.21.0';
export const runtimeFolder = join(dirname(dirname(fileURLToPath(import.meta.url))), '.runtime');

export function isNodeRecent() {
  return Number(process.versions.node.split('.')[0]) >= 24;
}

/** Path of the Node that prepare.mjs installs when the machine's own is too old. */
export function runtimeNode() {
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  const executable = process.platform === 'win32' ? 'node.exe' : 'node';
  return join(runtimeFolder, 'node_modules', `node-${platform}-${process.arch}`, 'bin', executable);
}
