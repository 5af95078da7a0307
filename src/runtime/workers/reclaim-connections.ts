// Connections that were handed to a worker which died before accepting them. `node:cluster` keeps its own copy of each
// until the worker confirms it, which a killed worker never does: the copy stays open, and its client waits forever (in
// 14 of 22 kills under load, with as many sockets in CLOSE-WAIT). Here the refusal is sent in place of the dead worker;
// `node:cluster` then hands the connection to another worker. If none is left, the connections are closed.
import type { Worker } from 'node:cluster';
import { setImmediate as nextTurn } from 'node:timers/promises';

type Handle = { close(): void };
/** Internal to `node:cluster`: the test `test/system/killed-workers.long.test.ts` shows that it still holds. */
type ClusterMessage = { cmd?: string; act?: string; seq?: number; ack?: number } | null | undefined;

export type ReclaimOptions = {
  /** Whether another worker accepts connections now. */
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
  let isDisconnected = false;
  // Listeners of node:cluster ran first: it has forgotten the worker.
  child.once('disconnect', () => {
    isDisconnected = true;
    if (unanswered.size > 0) onReclaimed(unanswered.size);
    for (const [seq, handle] of unanswered) {
      if (hasOther()) child.emit('internalMessage', { cmd: 'NODE_CLUSTER', ack: seq, accepted: false });
      else handle.close();
    }
    unanswered.clear();
  });
  child.once('exit', () => void disconnect());

  /** Node never emits this for a process that did not confirm a connection it was sent. */
  async function disconnect(): Promise<void> {
    // Its last messages are still read.
    while (child.connected) await nextTurn();
    await nextTurn();
    if (!isDisconnected) child.emit('disconnect');
  }
}
