// A worker's reader, led by the process that started the worker.
import type { ChoosingProcess } from '../../../packages/store/replicas/replicated-database.ts';
import type { FromReader, ToReader } from './worker-messages.ts';

export type Leader = ChoosingProcess & { hear(command: ToReader): void };

/** A failed read is tried again after this time in any case. */
const lookWithinMs = 5_000;

export function followLeader(say: (said: FromReader) => void): Leader {
  /** Messages that came before there was a reader. */
  const early: ToReader[] = [];
  const asked = new Map<number, () => void>();
  let questions = 0;
  let reader: Parameters<ChoosingProcess['follow']>[0] | null = null;

  async function hear(command: ToReader): Promise<void> {
    if (reader === null) early.push(command);
    else if (command.do === 'hold') {
      say({ says: 'held', id: command.id, isDrained: await reader.hold(command.withinMs) });
    } else if (command.do === 'tell') reader.tell(command.ends, command.epoch);
    else if (command.do === 'looked') asked.get(command.id)?.();
    else reader[command.do](command.place);
  }

  return {
    hear: (command) => void hear(command),
    follow(its) {
      reader = its;
      for (const command of early.splice(0)) void hear(command);
    },
    async onFailure(place) {
      const id = questions++;
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, lookWithinMs);
      asked.set(id, resolve);
      say({ says: 'failed', id, place });
      await promise;
      clearTimeout(timer);
      asked.delete(id);
    },
  };
}
