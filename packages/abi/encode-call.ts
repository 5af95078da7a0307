// The data of a call from texts as a person types them.
import type { Abi, AbiFunction } from './abi.ts';
import type { AbiValue } from './abi-value.ts';
import { encodeValues } from './encode-values.ts';
import { ArgumentProblem, hexAddresses, parseArgument } from './parse-argument.ts';

export type EncodedCall =
  | { data: Buffer; function: AbiFunction }
  /** `argument`: which one, by name or number; null = the call as a whole. */
  | { problem: string; argument: string | null };

/**
 * `signature`: of a function (`transfer(address,uint256)`), its selector, or its name if no other has it. `texts`: one
 * for each input; lists and tuples as `[1, 2]`, `("a", 0x…)` or, by member, `{"to": 0x…}`. `addresses`: how they may be
 * typed. Never throws.
 */
export function encodeCall(
  abi: Abi,
  signature: string,
  texts: readonly string[],
  addresses = hexAddresses,
): EncodedCall {
  const found = findFunction(abi, signature);
  if (typeof found === 'string') return { problem: found, argument: null };
  const { inputs } = found;
  if (texts.length !== inputs.length) {
    const wanted = inputs.length === 1 ? '1 argument' : `${inputs.length} arguments`;
    return { problem: `${found.signature} takes ${wanted}, not ${texts.length}`, argument: null };
  }
  const values: AbiValue[] = [];
  for (const [index, input] of inputs.entries()) {
    const name = input.name || `#${index + 1}`;
    try {
      values.push(parseArgument(input.type, texts[index]!, addresses));
    } catch (error) {
      if (!(error instanceof ArgumentProblem)) throw error;
      return { problem: `${name} (${input.type.text}): ${error.message}`, argument: name };
    }
  }
  return { data: Buffer.concat([Buffer.from(found.selector, 'hex'), encodeValues(inputs, values)]), function: found };
}

/** A sentence if there is none, or more than one. */
function findFunction(abi: Abi, named: string): AbiFunction | string {
  const wanted = named.replaceAll(/\s/g, '');
  const exact = abi.functions.find(({ signature, selector }) => signature === wanted || `0x${selector}` === wanted);
  if (exact) return exact;
  const byName = abi.functions.filter(({ name }) => name === wanted);
  if (byName.length === 1) return byName[0]!;
  const shown = JSON.stringify(named.slice(0, 200));
  if (byName.length === 0) return `the contract has no function ${shown}`;
  return `${shown} is the name of ${byName.length} functions: name one by its signature, such as ${byName[0]!.signature}`;
}
