// The ABI as micro-eth-signer has it: a second opinion on what system contracts read and write. Addresses are bigint
// here.
import { createContract, type ParsedABI, parseAbi } from 'micro-eth-signer/abi.js';

type Component = { type: string; components?: readonly Component[] };
type Method = { encodeInput(values?: unknown): Uint8Array; decodeOutput(bytes: Uint8Array): unknown };
type Parsed = { name: string; inputs?: Component[]; outputs: Component[] };

/** Call data of `signature`, as in `balanceOf(address)`. */
export function encodeCall(signature: string, args: readonly unknown[] = []): Uint8Array {
  const { method, parsed } = methodOf(`function ${signature}`);
  const values = (parsed.inputs ?? []).map((input, at) => toSigner(input, args[at]));
  return method.encodeInput(values.length > 1 ? values : values[0]);
}

/** `types` as in `(int64,bool)`. */
export function decodeResult(types: string, bytes: Uint8Array): unknown[] {
  const { method, parsed } = methodOf(`function read() returns ${types}`);
  const { outputs } = parsed;
  const decoded = method.decodeOutput(bytes);
  const values = outputs.length === 1 ? [decoded] : (decoded as unknown[]);
  return outputs.map((output, at) => fromSigner(output, values[at]));
}

/** The values as the result of a function. */
export function encodeResult(types: string, values: readonly unknown[]): Uint8Array {
  return encodeCall(`read${types}`, values).subarray(4);
}

function methodOf(text: string): { method: Method; parsed: Parsed } {
  const abi = parseAbi([text]) as unknown as ParsedABI & Parsed[];
  const parsed = abi[0]!;
  const method = (createContract(abi) as unknown as Record<string, Method>)[parsed.name]!;
  return { method, parsed };
}

function toSigner({ type, components = [] }: Component, value: unknown): unknown {
  if (type.endsWith('[]')) {
    const item = { type: type.slice(0, -2), components };
    return (value as unknown[]).map((one) => toSigner(item, one));
  }
  if (type === 'tuple') return components.map((component, at) => toSigner(component, (value as unknown[])[at]));
  return type === 'address' ? `0x${(value as bigint).toString(16).padStart(40, '0')}` : value;
}

function fromSigner({ type, components = [] }: Component, value: unknown): unknown {
  if (type.endsWith('[]')) {
    const item = { type: type.slice(0, -2), components };
    return (value as unknown[]).map((one) => fromSigner(item, one));
  }
  if (type === 'tuple') return components.map((component, at) => fromSigner(component, (value as unknown[])[at]));
  return type === 'address' ? BigInt(value as string) : value;
}
