// The signatures of an ABI with the hashes that calls, logs and reverts name them with.
import { readAbi } from './read-abi.ts';
import { signatureHash } from './selector.ts';

export type AbiSignature = {
  kind: 'function' | 'event' | 'error';
  /** e.g. `transfer(address,uint256)` */
  signature: string;
  /** Keccak-256, hex. */
  hash: string;
};

/** `json`: parsed. Events that are anonymous are named by nothing, and left out. */
export function toSignatures(json: unknown): AbiSignature[] {
  const { functions, events, errors } = readAbi(json);
  const of = (kind: AbiSignature['kind'], entries: readonly { signature: string }[]): AbiSignature[] =>
    [...new Set(entries.map(({ signature }) => signature))].map((signature) => ({
      kind,
      signature,
      hash: signatureHash(signature).toString('hex'),
    }));
  const named = events.filter(({ isAnonymous }) => !isAnonymous);
  return [...of('function', functions), ...of('event', named), ...of('error', errors)];
}
