// Who fills the sessions' memory loses its own sessions, not those of others.
import { expect, test } from 'vitest';
import { createSessions, type SessionLimits, type Sessions } from './session-store.ts';

const limits: SessionLimits = { sessions: 6, perClient: 4, sessionBytes: 500, bytes: 1000, idleMs: 60_000 };

function keep(sessions: Sessions, client: string, size = 10): string {
  const session = sessions.open(client);
  session.files.set('a', { path: 'a', content: 'x'.repeat(size - 1) });
  sessions.keep(session);
  return session.id;
}

const found = (sessions: Sessions, ids: readonly string[]): boolean[] => ids.map((id) => sessions.find(id) !== null);

test('a flood of one client takes no session of another', () => {
  const sessions = createSessions(limits);
  const honest = ['a', 'b', 'c'].map((client) => keep(sessions, client));
  const hostile = Array.from({ length: 50 }, () => keep(sessions, 'h'));
  expect(found(sessions, honest)).toEqual([true, true, true]);
  // It keeps its newest.
  expect(found(sessions, hostile).lastIndexOf(false)).toBe(46);
  // And gives them up for those who come with less.
  const others = ['d', 'e'].map((client) => keep(sessions, client));
  expect(found(sessions, [...honest, ...others])).toEqual([true, true, true, true, true]);
  expect(found(sessions, hostile.slice(-2))).toEqual([false, true]);
  expect(sessions.load().sessions).toBe(6);
});

test('bytes of one client are no others', () => {
  const sessions = createSessions(limits);
  const honest = keep(sessions, 'a', 300);
  const hostile = [400, 400, 400].map((size) => keep(sessions, 'h', size));
  expect(found(sessions, [honest, ...hostile])).toEqual([true, false, false, true]);
  expect(sessions.load()).toEqual({ sessions: 2, bytes: 702 });
});

test('a session that grows does not push itself out, and counts once', () => {
  const sessions = createSessions(limits);
  const session = sessions.open('a');
  for (const size of [10, 400, 20]) {
    session.files.set('a', { path: 'a', content: 'x'.repeat(size) });
    sessions.keep(session);
    expect(sessions.find(session.id)).toBe(session);
    expect(sessions.load()).toEqual({ sessions: 1, bytes: size + 2 });
  }
  sessions.close(session.id);
  expect(sessions.load()).toEqual({ sessions: 0, bytes: 0 });
});

test('of a client the session that was used longest ago goes, and of equals that of all', () => {
  const sessions = createSessions(limits);
  const ids = Array.from({ length: 4 }, () => keep(sessions, 'a'));
  sessions.find(ids[0]!);
  ids.push(keep(sessions, 'a'));
  expect(found(sessions, ids)).toEqual([true, false, true, true, true]);
  const equal = createSessions(limits);
  const others = ['a', 'b', 'c', 'd', 'e', 'f'].map((client) => keep(equal, client));
  equal.find(others[0]!);
  others.push(keep(equal, 'g'));
  expect(found(equal, others)).toEqual([true, false, true, true, true, true, true]);
});
