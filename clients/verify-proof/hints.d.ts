/** `key`: 1096 bytes. `signature`: 1632 or 1248 bytes. Throws ProofRefused where it is not of the root, or of no majority. */
export function verifyHints(
  root: Uint8Array,
  key: Uint8Array,
  signature: Uint8Array,
): { weight: bigint; totalWeight: bigint };
