// Nodes of the Merkle tree of blocks: prefixes keep leaves, nodes and single children apart.
import { concatBytes } from '@noble/curves/utils.js';
import { sha384 } from '@noble/hashes/sha2.js';

export const rootLength = 48;

export const hashLeaf = (content: Uint8Array): Uint8Array => sha384(concatBytes(Uint8Array.of(0), content));
export const hashSingle = (child: Uint8Array): Uint8Array => sha384(concatBytes(Uint8Array.of(1), child));
export const hashNode = (left: Uint8Array, right: Uint8Array): Uint8Array =>
  sha384(concatBytes(Uint8Array.of(2), left, right));
