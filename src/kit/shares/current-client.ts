// For whom the running code works: set once for each request, and asked where its share is counted, far below.
import { AsyncLocalStorage } from 'node:async_hooks';
import { ownWork } from './client-line.ts';

const storage = new AsyncLocalStorage<string>();

/** Everything that `work` begins is done for this client. */
export function runAs<T>(client: string, work: () => T): T {
  return storage.run(client, work);
}

/** `ownWork` outside of requests. */
export function currentClient(): string {
  return storage.getStore() ?? ownWork;
}
