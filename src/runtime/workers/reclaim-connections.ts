// Connections that were handed to a worker which died before it had accepted them. `node:cluster` keeps its own copy of each
// until the worker says that it has it, and of a worker that is killed hard nothing comes: the copy stays open, and with it a
// client that waits for ever (14 of 22 kills under load, and as many sockets in CLOSE-WAIT). Here it is told what the worker can
// no longer say, that it did not accept; then it hands the connection to another worker. With none left they are closed.
import type { Worker } from 'node:cluster';

type Handle = { close(): void };
/** Of `node:cluster`, not public: the test `test/system/killed-workers.test.ts` shows that it is still so. */
type ClusterMessage = { cmd?: string; act?: string; seq?: number; ack?: number } | null | undefined;

export type ReclaimOptions = {
  /** Whether another worker takes connections now. */
  hasOther(): boolean;
  onReclaimed(count: number): void;
};

/** To be called before the worker listens. */
export function reclaimConnections(worker: Worker, { hasOther, onReclaimed }: ReclaimOptions): void {
  const child = worker.process;
  const unanswered = new Map<number, Handle>();
  const send = child.send.bind(child) as (...args: unknown[]) => boolean;
  child.send = (message: unknown, ...rest: unknown[]): boolean => {
    const { cmd, act, seq } = (message as ClusterMessage) ?? {};
    if (cmd === 'NODE_CLUSTER' && act === 'newconn' && rest[0]) unanswered.set(seq!, rest[0] as Handle);
    return send(message, ...rest);
  };
  child.on('internalMessage', (message: unknown) => {
    const { ack } = (message as ClusterMessage) ?? {};
    if (ack !== undefined) unanswered.delete(ack);
  });
  // Not at its exit: what it said last may still be on its way. node:cluster has forgotten the worker when this is called.
  child.once('disconnect', () => {
    if (unanswered.size > 0) onReclaimed(unanswered.size);
    for (const [seq, handle] of unanswered) {
      if (hasOther()) child.emit('internalMessage', { cmd: 'NODE_CLUSTER', ack: seq, accepted: false });
      else handle.close();
    }
    unanswered.clear();
  });
}
