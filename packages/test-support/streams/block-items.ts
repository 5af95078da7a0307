// Hand-made items of a block stream, with the field numbers of networks.
import Long from 'long';
import { proto } from '../../protocol/hapi/hapi.ts';
import { type ResponseCodeName, responseCode } from '../../protocol/hapi/response-codes.ts';
import { toTimestampMessage } from '../../protocol/hapi/timestamp.ts';
import { bytesField, encodeVarint, intField, messageField, type WireField } from '../../protocol/wire-writer.ts';
import { type BlockStreamItem, itemKinds, writeItem } from '../../streams/block-stream/block-item.ts';
import { hashLeaf } from '../../streams/block-stream/hash-tree.ts';
import { findSubtree } from '../../streams/block-stream/item-subtree.ts';

export const join = (...fields: WireField[]): Buffer => Buffer.concat(fields.flat());

/** 0.0.num as any of the id messages: the number is field 3 in all of them. */
export const entityId = (num: number): Buffer => join(intField(3, num));

const start = 1_700_000_000_000_000_000n;

/** ns of the n-th moment. */
export const at = (moment: number): bigint => start + BigInt(moment) * 1_000n;
const timestamp = (moment: number): Buffer => toTimestampMessage(at(moment));

type TransactionOptions = { nonce?: number; scheduled?: boolean; payer?: number; useTransactionHash?: boolean };

/** Serialized SignedTransaction. */
export function signed(body: proto.ITransactionBody, options: TransactionOptions = {}): Buffer {
  const { nonce = 0, scheduled = false, payer = 1001, useTransactionHash = false } = options;
  const id = {
    accountID: { accountNum: Long.fromNumber(payer) },
    transactionValidStart: { seconds: Long.fromNumber(1_699_999_990) },
    nonce,
    scheduled,
  };
  const bodyBytes = proto.TransactionBody.encode({ transactionID: id, ...body }).finish();
  const sigMap = proto.SignatureMap.encode({ sigPair: [{ pubKeyPrefix: Buffer.of(1), ed25519: Buffer.alloc(64, 2) }] });
  return join(bytesField(1, bodyBytes), bytesField(2, sigMap.finish()), intField(3, useTransactionHash ? 1 : 0));
}

export const transaction = (body: proto.ITransactionBody, options: TransactionOptions = {}): BlockStreamItem =>
  writeItem(itemKinds.signedTransaction, signed(body, options));

/** A transaction between nodes. */
export const stateSignature = (): BlockStreamItem =>
  writeItem(itemKinds.signedTransaction, join(bytesField(1, join(bytesField(65, Buffer.alloc(4, 7))))));

/** @param inner serialized SignedTransactions */
export const batch = (inner: readonly Buffer[]): BlockStreamItem =>
  transaction({ atomicBatch: { transactions: [...inner] } });

export function result(
  moment: number,
  { status = 'SUCCESS', parent = null }: { status?: ResponseCodeName; parent?: number | null } = {},
): BlockStreamItem {
  const fields = [
    intField(1, responseCode[status]),
    bytesField(2, timestamp(moment)),
    parent === null ? [] : bytesField(3, timestamp(parent)),
  ];
  return writeItem(itemKinds.transactionResult, join(...fields));
}

/** A success that its payer paid a fee for. */
export function resultWithFee(moment: number, payer: number): BlockStreamItem {
  const amounts = [
    { accountID: { accountNum: Long.fromNumber(payer) }, amount: Long.fromNumber(-500) },
    { accountID: { accountNum: Long.fromNumber(98) }, amount: Long.fromNumber(500) },
  ];
  const fields = [
    intField(1, responseCode.SUCCESS),
    bytesField(2, timestamp(moment)),
    intField(6, 500),
    bytesField(7, proto.TransferList.encode({ accountAmounts: amounts }).finish()),
  ];
  return writeItem(itemKinds.transactionResult, join(...fields));
}

/** Of a contract call: TransactionOutput 2. */
export function callOutput(
  contract: number,
  resultData: Buffer = Buffer.alloc(0),
  more: WireField[] = [],
): BlockStreamItem {
  const evm = [bytesField(2, entityId(contract)), bytesField(3, resultData), intField(5, 21_000), ...more];
  return writeItem(itemKinds.transactionOutput, join(messageField(2, [messageField(1, evm)])));
}

