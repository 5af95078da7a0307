// A block as an answer, or as an item of a list.
import { Type } from '@sinclair/typebox';
import type { Kind } from '../../api/values/kind.ts';
import { blockHash, hex, int32, int64, text, timestamp } from '../../api/values/kinds.ts';
import { from, members, nullable, optional, part, value } from '../../api/values/members.ts';

/** 256 bytes; `0x` where the block has no contract results. */
const bloom: Kind<Buffer> = {
  schema: hex.schema,
  write: (bytes) => (bytes.length === 0 ? '"0x"' : `"0x${bytes.toString('hex').padStart(512, '0')}"`),
};

const table = {
  count: value(int64, 'Of transactions.'),
  hapi_version: nullable({ ...text, schema: Type.String({ examples: ['0.47.0'] }) }),
  hash: blockHash,
  name: text,
  number: int64,
  previous_hash: blockHash,
  size: nullable(int32, 'Bytes.'),
  timestamp: part(members({ from: from('consensusStart', timestamp), to: from('consensusEnd', timestamp) })),
  gas_used: nullable(int64),
  logs_bloom: nullable(bloom),
};

export const blockKind = members(table, { name: 'Block' });

const proofKinds = ['signed', 'state', 'chain', 'unproved', 'nodes', 'unverified'] as const;
const keyKinds = ['schnorr', 'wraps', 'ledger_id', 'named_key', 'pinned_key', 'unproved'] as const;

/** `docs/reference/block-proofs.md`, What is stored and shown. */
const proof = members(
  {
    kind: value<string>(
      { ...text, schema: Type.Unsafe({ type: 'string', enum: proofKinds }) },
      'signed: the network has signed this block. state, chain: it has signed a later one, to which the proof of this block or the chain of roots leads. unproved: there is such a signature, and nothing vouches for its key: the proof of the address book is not checked. nodes: its record file has signatures of nodes. unverified: none of these is known.',
    ),
    block: from('restsOn', nullable(int64, 'Number of the block whose signature was verified.')),
    weight: nullable(int64, 'Of those who signed.'),
    total_weight: nullable(int64),
    rotations: nullable(int64, 'Of keys and weights since the network settled; null before.'),
    key: nullable<string>(
      { ...text, schema: Type.Unsafe({ type: 'string', enum: keyKinds }) },
      'Why the key of the signature is trusted. schnorr: the first address book has signed it. wraps: a proof leads from that to it. ledger_id: the ledger id ends with its hash. named_key: a block that was proved named it. pinned_key: the operator named it. unproved: it is not.',
    ),
    key_named_by: nullable(int64, 'Number of the block that named the key.'),
    ledger_id: nullable(hex),
    ledger: nullable<string>(
      { ...text, schema: Type.Unsafe({ type: 'string', enum: ['pinned', 'handed_over', 'self_declared', 'export'] }) },
      'Why the ledger id is trusted: the operator named it, signed record files or blocks handed it over, only the stream itself says it, or the export that the database was filled from does.',
    ),
  },
  { name: 'BlockProof' },
);

/** With how it was verified. */
export const provedBlockKind = members({ ...table, proof: optional(proof) }, { name: 'ProvedBlock' });
