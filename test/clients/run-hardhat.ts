// Hardhat as a program, in the folder in which it is installed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** `program`: where this version of it has its command line. */
export async function runHardhat(
  folder: string,
  args: string[],
  program = 'node_modules/hardhat/dist/src/cli.js',
): Promise<{ code: number | null; output: string }> {
  const hardhat = spawn(process.execPath, [program, ...args], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, CI: 'true', HARDHAT_DISABLE_TELEMETRY_PROMPT: 'true' },
  });
  let output = '';
  for (const stream of [hardhat.stdout, hardhat.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const [code] = (await once(hardhat, 'close')) as [number | null];
  return { code, output };
}
