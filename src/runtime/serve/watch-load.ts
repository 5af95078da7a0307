// How much the answering thread has to do, and what gives way to it at which load.

import { watchLoop } from '../../../packages/kit/loop-lag.ts';
import { watchThread } from '../../../packages/kit/thread-load.ts';
import type { ThreadState } from '../../../packages/web-server/admission.ts';

/** Share of a processor that the thread uses; one status page and a request now and then stay below 0.1. */
const checksGiveWayAt = 0.25;
/** The same, of pages, and of answers that are made in slices. */
const longWorkGivesWayAt = 0.5;
/** With more of it each request waits for others: those of clients that ask much wait for their own. */
const busyShare = 0.8;
/**
 * So far behind is a thread that takes one request of each client at a time: one took it for longer than most answers
 * take.
 */
const behindMs = 15;
/**
 * So late is a thread that gives its clients no more; one that other programs keep from running has not too much to do.
 */
const lateMs = 200;
const lateShare = 0.9;

export type LoadWatch = {
  /** Whether contract checks wait for a quieter moment. */
  isBusyForChecks(): boolean;
  thread: ThreadState;
  close(): void;
};

export function watchLoad(): LoadWatch {
  const load = watchThread();
  const lag = watchLoop();
  return {
    isBusyForChecks: () => load.share() > checksGiveWayAt,
    thread: {
      isHalfUsed: () => load.share() > longWorkGivesWayAt,
      isBusy: () => load.share() > busyShare,
      isBehind: () => lag.ms() > behindMs,
      isLate: () => lag.ms() > lateMs && load.share() > lateShare,
    },
    close() {
      load.close();
      lag.close();
    },
  };
}
