// Passes the bytes between a coordinator and a worker on, until the worker is set as away: connections then end, and
// new ones are refused. It can lose a command, or its answer: what is neither encrypted nor split over two packets.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export type LossyProxy = {
  port: number;
  /** The worker is away from now on. */
  cut(): void;
  /**
   * The worker is away from the moment on in which the coordinator next sends such a text: before the worker has it, or
   * after the worker has it and before the coordinator hears the answer.
   */
  cutAt(text: string, when: 'before' | 'after'): void;
  /** It is back, and no text is waited for. */
  mend(): void;
  isCut(): boolean;
  close(): Promise<void>;
};

export async function openLossyProxy(worker: { host: string; port: number }): Promise<LossyProxy> {
  const open = new Set<Socket>();
  let isAway = false;
  let awaited: { text: string; when: 'before' | 'after' } | null = null;

  const cut = (): void => {
    isAway = true;
    awaited = null;
    for (const socket of open) socket.destroy();
  };

  const server = createServer((coordinator) => {
    if (isAway) return void coordinator.destroy();
    const behind = connect(worker);
    for (const socket of [coordinator, behind]) {
      open.add(socket);
      // The other end sees that it is closed.
      socket.on('error', () => {});
      socket.on('close', () => {
        open.delete(socket);
        coordinator.destroy();
        behind.destroy();
      });
    }
    let isDoomed = false;
    coordinator.on('data', (bytes) => {
      if (awaited !== null && bytes.includes(awaited.text)) {
        if (awaited.when === 'before') return cut();
        isDoomed = true;
      }
      behind.write(bytes);
    });
    behind.on('data', (bytes) => {
      if (isDoomed) return cut();
      coordinator.write(bytes);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    port: (server.address() as AddressInfo).port,
    cut,
    cutAt(text, when) {
      awaited = { text, when };
    },
    mend() {
      isAway = false;
      awaited = null;
    },
    isCut: () => isAway,
    async close() {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}
