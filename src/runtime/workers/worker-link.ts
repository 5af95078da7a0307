// A worker's link to the process that started it.
import cluster from 'node:cluster';
import type { Registry } from 'prom-client';
import type { ClientOutcomes } from '../../../packages/kit/shares/client-outcomes.ts';
import { followLeader } from './follow-leader.ts';
import type { FromWorker, StatusContact, ToWorker } from './worker-messages.ts';
import { snapshotOf } from './worker-metrics.ts';

export type WorkerLink = Awaited<ReturnType<typeof openWorkerLink>>;

/** How often counters are sent unasked, so that little is lost when a worker is killed. */
const tellEveryMs = 2_000;
const answerWithinMs = 5_000;

/** @param onStop the worker is to end */
export async function openWorkerLink(onStop: () => void) {
  const { promise: begun, resolve: begin } = Promise.withResolvers<Extract<ToWorker, { kind: 'begin' }>>();
  const asked = new Map<number, (text: string) => void>();
  let contact: StatusContact | null = null;
  let tellMetrics: (id: number | null) => Promise<void> = async () => {};
  let questions = 0;
  const leader = followLeader((said) => tell({ kind: 'read', said }));

  process.on('message', (message: ToWorker) => {
    if (message.kind === 'begin') begin(message);
    else if (message.kind === 'status') contact = message.contact;
    else if (message.kind === 'allMetrics') asked.get(message.id)?.(message.text);
    else if (message.kind === 'tellMetrics') void tellMetrics(message.id);
    else if (message.kind === 'read') leader.hear(message.command);
    else if (message.kind === 'stop') onStop();
  });
  tell({ kind: 'ready' });
  const { start, port } = await begun;
  return {
    start,
    port,
    statusContact: () => contact,
    /** Chooses among replicas. */
    leader,
    /** The metrics of all workers. */
    async allMetrics(): Promise<string> {
      const id = questions++;
      const { promise, resolve, reject } = Promise.withResolvers<string>();
      asked.set(id, resolve);
      const timer = setTimeout(
        () => reject(new Error('The process that started this worker is silent')),
        answerWithinMs,
      );
      tell({ kind: 'askAllMetrics', id });
      try {
        return await promise;
      } finally {
        clearTimeout(timer);
        asked.delete(id);
      }
    },
    /** Sends this worker's metrics from now on, and how requests ended. */
    share(registry: Registry, connections: () => { max: number; busy: number }, outcomes: ClientOutcomes): void {
      tellMetrics = async (id) => {
        const metrics = await snapshotOf(registry);
        tell({ kind: 'metrics', id, metrics, connections: connections(), outcomes: outcomes.take() });
      };
      setInterval(() => void tellMetrics(null), tellEveryMs).unref();
    },
    answering: (place: { host: string; port: number; url: string }) => tell({ kind: 'answering', ...place }),
  };
}

/** The worker ends by itself when nothing listens any more (`node:cluster`). */
function tell(message: FromWorker): void {
  if (process.connected) cluster.worker!.send(message, () => {});
}
