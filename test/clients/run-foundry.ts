// Programs of Foundry, in the folder in which its packages are installed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compilerNumber } from './contract-project.ts';

export async function runFoundry(
  program: 'forge' | 'cast',
  folder: string,
  args: string[],
  env: Record<string, string> = {},
): Promise<{ code: number | null; output: string }> {
  const child = spawn(join(programFolder(program, folder), program), args, {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NO_COLOR: '1', FOUNDRY_OFFLINE: 'true', HOME: join(folder, 'home'), ...env },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
}

export function programFolder(program: 'forge' | 'cast', folder: string): string {
  return join(folder, `node_modules/@foundry-rs/${program}-${platform()}/bin`);
}

/**
 * Foundry starts a compiler as a program, and looks for it where it installs compilers: this one runs the package's. Its
 * path.
 */
export function writeCompiler(folder: string): string {
  const script = join(folder, 'solc.cjs');
  writeFileSync(
    script,
    `const solc = require('solc');
if (process.argv.includes('--version')) console.log('solc, the solidity compiler\\nVersion: ' + solc.version());
else process.stdout.write(solc.compile(require('node:fs').readFileSync(0, 'utf8')));
`,
  );
  const place = join(folder, 'home/.svm', compilerNumber);
  mkdirSync(place, { recursive: true });
  const solc = join(place, `solc-${compilerNumber}`);
  writeProgram(solc, `exec '${process.execPath}' '${script}' "$@"`);
  return solc;
}

export function writeProgram(path: string, script: string): void {
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
}

/** As the packages name their programs. */
function platform(): string {
  return `${process.platform}-${process.arch === 'x64' ? 'amd64' : process.arch}`;
}
