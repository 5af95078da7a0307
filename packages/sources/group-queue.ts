// Sorts the file names of all nodes into groups of one moment, earliest first. A group is yielded once. A backlog may
// have millions of names, but few combinations of nodes and name suffixes: a moment stores its instant and which of
// these combinations it has (100,000 moments of four nodes take 21 MB; as groups 106 MB).
import { parseStreamFileName } from '../streams/record-stream/stream-file-name.ts';
import type { StreamFileCopy, StreamFileGroup, StreamNode } from './stream-source.ts';

export type GroupQueue = ReturnType<typeof createGroupQueue>;

type Moment = {
  instant: string;
  timestamp: bigint;
  naming: Naming;
  /** Made when it is asked for. */
  group: StreamFileGroup | null;
};

/**
 * Which files a moment has, and how their names continue after its instant; whole names if they write it differently.
 */
type Naming = {
  copies: readonly StreamFileCopy[];
  /** With one more file: by location, then by the suffix of the file's name. */
  next: Map<string, Map<string, Naming>>;
};

/** Names in random order make ever more combinations: above this many, all but those of waiting moments are dropped. */
const maxNamings = 1_000;

export function createGroupQueue(after: bigint | null) {
  let position = after;
  let head = 0;
  let ordered: Moment[] = [];
  let unordered = false;
  let neverFilled = true;
  const byTimestamp = new Map<bigint, Moment>();
  let nothing: Naming = { copies: [], next: new Map() };
  let namings = 0;

  function order(): void {
    if (!unordered && head < 4096) return;
    ordered = ordered.slice(head);
    head = 0;
    if (unordered) ordered.sort((a, b) => (a.timestamp < b.timestamp ? -1 : 1));
    unordered = false;
  }

  function withFile(naming: Naming, file: FileOfCopy): Naming {
    const { location, name } = file;
    let ofLocation = naming.next.get(location);
    if (!ofLocation) {
      ofLocation = new Map();
      naming.next.set(location, ofLocation);
    }
    const known = ofLocation.get(name);
    if (known) return known;
    const copies = naming.copies.map((copy) => ({ ...copy }));
    addFile(copies, file);
    const made: Naming = { copies, next: new Map() };
    ofLocation.set(name, made);
    namings++;
    if (namings > maxNamings) {
      nothing = { copies: [], next: new Map() };
      namings = 0;
    }
    return made;
  }

  return {
    /** Names of record and signature files; others, known ones and those of yielded moments are skipped. */
    add(node: StreamNode, location: string, names: readonly string[]): void {
      for (const name of names) {
        const file = parseStreamFileName(name);
        if (!file || file.kind === 'sidecar') continue;
        neverFilled = false;
        if (position !== null && file.timestamp <= position) continue;
        let moment = byTimestamp.get(file.timestamp);
        if (!moment) {
          moment = { instant: file.instant, timestamp: file.timestamp, naming: nothing, group: null };
          byTimestamp.set(file.timestamp, moment);
          const last = ordered.at(-1);
          if (last && last.timestamp > file.timestamp) unordered = true;
          ordered.push(moment);
        }
        const { instant, naming, group } = moment;
        const isRecord = file.kind === 'record';
        const added = name.startsWith(instant) ? name.slice(instant.length) : name;
        moment.naming = withFile(naming, { node, location, name: added, isRecord });
        if (group) addFile(group.copies, { node, location, name, isRecord });
      }
    },
    /** The same object each time; later names are added to it. */
    first(): StreamFileGroup | null {
      order();
      const moment = ordered[head];
      return moment ? keptGroup(moment) : null;
    },
    removeFirst(): void {
      const moment = ordered[head];
      if (!moment) return;
      head++;
      // The list itself is compacted only now and then.
      moment.group = null;
      position = moment.timestamp;
      byTimestamp.delete(moment.timestamp);
    },
    /** The first groups, at most this many. */
    upcoming(count: number): StreamFileGroup[] {
      order();
      return ordered.slice(head, head + count).map(keptGroup);
    },
    /** Whether no name of a stream file was ever added, yielded ones included. */
    neverFilled: () => neverFilled,
    some(test: (group: StreamFileGroup) => boolean): boolean {
      for (let index = head; index < ordered.length; index++) {
        const moment = ordered[index]!;
        if (test(moment.group ?? toGroup(moment))) return true;
      }
      return false;
    },
  };
}

type FileOfCopy = { node: StreamNode; location: string; name: string; isRecord: boolean };

function addFile(copies: StreamFileCopy[], { node, location, name, isRecord }: FileOfCopy): void {
  let copy = copies.find((known) => known.location === location);
  if (!copy) {
    copy = { node, location, recordName: null, signatureName: null };
    copies.push(copy);
  }
  if (isRecord) copy.recordName = name;
  else copy.signatureName = name;
}

function keptGroup(moment: Moment): StreamFileGroup {
  moment.group ??= toGroup(moment);
  return moment.group;
}

function toGroup({ instant, timestamp, naming }: Moment): StreamFileGroup {
  const whole = (added: string | null): string | null => (added?.startsWith('.') ? instant + added : added);
  const copies = naming.copies.map(({ node, location, recordName, signatureName }) => ({
    node,
    location,
    recordName: whole(recordName),
    signatureName: whole(signatureName),
  }));
  return { instant, timestamp, copies };
}
