// The state on disk: a snapshot, and a journal of the records that changed since, one JSON line a step. A line is
// written whole or not at all, so that a kill loses no answered change. The snapshot of generation n is followed by
// exactly the journal of generation n.
import {
  closeSync,
  fdatasyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { syncFolder } from '../kit/sync-folder.ts';
import { listChanges, type StateChange } from './state-editor.ts';
import { emptyState, type StatusState } from './status-state.ts';

export type StatusJournal = {
  /** As it was read. */
  state: StatusState;
  /** Writes the changes. `durable` survives a crash of the machine as well. */
  append(before: StatusState, after: StatusState, durable: boolean): void;
  close(): void;
};

/** At this size a journal becomes a snapshot. */
const maxJournalBytes = 8 * 1024 * 1024;

/** @param onProblem called if no snapshot could be made: nothing is lost, the journal only grows */
export function openStatusJournal(
  folder: string,
  maxBytes = maxJournalBytes,
  onProblem: (error: Error) => void = () => {},
): StatusJournal {
  const snapshot = readSnapshot(join(folder, 'snapshot.json'));
  let { generation } = snapshot;
  const path = (number: number): string => join(folder, `journal-${number}.jsonl`);
  const replayed = replay(snapshot.state, path(generation));
  let file = openSync(path(generation), 'a', 0o600);
  let sizeBytes = replayed.sizeBytes;
  let compactAt = maxBytes;
  // Left over if the process was killed between writing a snapshot and removing the old files.
  rmSync(path(generation - 1), { force: true });

  function compact(state: StatusState): void {
    const beside = join(folder, 'snapshot.json.tmp');
    let next: number | null = null;
    try {
      writeFileSync(beside, JSON.stringify({ generation: generation + 1, state }), { mode: 0o600, flush: true });
      next = openSync(path(generation + 1), 'a', 0o600);
      renameSync(beside, join(folder, 'snapshot.json'));
    } catch (error) {
      if (next !== null) closeSync(next);
      for (const left of [beside, path(generation + 1)]) rmSync(left, { force: true });
      // Not again with every line.
      compactAt = sizeBytes + maxBytes / 8;
      onProblem(error as Error);
      return;
    }
    syncFolder(folder);
    closeSync(file);
    rmSync(path(generation), { force: true });
    generation += 1;
    file = next;
    sizeBytes = 0;
    compactAt = maxBytes;
  }

  return {
    state: replayed.state,
    append(before, after, durable) {
      const changes = listChanges(before, after);
      if (changes.length === 0) return;
      const line = Buffer.from(`${JSON.stringify(changes)}\n`);
      writeWhole(file, line, sizeBytes);
      sizeBytes += line.length;
      if (durable) fdatasyncSync(file);
      if (sizeBytes > compactAt) compact(after);
    },
    close() {
      fdatasyncSync(file);
      closeSync(file);
    },
  };
}

/** A partial line is removed, so that the next one begins cleanly. */
function writeWhole(file: number, bytes: Buffer, end: number): void {
  try {
    for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written);
  } catch (error) {
    ftruncateSync(file, end);
    throw error;
  }
}

function readSnapshot(path: string): { generation: number; state: StatusState } {
  const text = readIfThere(path);
  if (text === null) return { generation: 0, state: emptyState() };
  try {
    const { generation, state } = JSON.parse(text.toString()) as { generation: number; state: StatusState };
    return { generation, state: { ...emptyState(), ...state } };
  } catch (error) {
    throw new Error(
      `${path} is damaged (${(error as Error).message}). Put it back from a copy, or move the folder away to begin with an empty status page.`,
    );
  }
}

/** Bytes after the last whole line were never answered: they are cut off, so that the next line begins cleanly. */
function replay(given: StatusState, path: string): { state: StatusState; sizeBytes: number } {
  const bytes = readIfThere(path);
  if (bytes === null) return { state: given, sizeBytes: 0 };
  const end = bytes.lastIndexOf(10) + 1;
  if (end < bytes.length) truncateSync(path, end);
  const state = Object.fromEntries(
    Object.entries(given).map(([table, records]) => [table, { ...records }]),
  ) as StatusState;
  for (const [index, line] of bytes.toString('utf8', 0, end).split('\n').entries()) {
    if (line === '') continue;
    for (const [table, key, record] of readLine(line, `${path}, line ${index + 1},`)) {
      const records: Record<string, unknown> | undefined = state[table];
      if (!records) continue;
      if (record === null) delete records[key];
      else records[key] = record;
    }
  }
  return { state, sizeBytes: end };
}

function readLine(line: string, place: string): StateChange[] {
  try {
    return JSON.parse(line) as StateChange[];
  } catch (error) {
    throw new Error(
      `${place} is damaged (${(error as Error).message}). Take the line out, or put the file back from a copy; then start again.`,
    );
  }
}

function readIfThere(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
