// A server in a separate process, from the moment it reports its address until it is stopped.
import { spawn } from 'node:child_process';
import { once } from 'node:events';

export type Child = { url: string; pid: number; stop(): Promise<void> };

/** @param says output with its address, the address as first group */
export async function startChild(
  args: string[],
  says = /Answering on (\S+)/,
  environment = {},
  cwd = process.cwd(),
): Promise<Child> {
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...environment },
    cwd,
  });
  // However this process ends, no server of a benchmark stays.
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('close', () => process.off('exit', kill));
  const ended = once(child, 'close');
  let output = '';
  const url = await new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        const found = says.exec(output);
        if (found) resolve(found[1]!);
      });
    }
    child.once('close', (code) => reject(new Error(`${args[0]} ended with ${code}:\n${output}`)));
  });
  return {
    url,
    pid: child.pid!,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
