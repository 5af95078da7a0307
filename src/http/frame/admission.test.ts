import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { createAdmission } from './admission.ts';

test('a question is let in while there is room, and refused with what to do while there is none', async () => {
  const registry = new Registry();
  const figureOf = async (name: string) => Number((await registry.getSingleMetricAsString(name)).split(' ').at(-1));
  let hasRoom = true;
  const admission = createAdmission({ hasRoom: () => hasRoom, registry });
  admission.enter();
  admission.enter();
  hasRoom = false;
  expect(admission.enter).toThrow(expect.objectContaining({ status: 503, retryAfterSeconds: 1 }));
  expect(await figureOf('http_questions_in_flight')).toBe(2);
  expect(await figureOf('http_requests_shed_total')).toBe(1);
  admission.leave(true);
  // Refused after all counts as refused, too.
  admission.leave(false);
  expect(await figureOf('http_questions_in_flight')).toBe(0);
  expect(await figureOf('http_requests_shed_total')).toBe(2);
});
