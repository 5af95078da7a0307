// Pages and documents as routes: rendered for all readers, cached until they change.
import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import type { BlockWatch } from '../../../packages/store/notify/block-watch.ts';
import { makeReady, type ReadyAnswer } from '../../../packages/web-server/ready-answer.ts';
import type { Responder } from '../../../packages/web-server/responder.ts';
import type { Answer } from '../../../packages/web-server/route.ts';
import { countRenderings, createRendering } from './rendering.ts';

/**
 * `program`: constant. `block`: depends on the newest block. `now`: also on the time. `asked`: differs for each reader.
 */
type PageLife = 'program' | 'block' | 'now' | 'asked';

type SharedPagesOptions = { responder: Responder; blocks: BlockWatch; registry?: Registry };

export type SharedPages = {
  /** Adds `GET url`. */
  add(url: string, life: PageLife, make: () => Promise<Answer>): void;
  /** One for all readers; `name`: of its metric. */
  share(name: string, life: PageLife, make: () => Promise<Answer>): () => Promise<ReadyAnswer>;
};

/** Without notifications of blocks, and for pages that show the time. */
const maxAgeMs = 1000;

export function createSharedPages(
  app: FastifyInstance,
  { responder, registry, blocks }: SharedPagesOptions,
): SharedPages {
  const count = registry ? countRenderings(registry) : () => undefined;
  const share: SharedPages['share'] = (name, life, make) => {
    let turn = blocks.turn;
    let last: { answer: Answer; ready: ReadyAnswer } | null = null;
    const onMade = count(name);
    const mayKeep = (ageMs: number): boolean => {
      if (life === 'program') return true;
      if (life === 'asked') return false;
      const isSameBlock = turn === blocks.turn;
      if (life === 'now') return isSameBlock && ageMs < maxAgeMs;
      return ageMs < maxAgeMs || (isSameBlock && blocks.newestEnd !== null);
    };
    const rendering = createRendering<ReadyAnswer>({
      mayKeep,
      onMade,
      async make() {
        turn = blocks.turn;
        const answer = await make();
        // What has not changed is compressed already.
        if (last?.answer !== answer) last = { answer, ready: makeReady(answer) };
        return last.ready;
      },
    });
    return rendering.ask;
  };
  return {
    share,
    add(url, life, make) {
      const ask = share(url, life, make);
      app.get(url, (request, reply) => {
        void responder.respondReady(request, reply, ask);
      });
    },
  };
}
