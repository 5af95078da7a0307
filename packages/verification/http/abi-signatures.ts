// Signatures of an ABI's functions, events and errors with their hashes, for 4-byte and topic lookups.
import { keccak256 } from '../../protocol/keccak256.ts';

type Parameter = { type?: unknown; components?: unknown };
type Item = { type?: unknown; name?: unknown; inputs?: unknown };
type Signature = { signature: string; signatureHash32: string; signatureHash4: string };

export function listSignatures(abi: unknown, kind: 'function' | 'event' | 'error'): Signature[] {
  return (Array.isArray(abi) ? (abi as Item[]) : [])
    .filter(({ type, name }) => type === kind && typeof name === 'string')
    .map(({ name, inputs }) => {
      const signature = `${name}(${formatTypes(inputs)})`;
      const hash = `0x${keccak256(Buffer.from(signature)).toString('hex')}`;
      return { signature, signatureHash32: hash, signatureHash4: hash.slice(0, 10) };
    });
}

function formatTypes(parameters: unknown): string {
  return (Array.isArray(parameters) ? (parameters as Parameter[]) : [])
    .map(({ type, components }) =>
      String(type).startsWith('tuple') ? `(${formatTypes(components)})${String(type).slice(5)}` : String(type),
    )
    .join(',');
}
