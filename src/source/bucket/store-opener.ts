// What a store is asked with is made with the first request, and anew after one was refused for who asks, so that a mirror
// that waits for credentials, or for new ones, finds them once they are there.
import { isCredentialsProblem } from './bucket-error.ts';
import { ObjectStoreError } from './object-store.ts';

/** Gives each request what was opened. */
export function createStoreOpener<Opened>(open: () => Promise<Opened>) {
  let opening: Promise<Opened> | null = null;
  const forget = (used: typeof opening): void => {
    if (opening === used) opening = null;
  };
  return async <Answer>(ask: (opened: Opened) => Promise<Answer>): Promise<Answer> => {
    opening ??= open();
    const used = opening;
    const opened = await used.catch((error: unknown) => {
      forget(used);
      throw error;
    });
    return ask(opened).catch((error: unknown) => {
      if (isCredentialsProblem(error) || (error instanceof ObjectStoreError && error.isRefusal)) forget(used);
      throw error;
    });
  };
}
