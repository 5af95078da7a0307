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
        admission.run(() => new Promise<void>((end) => open.push(end))).catch(() => (refused += 1));
      }
    },
    /** Under more questions than that: answers `perMs` of them each ms. */
    async work(ms: number, perMs: number): Promise<void> {
      for (let end = now + ms; now < end; now += 1 / perMs) {
        this.ask(2);
        open.shift()!();
        await settled();
      }
    },
    async answerAll(ms: number): Promise<void> {
      const each = ms / open.length;
      while (open.length > 0) {
        now += each;
        open.shift()!();
        await settled();
      }
    },
    inFlight: () => open.length,
    async refusals(): Promise<number> {
      await settled();
      return refused;
    },
  };
}

async function settled(): Promise<void> {
  for (let i = 0; i < 5; i++) await Promise.resolve();
}

test('so many are always let in, the next is refused with what to do', async () => {
  const admission = createAdmission({ maxWaitMs: 1, registry: new Registry() });
  const never = () => new Promise<void>(() => undefined);
  for (let i = 0; i < alwaysAdmitted; i++) void admission.run(never);
  await expect(admission.run(never)).rejects.toMatchObject({ status: 503, retryAfterSeconds: 1 });
});

test('as many are let in as the rate of answers allows, whether it grows or falls', async () => {
  const questions = makeQuestions(100);
  questions.ask(200);
  expect(await questions.refusals()).toBe(200 - alwaysAdmitted);
  // 4 an ms: 400 are answered within 100 ms.
  await questions.work(3000, 4);
  questions.ask(1000);
  await questions.refusals();
  expect(questions.inFlight()).toBeGreaterThan(350);
  expect(questions.inFlight()).toBeLessThanOrEqual(400);
  // A quarter of that.
  await questions.work(3000, 1);
  await questions.refusals();
  expect(questions.inFlight()).toBeLessThanOrEqual(101);
  expect(await questions.registry.getSingleMetricAsString('http_requests_shed_total')).toMatch(/ [1-9]\d{3,}/);
});

test('quiet times do not make the bound smaller', async () => {
  const questions = makeQuestions(100);
  await questions.work(3000, 4);
  await questions.answerAll(100);
  for (let i = 0; i < 50; i++) {
    questions.ask(1);
    await questions.answerAll(1000);
  }
  questions.ask(300);
  await questions.refusals();
  expect(questions.inFlight()).toBe(300);
});
