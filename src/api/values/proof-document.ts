// A proof document as an answer (docs/reference/proof-documents.md), and its schema. `clients/verify-proof/` has the
// same schema for those who check documents.
import { type TSchema, Type } from '@sinclair/typebox';
import type { FoundProofDocument } from '../../ledger/create-proofs.ts';
import type { BlockDocument } from '../../ledger/proofs/proof-document.ts';
import { type Definitions, type Kind, reference } from './kind.ts';

type Schemas = Readonly<Record<string, object>>;

/** All members are there, and no others. */
const exactly = (properties: Schemas) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});
const some = (properties: Schemas, optional: Schemas) => ({
  ...exactly(properties),
  properties: { ...properties, ...optional },
});
const list = (items: object, bounds: object = {}) => ({ type: 'array', items, ...bounds });
const bytesOf = (count: number) => ({ type: 'string', pattern: `^[0-9a-f]{${2 * count}}$` });
const ofCount = (count: number) => ({ minItems: count, maxItems: count });
const fixed = (value: string | number) => ({ const: value });

const [bytes, hash, number] = [reference('ProofBytes'), reference('ProofHash'), reference('ProofNumber')];
const [sides, subtree] = [reference('ProofSides'), reference('ProofSubtree')];
const [recordVersion, recordItem] = [reference('ProofRecordVersion'), reference('ProofRecordItem')];
const [chain, file, signatures] = [reference('ProofChain'), reference('ProofFile'), reference('ProofSignatures')];
const chainOrFile = { oneOf: [{ required: ['chain'] }, { required: ['file'] }] };

const node = exactly({ nodeId: number, weight: number, key: bytesOf(64) });

const [hashes, keyAndSignature] = [reference('ProofHashes'), reference('ProofKeyAndSignature')];

const provedItems: Schemas = {
  timestamp: bytes,
  form: { enum: ['sixteen', 'eight'] },
  hashes,
  items: list(reference('ProofItem')),
  path: list(reference('ProofStep')),
};

const ofBlocks: Schemas = {
  ProofSides: {
    ...list({ oneOf: [exactly({ left: hash }), exactly({ right: hash })] }),
    description: 'Siblings from the leaf up; each says on which side it stands',
  },
  ProofSubtree: { enum: ['headers', 'inputs', 'outputs', 'stateChanges', 'traces'] },
  ProofItem: {
    oneOf: [
      exactly({ subtree, item: bytes, siblings: sides }),
      exactly({ subtree, all: list(bytes, { minItems: 1 }) }),
    ],
  },
  ProofStep: {
    ...some(
      { from: { enum: ['previous', 'history'] }, siblings: list(hash, { minItems: 3, maxItems: 4 }), timeLeaf: hash },
      { history: sides },
    ),
    if: { properties: { from: fixed('history') } },
    // biome-ignore lint/suspicious/noThenProperty: a word of JSON schema
    then: { required: ['history'] },
    else: { not: { required: ['history'] } },
  },
  ProofKeyAndSignature: bytesOf(2344),
  ProofHashes: list(hash, { oneOf: [ofCount(8), ofCount(16)] }),
  ProofNetworkProof: {
    oneOf: [
      exactly({ signature: bytesOf(2920), book: list(node, { minItems: 1, maxItems: 128 }) }),
      exactly({ signature: bytesOf(3432), wrapsKey: bytesOf(1768) }),
      exactly({ signature: keyAndSignature, namings: list(reference('ProofNaming')) }),
      exactly({ known: hash }),
    ],
  },
  ProofNaming: {
    ...exactly({ ...provedItems, signature: keyAndSignature }),
    description: 'A block whose state names a hinTS key, with the signature that covers it',
  },
  ProofBlock: exactly({
    version: fixed(1),
    kind: fixed('block'),
    ...provedItems,
    proof: reference('ProofNetworkProof'),
  }),
};

const ofRecords: Schemas = {
  ProofRecordVersion: { enum: [2, 5, 6] },
  ProofRecordItem: exactly({ transaction: bytes, record: bytes }),
  ProofChain: some(
    { hapiVersion: list(number, ofCount(3)), start: hash, before: list(hash), after: list(hash), end: hash },
    { block: number },
  ),
  ProofFile: exactly({ before: bytes, after: bytes }),
  ProofSignatures: list(exactly({ node: { type: 'integer', minimum: 0 }, signature: bytes }), { minItems: 1 }),
  ProofPiece: { ...some({ recordVersion, item: recordItem, signatures }, { chain, file }), ...chainOrFile },
  ProofRecord: {
    ...some(
      {
        version: fixed(1),
        kind: fixed('record'),
        recordVersion,
        item: recordItem,
        addressBook: bytes,
        signatures,
      },
      { chain, file, updates: list(list(reference('ProofPiece'), { minItems: 1 })) },
    ),
    ...chainOrFile,
  },
};

const schemas: Schemas = {
  ProofBytes: { type: 'string', pattern: '^([0-9a-f]{2})*$' },
  ProofHash: { ...bytesOf(48), description: 'SHA-384' },
  ProofNumber: { type: 'string', pattern: '^(0|[1-9][0-9]{0,18})$' },
  ...ofBlocks,
  ...ofRecords,
  ProofDocument: {
    title: 'Proof document, version 1',
    description: 'That an item is in a ledger: docs/reference/proof-documents.md',
    oneOf: [reference('ProofBlock'), reference('ProofRecord')],
  },
};

const definitions: Definitions = Object.fromEntries(
  Object.entries(schemas).map(([name, schema]): [string, TSchema] => [name, Type.Unsafe(schema)]),
);

/**
 * All items of a subtree are written once for all proofs of the block: 100 kB take as long as the rest of the answer.
 */
const texts = new WeakMap<object, string>();

function writeItem(item: BlockDocument['items'][number]): string {
  if (!('all' in item)) return JSON.stringify(item);
  // Hex needs no escapes.
  const text = texts.get(item) ?? `{"subtree":"${item.subtree}","all":["${item.all.join('","')}"]}`;
  texts.set(item, text);
  return text;
}

function writeBlock({ items, path, proof, ...start }: BlockDocument): string {
  const before = JSON.stringify(start).slice(0, -1);
  const after = JSON.stringify({ path, proof }).slice(1);
  return `${before},"items":[${items.map(writeItem).join(',')}],${after}`;
}

export const proofDocumentKind: Kind<FoundProofDocument> = {
  schema: reference('ProofDocument'),
  write: ({ document }) => (document.kind === 'block' ? writeBlock(document) : JSON.stringify(document)),
  definitions,
};
