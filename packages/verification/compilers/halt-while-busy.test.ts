import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { haltWhileBusy } from './halt-while-busy.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A check that is looked at ten times a second, on a separate clock. */
function makeCheck({ checks = 1, lateMs = 0 } = {}) {
  const load = { isBusy: true, idle: 0 };
  let isHalted = false;
  let ranMs = 0;
  let late = 0;
  const halting = haltWhileBusy({
    send(signal) {
      isHalted = signal === 'SIGSTOP';
    },
    isBusy: () => load.isBusy,
    idleProcessors: () => load.idle,
    checks: () => checks,
    // A turn that ends late: its timer runs on time here, and the clock has gone on.
    clock: () => Date.now() + late,
  });
  return {
    load,
    isHalted: () => isHalted,
    ranMs: () => ranMs,
    halting,
    pass(ms: number): void {
      for (let passed = 0; passed < ms; passed += 1) {
        if (passed % 100 === 0) halting.look();
        const before = isHalted;
        if (!before) ranMs += 1;
        if (!before) late += lateMs;
        vi.advanceTimersByTime(1);
      }
    },
  };
}

test('it runs freely where the service has little to do, and where a processor is idle', () => {
  for (const load of [
    { isBusy: false, idle: 0 },
    { isBusy: true, idle: 0.5 },
  ]) {
    const check = makeCheck();
    Object.assign(check.load, load);
    check.pass(5000);
    expect(check.ranMs()).toBe(5000);
  }
});

test('on a busy machine it runs for about a hundredth of the time at first, and never not at all', () => {
  const check = makeCheck();
  check.pass(10_000);
  expect(check.ranMs()).toBeLessThan(150);
  expect(check.ranMs()).toBeGreaterThan(50);
  expect(check.halting.haltedMs()).toBe(10_000 - check.ranMs());
});

test('however long the service is busy, a check of two seconds ends', () => {
  const check = makeCheck();
  check.pass(150_000);
  expect(check.ranMs()).toBeGreaterThan(2000);
  // It never takes more than a tenth.
  const before = check.ranMs();
  check.pass(1_000_000);
  expect(check.ranMs() - before).toBeLessThan(100_000);
});

test('several checks share that, and a turn that ended late is followed by a longer halt', () => {
  const four = makeCheck({ checks: 4 });
  four.pass(10_000);
  expect(4 * four.ranMs()).toBeLessThan(150);
  const late = makeCheck({ lateMs: 9 });
  late.pass(10_000);
  expect(10 * late.ranMs()).toBeLessThan(200);
});

test('it goes on as soon as the service is no longer busy, or more than the processor that it would take is idle', () => {
  const check = makeCheck();
  check.pass(200);
  expect(check.isHalted()).toBe(true);
  check.load.idle = 1;
  check.pass(200);
  expect(check.isHalted()).toBe(true);
  check.load.idle = 1.5;
  check.pass(101);
  expect(check.isHalted()).toBe(false);
  check.load.idle = 0;
  check.pass(101);
  expect(check.isHalted()).toBe(true);
  check.load.isBusy = false;
  check.pass(101);
  expect(check.isHalted()).toBe(false);
});

test('after the end nothing is sent', () => {
  const check = makeCheck();
  while (check.ranMs() === 0) check.pass(100);
  const sent = check.isHalted();
  check.halting.end();
  vi.advanceTimersByTime(10_000);
  expect(check.isHalted()).toBe(sent);
  expect(vi.getTimerCount()).toBe(0);
});
