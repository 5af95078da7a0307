/** The document does not show what it says; the message says which part, and why. */
export class ProofRefused extends Error {}

/** SHA-256 of the key that the public ceremony made for WRAPS proofs, in hex. */
export const ceremonyKeyHash: string;

export type VerifyOptions = {
  /** Hex, of 32 or 64 bytes. What is trusted of a block stream. */
  ledgerId?: string;
  /** Hex of SHA-384 of the file that has the address book. What is trusted of record files. */
  addressBookHash?: string;
  /** Hex of roots that `verifyProof` has returned as `signedRoot`, where the key was proved. */
  knownRoots?: readonly string[];
  /** Hex of SHA-256, of a network that uses another key than that of the ceremony. */
  wrapsKeyHash?: string;
  /** Hex of hashes of hinTS keys that `verifyProof` has returned in `provedKeys`, or that are trusted from elsewhere. */
  knownKeys?: readonly string[];
  /**
   * A signature by a key that nothing shows to be the ledger's is not refused: `key.from` is then `nothing`, and the proof shows no
   * more than that more than half of the weight of some key has signed.
   */
  allowUnprovedKey?: boolean;
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
  key?: ProvenKey;
  /** Of a ledger id of 64 bytes: hashes of all keys that are proved now. */
  provedKeys?: string[];
};

/**
 * Whose key has signed. book, wraps: the first address book vouches for it, or a chain of them (ids of 32 bytes). ledgerId: the id names
 * it. named: a block that a proved key has signed names it. known: it was in `knownKeys`. nothing: it is not proved.
 */
export type ProvenKey = { hash: string; from: 'book' | 'wraps' | 'ledgerId' | 'named' | 'known' | 'nothing' };

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
