// Long bodies that are kept as bytes cost no making, so admission does not see them, and still take the thread for as
// long as the system copies them: 64 clients of a document of a megabyte held everyone up for a tenth of a second. One
// is written at a time, clients in turn, with a rest after each while the thread is busy.
import { setImmediate as afterOthers } from 'node:timers/promises';
import { runAs } from '../kit/shares/current-client.ts';
import { createTurns } from '../kit/turns.ts';
import type { ThreadState } from './admission.ts';
import type { ClientOf } from './client-of.ts';
import type { LongWrites } from './write-answer.ts';

type Options = { clientOf: ClientOf; thread: ThreadState | undefined };

const maxWaiting = 200;

export function createLongWrites({ clientOf, thread }: Options): LongWrites {
  const turns = createTurns({ door: 'longBodies', maxWaiting, isBusy: () => thread?.isBusy() ?? false });
  return ({ raw }, write) =>
    runAs(clientOf(raw), () =>
      turns.take(async () => {
        write();
        await afterOthers();
      }),
    );
}
