// One contract is one check, also for requests with different keys: equal requests wait for the same answer. Only if
// the explorer refused the other request's key, its own key is tried.
import { createInFlight } from '../kit/share-in-flight.ts';
import { VerificationError, type VerificationErrorCode } from './terms/verification-error.ts';

export type SharedAcrossKeys<T> = {
  share(name: string, apiKey: string | undefined, work: () => Promise<T>): Promise<T>;
  settled(): Promise<void>;
};

/** How many refused keys of other requests are waited for. */
const maxTries = 3;

export function createSharedAcrossKeys<T>(): SharedAcrossKeys<T> {
  const inFlight = createInFlight<Ended<T>>();
  return {
    async share(name, apiKey, work) {
      for (let tries = 1; ; tries += 1) {
        const ended = await inFlight.share(name, () =>
          work().then(
            (value) => ({ value, apiKey }),
            (error: unknown) => ({ error, apiKey }),
          ),
        );
        if ('value' in ended) return ended.value;
        if (ended.apiKey === apiKey || tries === maxTries || !isAboutTheKey(ended.error)) throw ended.error;
      }
    },
    settled: inFlight.settled,
  };
}

type Ended<T> = { apiKey: string | undefined } & ({ value: T } | { error: unknown });

const codesAboutKeys: readonly VerificationErrorCode[] = ['etherscan_limit', 'etherscan_request_failed'];

function isAboutTheKey(error: unknown): boolean {
  return error instanceof VerificationError && codesAboutKeys.includes(error.code);
}
