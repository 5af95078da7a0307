import { precompilesOf } from '../../../packages/machine/precompiles/table.ts';
import { newestRules } from '../../../packages/machine/rules/versions.ts';

/** Of the newest rules, as hex of 20 bytes. */
export const precompileAddresses: ReadonlySet<string> = new Set(
  [...precompilesOf(newestRules.fork.name).keys()].map((address) => `0x${address.toString(16).padStart(40, '0')}`),
);