/** TransactionOutput 7. */
export const accountOutput = (account: number): BlockStreamItem =>
  writeItem(itemKinds.transactionOutput, join(messageField(7, [bytesField(1, entityId(account))])));

/** `index`: into the written slots; `key` of a slot that was only read. */
export type SlotReadParts = { index?: number; key?: number[]; value: number[] };

/** ContractSlotUsage */
export function slotUsage(
  contract: number,
  reads: readonly SlotReadParts[],
  written: readonly number[][] | null = null,
) {
  return [
    bytesField(1, entityId(contract)),
    written === null
      ? []
      : messageField(
          3,
          written.map((key) => bytesField(1, Buffer.from(key))),
        ),
    ...reads.map(({ index, key, value }) =>
      messageField(4, [
        // An index of 0 is written: it is a member of a oneof.
        index === undefined ? bytesField(2, Buffer.from(key!)) : [Buffer.of(8, index)],
        bytesField(3, Buffer.from(value)),
      ]),
    ),
  ];
}

/** EvmTraceData */
export const trace = (...fields: WireField[]): BlockStreamItem =>
  writeItem(itemKinds.traceData, join(messageField(1, fields)));

export const usageTrace = (...usages: WireField[][]): BlockStreamItem =>
  trace(...usages.map((usage) => messageField(2, usage)));

/** SubmitMessageTraceData */
export const messageTrace = (sequence: number, hash: Buffer): BlockStreamItem =>
  writeItem(itemKinds.traceData, join(messageField(2, [intField(1, sequence), bytesField(2, hash)])));

/** StateChange with a map_update. Fields of the oneofs of MapChangeKey and MapChangeValue. */
export function update(
  [keyField, key]: readonly [number, Buffer],
  [valueField, value]: readonly [number, Buffer],
  identical = false,
): WireField {
  const parts = [
    messageField(1, [bytesField(keyField, key)]),
    messageField(2, [bytesField(valueField, value)]),
    intField(3, identical ? 1 : 0),
  ];
  return messageField(2, [intField(1, 2), messageField(5, parts)]);
}

/** The same with a part of a value. `cleared`: field numbers, packed as they are. */
export function partialUpdate(
  [keyField, key]: readonly [number, Buffer],
  [valueField, value]: readonly [number, Buffer],
  {
    cleared = [],
    identical = false,
    partial = true,
  }: { cleared?: number[]; identical?: boolean; partial?: boolean } = {},
): WireField {
  const parts = [
    messageField(1, [bytesField(keyField, key)]),
    messageField(2, [bytesField(valueField, value)]),
    intField(3, identical ? 1 : 0),
    intField(4, partial ? 1 : 0),
    cleared.length > 0 ? bytesField(5, Buffer.concat(cleared.map((number) => encodeVarint(BigInt(number))))) : [],
  ];
  return messageField(2, [intField(1, 2), messageField(5, parts)]);
}

/** StateChange with a map_delete. */
export const removal = ([keyField, key]: readonly [number, Buffer]): WireField =>
  messageField(2, [intField(1, 2), messageField(6, [messageField(1, [bytesField(keyField, key)])])]);

/** Key of a contract's slot: 32 bytes, as states have it. */
export const slotKey = (contract: number, key: number[]): readonly [number, Buffer] => [
  10,
  join(bytesField(1, entityId(contract)), bytesField(2, word(key))),
];
export const slotValue = (value: number[]): readonly [number, Buffer] => [9, join(bytesField(1, word(value)))];

const word = (bytes: readonly number[]): Buffer => Buffer.concat([Buffer.alloc(32 - bytes.length), Buffer.from(bytes)]);

export const stateChanges = (moment: number, ...changes: WireField[]): BlockStreamItem =>
  writeItem(itemKinds.stateChanges, join(bytesField(1, timestamp(moment)), ...changes));

/** A redacted item. */
export function redacted({ kind, bytes }: BlockStreamItem): BlockStreamItem {
  const tree = findSubtree(kind)! + 4;
  return writeItem(itemKinds.redactedItem, join(bytesField(1, hashLeaf(bytes)), intField(3, tree)));
}
