// The document of items of a block stream (docs/reference/proof-documents.md): bytes as hex, numbers of 64 bits as
// text.

type Hex = string;
export type Side = { left: Hex } | { right: Hex };
export type Step = { from: 'previous' | 'history'; history?: Side[]; siblings: Hex[]; timeLeaf: Hex };
type PublishedNode = { nodeId: string; weight: string; key: Hex };
export type NetworkProof =
  | { signature: Hex; book: PublishedNode[] }
  | { signature: Hex; wrapsKey: Hex }
  /** hinTS key and signature alone: the proof of the key that is behind them cannot be checked. */
  | { signature: Hex; namings: NamingDocument[] }
  | { known: Hex };

/** A block whose state names a hinTS key, with the signature that covers it. */
export type NamingDocument = Pick<BlockDocument, 'timestamp' | 'form' | 'hashes' | 'items' | 'path'> & {
  signature: Hex;
};

/** All items of a subtree. */
export type WholeSubtree = { subtree: string; all: Hex[] };

export type BlockDocument = {
  version: 1;
  kind: 'block';
  timestamp: Hex;
  form: 'sixteen' | 'eight';
  hashes: Hex[];
  items: ({ subtree: string; item: Hex; siblings: Side[] } | WholeSubtree)[];
  path: Step[];
  proof: NetworkProof;
};
