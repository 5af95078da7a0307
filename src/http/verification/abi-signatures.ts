// Signatures of an ABI's functions, events and errors with their hashes: what 4-byte and topic lookups need.

type Parameter = { type?: unknown; components?: unknown };
type Item = { type?: unknown; name?: unknown; inputs?: unknown };
type Signature = { signature: string; signatureHash32: string; signatureHash4: string };

const kinds = ['function', 'event', 'error'] as const;

export function formatSignatures(
  abi: readonly Item[],
  keccak: (bytes: Uint8Array) => Buffer,
): Record<(typeof kinds)[number], Signature[]> {
  const of = (kind: string): Signature[] =>
    abi
      .filter(({ type, name }) => type === kind && typeof name === 'string')
      .map(({ name, inputs }) => {
        const signature = `${name}(${formatTypes(inputs)})`;
        const hash = `0x${keccak(Buffer.from(signature)).toString('hex')}`;
        return { signature, signatureHash32: hash, signatureHash4: hash.slice(0, 10) };
      });
  return { function: of('function'), event: of('event'), error: of('error') };
}

function formatTypes(parameters: unknown): string {
  return (Array.isArray(parameters) ? (parameters as Parameter[]) : [])
    .map(({ type, components }) =>
      String(type).startsWith('tuple') ? `(${formatTypes(components)})${String(type).slice(5)}` : String(type),
    )
    .join(',');
}
