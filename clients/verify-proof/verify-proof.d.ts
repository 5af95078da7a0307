/** The document does not show what it says; the message says which part, and why. */
export class ProofRefused extends Error {}

/** SHA-256 of the key that the public ceremony made for WRAPS proofs, in hex. */
export const ceremonyKeyHash: string;

export type VerifyOptions = {
  /** Hex. What is trusted of a block stream. */
  ledgerId?: string;
  /** Hex of SHA-384 of the file that has the address book. What is trusted of record files. */
  addressBookHash?: string;
  /** Hex of roots that `verifyProof` has returned as `signedRoot`. */
  knownRoots?: readonly string[];
  /** Hex of SHA-256, of a network that uses another key than that of the ceremony. */
  wrapsKeyHash?: string;
  /** Told of each step that was checked. */
  onStep?: (sentence: string) => void;
};

export type ProvenItem = {
  subtree: 'headers' | 'inputs' | 'outputs' | 'stateChanges' | 'traces';
  /** A whole BlockItem message. */
  bytes: Uint8Array;
  /** All items of the subtree are proved. */
  isAll: boolean;
  /** Its place among all of them; null where it is proved alone. */
  index: number | null;
};

export type ProvenBlock = {
  kind: 'block';
  ledgerId: string;
  /** Of the block with the items, and of the one whose signature was checked, or was known. */
  root: string;
  signedRoot: string;
  /** null where its header is not among the items. */
  block: bigint | null;
  items: ProvenItem[];
  /** Places in inputs and outputs of each transaction and its result; null where that is not shown. */
  pairs: { input: number; output: number }[] | null;
  /** The following are absent where the root was known. */
  weight?: bigint;
  totalWeight?: bigint;
  isSettled?: boolean;
  /** Of keys and weights since the network settled. */
  rotations?: number | null;
};

export type ProvenRecord = {
  kind: 'record';
  item: { transaction: Uint8Array; record: Uint8Array };
  /** null where the signatures do not cover it by themselves. */
  block: bigint | null;
  signers: number;
  nodes: number;
};

/** `document`: parsed JSON. Throws ProofRefused. */
export function verifyProof(document: unknown, options: VerifyOptions): ProvenBlock | ProvenRecord;
