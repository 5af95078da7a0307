// Clients that hold connections without use, as many as are asked for, until they are closed.
import { createConnection, type Socket } from 'node:net';

export type BadClients = { open(): number; close(): void };

type Habit = (socket: Socket) => void;

/** Opened a hundred at a time, so that the listener's queue is not what is tried. */
export async function openBadClients(url: string, count: number, habit: Habit): Promise<BadClients> {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  const open = (): Promise<void> =>
    new Promise((resolve) => {
      const socket = createConnection({ host: hostname, port: Number(port) });
      socket.on('connect', () => {
        sockets.add(socket);
        habit(socket);
        resolve();
      });
      socket.on('error', () => resolve());
      socket.on('close', () => sockets.delete(socket));
    });
  for (let opened = 0; opened < count; opened += 100) {
    await Promise.all(Array.from({ length: Math.min(100, count - opened) }, open));
  }
  return {
    open: () => sockets.size,
    close() {
      for (const socket of sockets) socket.destroy();
    },
  };
}

export const stayIdle: Habit = (socket) => void socket.resume();

/** A byte of the head a second. */
export const sendSlowly: Habit = (socket) => {
  socket.resume();
  const head = `GET /api/v1/blocks HTTP/1.1\r\nhost: x\r\nx-long: ${'a'.repeat(1000)}`;
  let at = 0;
  const timer = setInterval(() => socket.write(head[at++ % head.length]!), 1000);
  socket.on('close', () => clearInterval(timer));
};

/** Asks for much, again and again, and takes nothing of it. */
export const neverRead: Habit = (socket) => {
  socket.pause();
  socket.write('GET /api/v1/transactions?limit=100 HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(50));
};
