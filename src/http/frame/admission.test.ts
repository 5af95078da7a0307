import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { alwaysAdmitted, createAdmission } from './admission.ts';

/** Questions that end when they are told to, on a clock that is set by hand. */
function makeQuestions(maxWaitMs: number) {
  let now = 0;
  const registry = new Registry();
  const admission = createAdmission({ maxWaitMs, registry, clock: () => now });
  const open: (() => void)[] = [];
  let refused = 0;
  return {
    registry,
    ask(count: number): void {
      for (let i = 0; i < count; i++) {
        try {
          admission.enter();
          open.push(() => admission.leave(true));
        } catch {
          refused += 1;
        }
      }
    },
    /** Under more questions than that: answers `perMs` of them each ms, and refuses `refusedAfterAll` beside each. */
    work(ms: number, perMs: number, refusedAfterAll = 0): void {
      for (let end = now + ms; now < end; now += 1 / perMs) {
        for (let i = 0; i < refusedAfterAll; i++) {
          this.ask(1);
          if (open.pop()) admission.leave(false);
        }
        this.ask(2);
        open.shift()!();
      }
    },
    answerAll(ms: number): void {
      const each = ms / open.length;
      while (open.length > 0) {
        now += each;
        open.shift()!();
      }
    },
    inFlight: () => open.length,
    refusals: () => refused,
  };
}

test('so many are always let in, the next is refused with what to do', () => {
  const admission = createAdmission({ maxWaitMs: 1, registry: new Registry() });
  for (let i = 0; i < alwaysAdmitted; i++) admission.enter();
  expect(admission.enter).toThrow(expect.objectContaining({ status: 503, retryAfterSeconds: 1 }));
});

test('as many are let in as the rate of answers allows, whether it grows or falls', async () => {
  const questions = makeQuestions(100);
  // 2 an ms, before anything is known.
  questions.ask(300);
  expect(questions.refusals()).toBe(100);
  // 4 an ms: 400 are answered within 100 ms.
  questions.work(3000, 4);
  questions.ask(1000);
  expect(questions.inFlight()).toBeGreaterThan(350);
  expect(questions.inFlight()).toBeLessThanOrEqual(400);
  // A quarter of that.
  questions.work(3000, 1);
  expect(questions.inFlight()).toBeLessThanOrEqual(101);
  expect(await questions.registry.getSingleMetricAsString('http_requests_shed_total')).toMatch(/ [1-9]\d{3,}/);
});

test('quiet times do not make the bound smaller', () => {
  const questions = makeQuestions(100);
  questions.work(3000, 4);
  questions.answerAll(100);
  for (let i = 0; i < 50; i++) {
    questions.ask(1);
    questions.answerAll(1000);
  }
  questions.ask(300);
  expect(questions.inFlight()).toBe(300);
});

test('what was refused after all counts as refused, not as answered', async () => {
  const questions = makeQuestions(100);
  questions.work(3000, 1);
  const bound = questions.inFlight();
  // Ten times as many come in and are refused at once.
  questions.work(3000, 1, 9);
  questions.ask(1000);
  expect(questions.inFlight()).toBeLessThanOrEqual(bound + 10);
  const all = await questions.registry.getSingleMetricAsString('http_requests_shed_total');
  expect(Number(all.split(' ').at(-1))).toBeGreaterThan(questions.refusals());
});
