// What matched, and why it is no better, in sentences.
import { readAuxdata } from './auxdata.ts';
import type { ComparedCode, ComparedContract } from './compared-contract.ts';
import { describeDifference } from './describe-difference.ts';

export function describeMatch(contract: ComparedContract): string {
  const { runtime, creation } = contract;
  const sentences = [describeSide('Runtime code', runtime), describeSide('Creation code', creation)];
  const protection = runtime.values.callProtection;
  if (runtime.match !== null && protection !== undefined && !contract.addresses.includes(protection)) {
    sentences.push(`The library's call protection has the address ${protection}, which is not its address here.`);
  }
  return sentences.join(' ');
}

function describeSide(name: string, side: ComparedCode): string {
  if (side.onchain === null) return `${name}: not known on this chain, not compared.`;
  switch (side.match) {
    case 'perfect':
      return `${name}: perfect match, the metadata hash included.`;
    case 'partial':
      return `${name}: partial match, ${whyPartial(side)}`;
    case null:
      return `${name}: no match. ${describeDifference(side)}`;
  }
}

function whyPartial({ values, compiled }: ComparedCode): string {
  if (values.cborAuxdata !== undefined) {
    return 'equal but for the metadata: the sources (comments, names, white space), file names or settings are not exactly those it was compiled from.';
  }
  const why = readAuxdata(compiled) === null ? 'no metadata' : 'no metadata hash';
  return `equal, but the code carries ${why} that could prove the sources to be the original ones.`;
}
