// The compiled contracts of contracts/*.sol, and calls to them in ABI encoding (static arguments, strings and bytes).
import artifacts from '../contracts/artifacts.json' with { type: 'json' };
import probes from '../contracts/probes.json' with { type: 'json' };

export type ContractName = keyof typeof artifacts.contracts;
/** Those that do what contracts do seldom. */
export type ProbeName = keyof typeof probes.contracts;
export type AbiValue = bigint | boolean | string | Uint8Array;

const compiled = { ...artifacts.contracts, ...probes.contracts };

export function initcodeOf(name: ContractName | ProbeName): Buffer {
  return Buffer.from(compiled[name].initcode, 'hex');
}

/** Call data for a method named with its signature, e.g. `transfer(address,uint256)`. */
export function encodeCall(
  name: ContractName | ProbeName,
  signature: string,
  values: readonly AbiValue[] = [],
): Buffer {
  const methods: Record<string, string> = compiled[name].methods;
  const selector = methods[signature];
  if (!selector) throw new Error(`${name} has no method ${signature}`);
  return Buffer.concat([Buffer.from(selector, 'hex'), encodeValues(values)]);
}

/** bigint, boolean and 20- or 32-byte arrays are encoded in place; text and other bytes follow the head. */
export function encodeValues(values: readonly AbiValue[]): Buffer {
  const heads: Buffer[] = [];
  const tails: Buffer[] = [];
  let tailOffset = values.length * 32;
  for (const value of values) {
    if (typeof value === 'bigint' || typeof value === 'boolean') heads.push(word(BigInt(value)));
    else if (typeof value !== 'string' && value.length === 20) heads.push(Buffer.concat([Buffer.alloc(12), value]));
    else if (typeof value !== 'string' && value.length === 32) heads.push(Buffer.from(value));
    else {
      const bytes = Buffer.from(value);
      const tail = Buffer.concat([word(BigInt(bytes.length)), bytes, Buffer.alloc((32 - (bytes.length % 32)) % 32)]);
      heads.push(word(BigInt(tailOffset)));
      tails.push(tail);
      tailOffset += tail.length;
    }
  }
  return Buffer.concat([...heads, ...tails]);
}

function word(value: bigint): Buffer {
  return Buffer.from(value.toString(16).padStart(64, '0'), 'hex');
}
