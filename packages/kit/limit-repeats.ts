// Decides which of many equal messages are logged: the first ones of a period, then none until its end, with the number
// left out.

export type RepeatLimit<T> = {
  /** Whether to log this message now, and how many of its kind were left out before it; null = leave it out. */
  admit(kind: string, message: T, max: number): { unsaid: number } | null;
  /** Newest omitted message of each kind whose period is over. Each is returned once. */
  overdue(): { message: T; unsaid: number }[];
};

export type RepeatLimitOptions = { periodMs: number; now(): number };

type Kind<T> = { since: number; said: number; unsaid: number; latest: T | null };

/** So that kinds that never come again cannot fill the memory. */
const maxKinds = 1000;

export function createRepeatLimit<T>({ periodMs, now }: RepeatLimitOptions): RepeatLimit<T> {
  const kinds = new Map<string, Kind<T>>();
  const isOver = ({ since }: Kind<T>): boolean => now() - since >= periodMs;

  function begin(name: string): Kind<T> {
    if (kinds.size >= maxKinds && !kinds.has(name)) kinds.delete(kinds.keys().next().value!);
    const kind: Kind<T> = { since: now(), said: 0, unsaid: 0, latest: null };
    kinds.delete(name);
    kinds.set(name, kind);
    return kind;
  }

  return {
    admit(name, message, max) {
      let kind = kinds.get(name);
      let before = 0;
      if (!kind || isOver(kind)) {
        before = kind?.unsaid ?? 0;
        kind = begin(name);
      }
      if (kind.said < max) {
        kind.said += 1;
        return { unsaid: before };
      }
      kind.unsaid += 1;
      kind.latest = message;
      return null;
    },
    overdue() {
      const messages: { message: T; unsaid: number }[] = [];
      for (const [name, kind] of [...kinds]) {
        if (!isOver(kind)) continue;
        kinds.delete(name);
        if (kind.latest === null) continue;
        messages.push({ message: kind.latest, unsaid: kind.unsaid - 1 });
        // It counts as logged in the period that begins now.
        begin(name).said = Number.POSITIVE_INFINITY;
      }
      return messages;
    },
  };
}
