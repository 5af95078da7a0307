// Tells many how the ledger grows, while there is anybody: one growth after the other, and nothing twice.
import type { Growth, LedgerFeed } from './ledger-feed.ts';

export type Teller = {
  /** Resolves when the ledger is followed; rejects when its end cannot be read. */
  join(): Promise<{ leave(): void }>;
  /** Consensus time, ns: everything up to it was sent. */
  position(): bigint;
  /** Resolves when nothing is being sent. */
  rested(): Promise<void>;
};

/**
 * @param tell sends what came after one consensus time (ns) up to another, and yields each time up to which all was
 * sent. What it fails at is sent with the next growth, from the last yielded time on.
 */
export function createTeller(feed: LedgerFeed, tell: (after: bigint, to: bigint) => AsyncIterable<bigint>): Teller {
  let members = 0;
  let following: Promise<{ since: bigint; stop(): void }> | null = null;
  let telling: Promise<void> | null = null;
  let position = -1n;

  return {
    async join() {
      // From here on: a member that leaves meanwhile does not end the following.
      members += 1;
      let isGone = false;
      const leave = (): void => {
        if (isGone) return;
        isGone = true;
        members -= 1;
        if (members === 0) rest();
      };
      try {
        await follow();
      } catch (error) {
        leave();
        throw error;
      }
      return { leave };
    },
    position: () => position,
    rested,
  };

  async function follow(): Promise<void> {
    if (!following) {
      following = feed.follow(onGrowth);
      following.then(
        ({ since }) => {
          if (since > position) position = since;
        },
        () => {
          following = null;
        },
      );
    }
    await following;
  }

  function rest(): void {
    following?.then(
      ({ stop }) => stop(),
      () => {},
    );
    following = null;
  }

  async function rested(): Promise<void> {
    while (telling) await telling.catch(() => {});
  }

  async function onGrowth({ to }: Growth): Promise<void> {
    // Of a following that has ended since.
    await rested();
    telling = tellUpTo(to).finally(() => {
      telling = null;
    });
    return telling;
  }

  async function tellUpTo(to: bigint): Promise<void> {
    if (position >= to) return;
    for await (const sentUpTo of tell(position, to)) position = sentUpTo;
    position = to;
  }
}
