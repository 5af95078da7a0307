import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRehearsal } from '../test-support/status/status-rehearsal.ts';
import { openIncident } from './operator-changes.ts';
import { openStatusJournal } from './status-journal.ts';
import { emptyState, type StatusState } from './status-state.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'status-journal-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** States as they follow each other over some minutes with an outage. */
function listStates(): StatusState[] {
  const rehearsal = createRehearsal();
  const states = [emptyState(), rehearsal.state];
  for (const down of [0, 1, 1, 1, 0, 0]) {
    rehearsal.pass(60, { 'database.down': down });
    states.push(rehearsal.state);
  }
  rehearsal.say((state, now) =>
    openIncident(state, { name: 'Fire – «ä»\n', body: 'x'.repeat(500) }, { by: 'kim', now }),
  );
  states.push(rehearsal.state);
  return states;
}

function write(states: readonly StatusState[], maxBytes?: number): void {
  const journal = openStatusJournal(folder, maxBytes);
  for (let index = 1; index < states.length; index += 1)
    journal.append(states[index - 1]!, states[index]!, index % 2 === 0);
  journal.close();
}

function read(): StatusState {
  const journal = openStatusJournal(folder);
  journal.close();
  return journal.state;
}

describe('the journal', () => {
  it('begins empty', () => expect(read()).toEqual(emptyState()));

  it('gives back what was written', () => {
    const states = listStates();
    write(states);
    expect(read()).toEqual(states.at(-1));
    expect(Object.keys(read().incidents)).toHaveLength(2);
  });

  it('goes on where it ended, and keeps what was taken out away', () => {
    const states = listStates();
    write(states.slice(0, 4));
    const journal = openStatusJournal(folder);
    let before = journal.state;
    for (const state of [...states.slice(4), { ...states.at(-1)!, incidents: {} }]) {
      journal.append(before, state, false);
      before = state;
    }
    journal.close();
    expect(read()).toEqual({ ...states.at(-1), incidents: {} });
  });

  it('becomes a snapshot when it has grown, and loses nothing', () => {
    const states = listStates();
    write(states, 3000);
    expect(readdirSync(folder)).toContain('snapshot.json');
    expect(readdirSync(folder).filter((name) => name.startsWith('journal-'))).toHaveLength(1);
    expect(read()).toEqual(states.at(-1));
  });

  it('survives a kill at any byte of its last line with everything before it', () => {
    const states = listStates();
    write(states.slice(0, -1));
    const path = join(folder, 'journal-0.jsonl');
    const whole = statSync(path).size;
    write([states.at(-2)!, states.at(-1)!]);
    const end = statSync(path).size;
    for (let size = end - 1; size >= whole; size -= 37) {
      truncateSync(path, size);
      expect(read()).toEqual(states.at(-2));
    }
    // What was cut off does not spoil what is written next.
    write([states.at(-2)!, states.at(-1)!]);
    expect(read()).toEqual(states.at(-1));
  });

  it('survives a kill between its snapshot and the end of its clearing up', () => {
    const states = listStates();
    write(states.slice(0, -1));
    const old = readFileSync(join(folder, 'journal-0.jsonl'));
    write([states.at(-2)!, states.at(-1)!], 1);
    writeFileSync(join(folder, 'journal-0.jsonl'), old);
    writeFileSync(join(folder, 'snapshot.json.tmp'), 'half a snap');
    expect(read()).toEqual(states.at(-1));
    expect(readdirSync(folder)).not.toContain('journal-0.jsonl');
  });

  it('says which line is damaged', () => {
    write(listStates());
    appendFileSync(join(folder, 'journal-0.jsonl'), 'not JSON\n');
    expect(() => read()).toThrow(/journal-0\.jsonl, line 9, is damaged .* Take the line out/);
    writeFileSync(join(folder, 'snapshot.json'), '{');
    expect(() => read()).toThrow(/snapshot\.json is damaged .* Put it back from a copy/);
  });
});
