// Makes a fresh clone ready: installs the dependencies when they are missing or older than package-lock.json, and a
// current Node when the machine's own is too old to run TypeScript. Plain JavaScript: it must run on Node 20 as it is.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isNodeRecent, runtimeFolder, runtimeNode, runtimeVersion } from './runtime.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

installDependencies();
installRuntime();

function installDependencies() {
  const lock = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  const mark = join(root, 'node_modules', '.installed-from');
  if (existsSync(mark) && readFileSync(mark, 'utf8') === lock) return;
  console.log('Installing dependencies (npm ci) …');
  npm(['ci', '--no-audit', '--no-fund'], root);
  writeFileSync(mark, lock);
}

function installRuntime() {
  if (isNodeRecent() || existsSync(runtimeNode())) return;
  console.log(
    `Node ${process.version} is too old to run TypeScript as it is; installing Node ${runtimeVersion} beside it …`,
  );
  mkdirSync(runtimeFolder, { recursive: true });
  writeFileSync(join(runtimeFolder, 'package.json'), '{ "private": true }\n');
  // `node` is the field's package for this; its install script only fetches this platform package, so ask for that one
  // directly: it then also works where install scripts are switched off.
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  npm(['install', '--no-audit', '--no-fund', `node-${platform}-${process.arch}@${runtimeVersion}`], runtimeFolder);
}

function npm(args, cwd) {
  const cli = process.env.npm_execpath;
  const [command, first] = cli?.endsWith('.js') ? [process.execPath, [cli]] : ['npm', []];
  // The outer npm's settings come in as npm_config_*; of them only the user's own files should count here.
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^npm_(lifecycle|package)_/i.test(name)),
  );
  try {
    execFileSync(command, [...first, ...args], {
      cwd,
      env,
      stdio: ['ignore', 'inherit', 'inherit'],
      shell: process.platform === 'win32',
    });
  } catch {
    console.error(
      `\nnpm ${args[0]} did not succeed in ${cwd}. Look at its message above; when the network is back, run the same command again.`,
    );
    process.exit(1);
  }
}
