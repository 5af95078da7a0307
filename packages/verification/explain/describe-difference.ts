// How two codes differ: lengths, the first different byte, and how many differ.
import { readAuxdata } from './auxdata.ts';
import type { ComparedCode } from './compared-contract.ts';

/** One or two sentences; places that may differ (immutables, libraries, …) do not count. */
export function describeDifference({ onchain, compiled, filled }: ComparedCode): string {
  if (onchain === null) return 'The code on chain is not known.';
  const template = filled ?? compiled;
  const first = firstDifference(onchain, template);
  const lengths =
    onchain.length === compiled.length
      ? `Both have ${sizeOf(onchain)} bytes.`
      : `On chain there are ${sizeOf(onchain)} bytes, compiled ${sizeOf(compiled)}.`;
  if (first === null) {
    return `${lengths} The compiled code is the beginning of what is on chain; what follows are not its constructor arguments.`;
  }
  if (first >= sizeOf(onchain)) return `${lengths} The code on chain is the beginning of the compiled code.`;
  const place = `They first differ at byte ${first}${placeOf(onchain, first)}`;
  return `${lengths} ${place}: 0x${bytesAt(onchain, first)} on chain, 0x${bytesAt(template, first)} compiled${countOf(onchain, template)}.`;
}

/** Offset in bytes; null = the compiled one is shorter and is the beginning of the longer one. */
function firstDifference(onchain: string, compiled: string): number | null {
  const shorter = Math.min(onchain.length, compiled.length);
  for (let at = 2; at < shorter; at += 2) {
    if (onchain[at] !== compiled[at] || onchain[at + 1] !== compiled[at + 1]) return (at - 2) / 2;
  }
  return onchain.length >= compiled.length ? null : sizeOf(onchain);
}

function countOf(onchain: string, compiled: string): string {
  if (onchain.length !== compiled.length) return '';
  let count = 0;
  for (let at = 2; at < onchain.length; at += 2) {
    if (onchain[at] !== compiled[at] || onchain[at + 1] !== compiled[at + 1]) count += 1;
  }
  return `; ${count} ${count === 1 ? 'byte differs' : 'bytes differ'} in all`;
}

function placeOf(onchain: string, at: number): string {
  const auxdata = readAuxdata(onchain);
  return auxdata !== null && at >= auxdata.offset ? ' (in the metadata)' : '';
}

const shownBytes = 8;

function bytesAt(code: string, at: number): string {
  return code.slice(2 + at * 2, 2 + (at + shownBytes) * 2);
}

function sizeOf(code: string): number {
  return (code.length - 2) / 2;
}
