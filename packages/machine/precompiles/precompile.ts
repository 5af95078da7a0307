// A function of the machine at a fixed address.
import type { ForkName } from '../rules/forks.ts';

export type PrecompileEntry = {
  address: number;
  gas(data: Uint8Array): number;
  /** null: it fails, and takes all gas. `look` throws when the time is up: long work calls it now and then. */
  run(data: Uint8Array, look: () => void): Uint8Array | null;
  since?: ForkName;
};

/** What is behind the end of the data is zeros. */
export function bytesAt(data: Uint8Array, start: number, length: number): Uint8Array {
  const part = data.subarray(start, start + length);
  if (part.length === length) return part;
  const bytes = new Uint8Array(length);
  bytes.set(part);
  return bytes;
}

export const noBytes = new Uint8Array(0);
