// Rules of the ledger that came with a HAPI version: whether a block was made by that version or a later one.
import type { HandlerContext } from './item-context.ts';

/** Blocks without a version (record files v1 and v2) are older than any. */
export function isHapiAtLeast(block: HandlerContext['block'], major: number, minor: number, patch: number): boolean {
  const version = block.hapiVersion;
  if (!version) return false;
  if (version.major !== major) return version.major > major;
  if (version.minor !== minor) return version.minor > minor;
  return version.patch >= patch;
}
