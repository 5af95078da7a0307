// Signatures in the words of Solidity, a line each → what an ABI has. For lines of this program: a wrong one throws.
import type { Abi } from './abi.ts';
import { parseParameters, textOf } from './abi-type.ts';
import { signatureHash } from './selector.ts';
import type { SignatureGroup } from './usual-signatures.ts';

/** The first of several functions with one signature counts. Throws a RangeError for a line that is no signature. */
export function readSignatures(groups: Iterable<SignatureGroup>): Abi {
  const abi: Abi = { functions: [], events: [], errors: [], creation: [], hasReceive: false };
  const known = new Set<string>();
  for (const { functions = '', events = '', errors = '' } of groups) {
    for (const one of linesOf(functions).map(readLine)) {
      if (known.has(one.signature)) continue;
      known.add(one.signature);
      abi.functions.push({ ...one, mutability: 'nonpayable' });
    }
    for (const { outputs: _none, ...one } of linesOf(errors).map(readLine)) abi.errors.push(one);
    for (const { name, signature, inputs: given } of linesOf(events).map(readLine)) {
      const topic = signatureHash(signature).toString('hex');
      const inputs = given.map(({ isIndexed = false, ...input }) => ({ ...input, isIndexed }));
      abi.events.push({ name, signature, topic, isAnonymous: false, inputs });
    }
  }
  return abi;
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim().replaceAll(', ', ','))
    .filter((line) => line !== '');
}

function readLine(line: string) {
  const [, name, given, returned = '()'] = /^(\w+)(\(.*?\))(?: returns (\(.*\)))?$/.exec(line) ?? [];
  if (name === undefined || given === undefined) throw new RangeError(`${line} is no signature`);
  const inputs = [...parseParameters(given)];
  const signature = `${name}(${textOf(inputs)})`;
  const selector = signatureHash(signature).toString('hex', 0, 4);
  return { name, signature, selector, inputs, outputs: [...parseParameters(returned)] };
}
