// Kinds of signatures by their field numbers in the SignaturePair oneof.
const kinds: Readonly<Record<number, string>> = {
  2: 'contract',
  3: 'ED25519',
  4: 'RSA 3072',
  5: 'ECDSA P-384',
  6: 'ECDSA secp256k1',
};

export function signatureKind(type: number | null): string {
  return kinds[type ?? 0] ?? 'unknown';
}
