// Hand-made transactions and the rows that the real decoder and importer make of them. Messages are plain objects, with
// numbers for int64 fields.

import { createEntityNames } from '../../../src/importer/block/entity-lookup.ts';
import type { ItemProblem } from '../../../src/importer/block/item-problems.ts';
import { createBlockImporter } from '../../../src/importer/import-block.ts';
import { proto } from '../../protocol/hapi/hapi.ts';
import type { Row, TableName } from '../../schema/tables.ts';
import { encodeTransactionBody, encodeTransactionRecord } from '../../simulated-network/formats/encode-transaction.ts';
import type { BlockChanges } from '../../store/write/block-changes.ts';
import { decodeTransactionItem } from '../../streams/record-stream/decode-transaction-item.ts';
import type { SemanticVersion, StreamBlock, TransactionItem } from '../../streams/stream/stream-block.ts';

/** A message as a literal: `{ contractNum: 5 }`. */
type Literal = Record<string, unknown>;

export type TransactionLiteral = {
  /** Data of the body by field name, e.g. `{ contractCall: {...} }`. */
  body: Literal;
  record?: Literal;
  receipt?: Literal;
  /** ResponseCodeEnum; SUCCESS by default. */
  status?: number;
  /** Position of the transaction that caused this one. */
  parent?: number;
  nonce?: number;
  payer?: number;
  signatures?: Literal[];
  sidecars?: Literal[];
};

export type ImportSurroundings = {
  /**
   * Position of the first transaction, for a block after another; `parent` and `timestampAt` count from the first
   * block.
   */
  firstIndex?: number;
  hapiVersion?: SemanticVersion | null;
  /** Stored files by id. */
  files?: ReadonlyMap<bigint, Uint8Array>;
  /** Stored EVM addresses as hex, by entity id. */
  evmAddresses?: ReadonlyMap<bigint, string>;
  /** Start of the stored address book, by file id. */
  addressBookStarts?: ReadonlyMap<bigint, bigint>;
};

export type ImportedTransactions = {
  /** Rows of a table over all parts, in order. */
  rows<T extends TableName>(table: T): Row<T>[];
  problems: ItemProblem[];
  changes: BlockChanges;
};

const startSeconds = 1_700_000_000n;

/** Consensus timestamp of the transaction at this position. */
export function timestampAt(index: number): bigint {
  return startSeconds * 1_000_000_000n + BigInt(index);
}

export async function importTransactions(
  literals: TransactionLiteral[],
  surroundings: ImportSurroundings = {},
): Promise<ImportedTransactions> {
  const { firstIndex = 0 } = surroundings;
  const transactions = literals.map((literal, index) => toTransactionItem(literal, firstIndex + index));
  return importBlockRows(toBlock(transactions, surroundings.hapiVersion), surroundings);
}

export async function importBlockRows(
  block: StreamBlock,
  { files = new Map(), evmAddresses = new Map(), addressBookStarts = new Map() }: ImportSurroundings = {},
): Promise<ImportedTransactions> {
  const known = [...evmAddresses].map(([id, hex]) => ({ id, name: Buffer.from(hex, 'hex') }));
  const importer = createBlockImporter({
    names: createEntityNames({
      selectByEvmAddress: async (asked) => known.filter(({ name }) => asked.some((one) => name.equals(one))),
      selectByAlias: async () => [],
      selectEvmAddresses: async (ids) => known.filter(({ id }) => ids.includes(id)),
    }),
    selectFileContents: async (id) => files.get(id) ?? null,
    selectHolding: async () => ({ associated: false, nonFungible: false, serialNumbers: [] }),
    addressBookStarts,
  });
  const { changes, problems } = await importer.importBlock(block, 1n, async () => undefined);
  return {
    rows: (table) => changes.parts.flatMap((part) => ('operation' in part ? [] : (part[table] ?? []))),
    problems,
    changes,
  };
}

export function toBlock(
  transactions: TransactionItem[],
  hapiVersion: SemanticVersion | null = { major: 0, minor: 70, patch: 0 },
): StreamBlock {
  const hash = Buffer.alloc(48);
  return {
    name: '2023-11-14T22_13_20.000000000Z.rcd.gz',
    version: 6,
    blockNumber: 1n,
    hapiVersion,
    previousHash: hash,
    hash,
    fileHash: hash,
    metadataHash: hash,
    consensusStart: transactions[0]?.consensusTimestamp ?? 0n,
    consensusEnd: transactions.at(-1)?.consensusTimestamp ?? 0n,
    sizeBytes: 0,
    sidecars: [],
    transactions,
  };
}

export function toTransactionItem(literal: TransactionLiteral, index = 0): TransactionItem {
  const { body, record, receipt, status = 22, parent, nonce, payer = 1000, signatures = [], sidecars = [] } = literal;
  const transactionID = {
    accountID: { accountNum: payer },
    transactionValidStart: { seconds: Number(startSeconds) - 10, nanos: index },
    nonce: nonce ?? (parent === undefined ? 0 : 1),
  };
  const bodyBytes = encodeTransactionBody({ transactionID, nodeAccountID: { accountNum: 3 }, ...body } as never);
  const sigMap = { sigPair: signatures };
  const raw = {
    transaction: encode(proto.Transaction, {
      signedTransactionBytes: encode(proto.SignedTransaction, { bodyBytes, sigMap }),
    }),
    record: encodeTransactionRecord({
      receipt: { status, ...receipt },
      transactionHash: Buffer.alloc(48, index + 1),
      consensusTimestamp: { seconds: Number(startSeconds), nanos: index },
      transactionID,
      ...(parent === undefined ? {} : { parentConsensusTimestamp: { seconds: Number(startSeconds), nanos: parent } }),
      ...record,
    } as never),
  };
  const { item, problem } = decodeTransactionItem(raw, index);
  if (problem) throw new Error(`The literal at ${index} makes no decodable transaction: ${problem}`);
  return {
    ...item,
    sidecars: sidecars.map((sidecar) =>
      proto.TransactionSidecarRecord.decode(encode(proto.TransactionSidecarRecord, sidecar)),
    ),
  };
}

type Encoder = { encode(message: never): { finish(): Uint8Array } };

function encode(message: Encoder, literal: Literal): Buffer {
  return Buffer.from(message.encode(literal as never).finish());
}
