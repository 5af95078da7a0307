// The attacker's process, from the parent's side: what it is told, and what it says at its end.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { FromAttacker, ToAttacker } from './attacker.ts';

export function startAttacker() {
  const child = fork(fileURLToPath(new URL('./attacker.ts', import.meta.url)));
  const tell = (message: ToAttacker): void => void child.send(message);
  return {
    begin: tell,
    async end(): Promise<FromAttacker> {
      const said = once(child, 'message');
      tell({ kind: 'stop' });
      return (await said)[0];
    },
    async stop(): Promise<void> {
      const ended = once(child, 'exit');
      child.kill();
      await ended;
    },
  };
}
