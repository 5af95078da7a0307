// For whom the running code works: set once for each request, and asked where its share is counted, far below.
import { AsyncLocalStorage } from 'node:async_hooks';
import { ownWork } from './client-line.ts';

type Running = { client: string; aside: (<T>(work: () => Promise<T>) => Promise<T>) | null };

const storage = new AsyncLocalStorage<Running>();

/** Everything that `work` begins is done for this client. `aside`: see the function of that name. */
export function runAs<T>(client: string, work: () => T, aside: Running['aside'] = null): T {
  return storage.run({ client, aside }, work);
}

/** `ownWork` outside of requests. */
export function currentClient(): string {
  return storage.getStore()?.client ?? ownWork;
}

/** Whether the request has a place among those for which answers are made. */
export function hasPlace(): boolean {
  return storage.getStore()?.aside != null;
}

/**
 * For work that waits in a line of its own: while it goes on, its request takes no place among those that are worked
 * on.
 */
export function aside<T>(work: () => Promise<T>): Promise<T> {
  const leave = storage.getStore()?.aside;
  return leave ? leave(work) : work();
}
