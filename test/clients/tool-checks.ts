// What the programs of Ethereum's tools share: checks by the names of what they try, in groups.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { patienceMs } from './patience.ts';

// biome-ignore lint/suspicious/noExplicitAny: what another package answers.
export type Found = any;
export type Checks = Record<string, () => Promise<void>>;

/** Throws where two have one name, of which one would be lost. */
export function joinChecks<Parts>(parts: Parts, groups: readonly ((parts: Parts) => Checks)[]): Checks {
  const named = groups.flatMap((group) => Object.entries(group(parts)));
  const checks = Object.fromEntries(named);
  assert.equal(Object.keys(checks).length, named.length, 'Two checks have one name.');
  return checks;
}

/** Fails when it never comes. */
export async function waitUntil(holds: () => boolean): Promise<void> {
  for (const end = Date.now() + patienceMs; !holds(); await sleep(50)) assert.ok(Date.now() < end);
}
