// A worker's reader, led by the process that started the worker.
import type { ChoosingProcess } from '../../store/replicas/replicated-database.ts';
import type { FromReader, ToReader } from './worker-messages.ts';

export type Leader = ChoosingProcess & { hear(told: ToReader): void };

/** A failed read is tried again after this time in any case. */
const lookWithinMs = 5_000;

export function followLeader(say: (said: FromReader) => void): Leader {
  /** Messages that came before there was a reader. */
  const early: ToReader[] = [];
  const asked = new Map<number, () => void>();
  let questions = 0;
  let reader: Parameters<ChoosingProcess['follow']>[0] | null = null;

  async function hear(told: ToReader): Promise<void> {
    if (reader === null) early.push(told);
    else if (told.do === 'hold') {
      say({ says: 'held', id: told.id, isDrained: await reader.hold(told.withinMs) });
    } else if (told.do === 'tell') reader.tell(told.ends, told.epoch);
    else if (told.do === 'looked') asked.get(told.id)?.();
    else reader[told.do](told.place);
  }

  return {
    hear: (told) => void hear(told),
    follow(its) {
      reader = its;
      for (const told of early.splice(0)) void hear(told);
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
