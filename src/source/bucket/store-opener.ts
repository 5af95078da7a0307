// What a store is asked with is made with the first request, and anew after one without credentials was refused, so that
// a mirror that waits for credentials finds them once they are there.
import { ObjectStoreError, type StoreAccess } from './object-store.ts';

/** Gives each request what was opened. `access`: how requests are signed with what was opened last. */
export function createStoreOpener<Opened>(open: () => Promise<Opened>, access: () => StoreAccess) {
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
      if (access() === 'anonymous' && error instanceof ObjectStoreError && error.isRefusal) forget(used);
      throw error;
    });
  };
}
