// Puts a current Node beside the program where the machine's own is too old to run TypeScript.
import { mkdirSync, writeFileSync } from 'node:fs';
import { runNpm } from './run-npm.mjs';
import { isNodeRecent, runtimeFolder, runtimeNode, runtimeVersion } from './runtime.mjs';
import { say } from './say.mjs';
import { isUsable, withAccess } from './tell-access.mjs';

/** Does nothing where there is one. */
export function installRuntime() {
  if (isNodeRecent() || withAccess(() => isUsable(runtimeNode(), 'X_OK'))) return;
  say(`Node ${process.version} is too old to run TypeScript as it is; installing Node ${runtimeVersion} in .runtime …`);
  withAccess(() => {
    mkdirSync(runtimeFolder, { recursive: true });
    writeFileSync(`${runtimeFolder}/package.json`, '{ "private": true }\n');
  });
  // `node` is the field's package for this; its install script only fetches this platform package, so ask for that one
  // directly: it then also works where install scripts are switched off.
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  runNpm(
    ['install', '--no-audit', '--no-fund', '--loglevel=error', `node-${platform}-${process.arch}@${runtimeVersion}`],
    runtimeFolder,
  );
}
