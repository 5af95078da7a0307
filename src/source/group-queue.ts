// Sorts the file names of all nodes into groups of one moment, earliest first. What was handed out does not come back.
import { parseStreamFileName } from '../protocol/record-stream/stream-file-name.ts';
import type { StreamFileGroup, StreamNode } from './stream-source.ts';

export type GroupQueue = {
  /** Names of record and signature files; others are passed over, known ones and those of handed-out moments too. */
  add(node: StreamNode, location: string, names: readonly string[]): void;
  first(): StreamFileGroup | null;
  removeFirst(): void;
  /** The first so many groups. */
  upcoming(count: number): StreamFileGroup[];
  some(test: (group: StreamFileGroup) => boolean): boolean;
  /** Whether no name of a stream file was ever added, handed-out moments included. */
  neverFilled(): boolean;
};

export function createGroupQueue(after: bigint | null): GroupQueue {
  let position = after;
  let head = 0;
  let ordered: StreamFileGroup[] = [];
  let unordered = false;
  let neverFilled = true;
  const byTimestamp = new Map<bigint, StreamFileGroup>();

  function order(): void {
    if (!unordered && head < 4096) return;
    ordered = ordered.slice(head);
    head = 0;
    if (unordered) ordered.sort((a, b) => (a.timestamp < b.timestamp ? -1 : 1));
    unordered = false;
  }

  return {
    add(node, location, names) {
      for (const name of names) {
        const file = parseStreamFileName(name);
        if (!file || file.kind === 'sidecar') continue;
        neverFilled = false;
        if (position !== null && file.timestamp <= position) continue;
        let group = byTimestamp.get(file.timestamp);
        if (!group) {
          group = { instant: file.instant, timestamp: file.timestamp, copies: [] };
          byTimestamp.set(file.timestamp, group);
          const last = ordered.at(-1);
          if (last && last.timestamp > file.timestamp) unordered = true;
          ordered.push(group);
        }
        let copy = group.copies.find((known) => known.location === location);
        if (!copy) {
          copy = { node, location, recordName: null, signatureName: null };
          group.copies.push(copy);
        }
        if (file.kind === 'record') copy.recordName = name;
        else copy.signatureName = name;
      }
    },
    first() {
      order();
      return ordered[head] ?? null;
    },
    removeFirst() {
      const group = ordered[head];
      if (!group) return;
      head++;
      position = group.timestamp;
      byTimestamp.delete(group.timestamp);
    },
    upcoming(count) {
      order();
      return ordered.slice(head, head + count);
    },
    neverFilled: () => neverFilled,
    some(test) {
      for (let index = head; index < ordered.length; index++) if (test(ordered[index]!)) return true;
      return false;
    },
  };
}
