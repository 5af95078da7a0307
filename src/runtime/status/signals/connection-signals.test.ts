import { expect, it } from 'vitest';
import { toConnectionSignals } from './connection-signals.ts';

it('connections in use count while requests are late', () => {
  expect(toConnectionSignals({ max: 8, busy: 6 }, 1500)).toEqual({ 'database.busyShare': 0.75 });
  expect(toConnectionSignals({ max: 8, busy: 8 }, 1499)).toEqual({ 'database.busyShare': 0 });
});
