// The keys of an address book as verifiers of documents count them (docs/reference/proof-documents.md): each key once,
// in the order of the file; nodes without one are left out.
import { createPublicKey, type KeyObject } from 'node:crypto';
import { listPlainFields } from '../../../../packages/protocol/plain-fields.ts';

export type BookKey = {
  /** In lower case. */
  hex: string;
  /** null: no RSA key. */
  publicKey(): KeyObject | null;
};

/** NodeAddress.RSA_PubKey */
const keyField = 4;

/** Content of an address book file → at least one key. null: not a book that verifiers read. */
export function readBookKeys(content: Buffer): BookKey[] | null {
  const nodes = listPlainFields(content)?.map(([, node]) => (Buffer.isBuffer(node) ? listPlainFields(node) : null));
  if (!nodes) return null;
  const texts = new Set<string>();
  for (const fields of nodes) {
    const key = fields ? (new Map(fields).get(keyField) ?? Buffer.alloc(0)) : 0n;
    if (!Buffer.isBuffer(key)) return null;
    texts.add(new TextDecoder().decode(key));
  }
  const keys = [...texts].filter((text) => /^([0-9a-fA-F]{2})+$/.test(text));
  return keys.length > 0 ? keys.map(toBookKey) : null;
}

function toBookKey(text: string): BookKey {
  const hex = text.toLowerCase();
  let made: KeyObject | null | undefined;
  return {
    hex,
    publicKey() {
      made ??= toPublicKey(hex);
      return made;
    },
  };
}

function toPublicKey(hex: string): KeyObject | null {
  try {
    const key = createPublicKey({ key: Buffer.from(hex, 'hex'), format: 'der', type: 'spki' });
    return key.asymmetricKeyType === 'rsa' ? key : null;
  } catch {
    // Books have had placeholders there: such a node signs nothing.
    return null;
  }
}
