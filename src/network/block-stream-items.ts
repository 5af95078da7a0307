// What the simulated ledger did, as items of a block stream: the same transactions as in records, with results, outputs,
// traces and the state after each that make up for what a block leaves out of a record.
import { type BlockStreamItem, itemKinds, writeItem } from '../protocol/block-stream/block-item.ts';
import { proto, toBigInt } from '../protocol/hapi/hapi.ts';
import { toTimestampMessage } from '../protocol/hapi/timestamp.ts';
import type { SemanticVersion } from '../protocol/stream-block.ts';
import { readVarint64, visitWireFields, wireBytes, wireVarint } from '../protocol/wire-fields.ts';
import { bytesField, encodeVarint, intField, messageField, type WireField } from '../protocol/wire-writer.ts';
import type { StreamItem } from './stream-item.ts';

export type BlockStreamHeader = { number: bigint; timestamp: bigint; hapiVersion: SemanticVersion };

/** Header, one round and the transactions; footer and proof follow from what stands before. */
export function toBlockStreamItems(header: BlockStreamHeader, items: readonly StreamItem[]): BlockStreamItem[] {
  const { number, timestamp, hapiVersion } = header;
  const version = [intField(1, hapiVersion.major), intField(2, hapiVersion.minor), intField(3, hapiVersion.patch)];
  const headerFields = [
    messageField(1, version),
    messageField(2, version),
    intField(3, number),
    bytesField(4, toTimestampMessage(timestamp)),
  ];
  return [
    writeItem(itemKinds.blockHeader, join(headerFields)),
    writeItem(itemKinds.roundHeader, join([intField(1, number + 1n)])),
    ...items.flatMap(toTransactionItems),
  ];
}

function toTransactionItems(item: StreamItem): BlockStreamItem[] {
  const fields = splitFields(item.record);
  const record = proto.TransactionRecord.decode(item.record);
  const outputs = [outputOf(item, record, fields)].filter((output) => output.length > 0);
  const trace = traceOf(item, record);
  return [
    writeItem(itemKinds.signedTransaction, splitFields(item.transaction).bytes(5)[0]!),
    writeItem(itemKinds.transactionResult, resultOf(record, fields)),
    ...outputs.map((output) => writeItem(itemKinds.transactionOutput, output)),
    ...(trace.length > 0 ? [writeItem(itemKinds.traceData, trace)] : []),
    writeItem(itemKinds.stateChanges, stateChangesOf(item, record, fields)),
  ];
}

type Fields = { bytes(number: number): Buffer[]; integer(number: number): bigint };

/** TransactionResult fields by the fields of TransactionRecord that say the same. */
const resultFieldOf: readonly (readonly [record: number, result: number])[] = [
  [3, 2],
  [15, 3],
  [12, 5],
  [10, 7],
  [11, 8],
  [14, 9],
  [18, 10],
  [13, 12],
];

function resultOf(record: proto.ITransactionRecord, fields: Fields): Buffer {
  return join([
    intField(1, record.receipt?.status ?? 0),
    ...resultFieldOf.flatMap(([from, to]) => fields.bytes(from).map((bytes) => bytesField(to, bytes))),
    intField(6, toBigInt(record.transactionFee)),
    intField(13, fields.integer(23)),
  ]);
}

/** Kinds of TransactionOutput as they are numbered in HAPI 0.78. */
const outputKinds = { prng: 1, call: 2, ethereum: 3, create: 4, scheduleCreate: 5, scheduleSign: 6, account: 7 };

function outputOf({ kind }: StreamItem, record: proto.ITransactionRecord, fields: Fields): Buffer {
  const receipt = splitFields(fields.bytes(1)[0] ?? noBytes);
  const [callResult, createResult] = [fields.bytes(7)[0], fields.bytes(8)[0]];
  const result = createResult ?? callResult;
  if (kind === 'ethereumTransaction' && result) {
    return join([messageField(outputKinds.ethereum, [bytesField(createResult ? 2 : 1, evmResultOf(result))])]);
  }
  if (kind === 'contractCreateInstance' && result) {
    return join([messageField(outputKinds.create, [bytesField(1, evmResultOf(result))])]);
  }
  if (result) return join([messageField(outputKinds.call, [bytesField(1, evmResultOf(result))])]);
  const [account] = receipt.bytes(2);
  if (kind === 'cryptoCreateAccount' && account)
    return join([messageField(outputKinds.account, [bytesField(1, account)])]);
  const [schedule] = receipt.bytes(12);
  const scheduled = receipt.bytes(13);
  if (kind === 'scheduleCreate' && schedule) {
    const parts = [bytesField(1, schedule), ...scheduled.map((id) => bytesField(2, id))];
    return join([messageField(outputKinds.scheduleCreate, parts)]);
  }
  if (kind === 'scheduleSign') {
    return join([
      messageField(
        outputKinds.scheduleSign,
        scheduled.map((id) => bytesField(1, id)),
      ),
    ]);
  }
  const [bytes] = fields.bytes(19);
  if (kind === 'utilPrng' && (bytes || 'prngNumber' in record)) {
    const value = bytes ? bytesField(1, bytes) : [Buffer.of(16), encodeVarint(fields.integer(20))];
    return join([messageField(outputKinds.prng, [value])]);
  }
  return noBytes;
}

/** ContractFunctionResult → EvmTransactionResult. */
function evmResultOf(functionResult: Buffer): Buffer {
  const from = splitFields(functionResult);
  const copy = (field: number, to: number) => from.bytes(field).map((bytes) => bytesField(to, bytes));
  const call = [intField(1, from.integer(10)), intField(2, from.integer(11)), ...copy(12, 3)];
  return join([
    ...copy(13, 1),
    ...copy(1, 2),
    ...copy(2, 3),
    ...copy(3, 4),
    intField(5, from.integer(5)),
    call.flat().length > 0 ? messageField(6, call) : [],
    ...copy(14, 8),
    ...copy(15, 9),
  ]);
}

function traceOf({ sidecars }: StreamItem, record: proto.ITransactionRecord): Buffer {
  const result = record.contractCreateResult ?? record.contractCallResult;
  const initcodes = sidecars.flatMap(({ bytecode }) => (bytecode?.initcode?.length ? [bytecode] : []));
  const fields = [
    ...initcodes.map(({ contractId, initcode }) =>
      messageField(1, [
        contractId ? bytesField(1, encode(proto.ContractID, contractId)) : [],
        bytesField(2, initcode!),
      ]),
    ),
    ...sidecars.flatMap(({ actions }) =>
      (actions?.contractActions ?? []).map((action) => bytesField(2, encode(proto.ContractAction, action))),
    ),
    ...sidecars.flatMap(({ stateChanges }) => (stateChanges?.contractStateChanges ?? []).map(slotUsage)),
    ...(result?.logInfo ?? []).map((log) =>
      messageField(4, [
        bytesField(1, encode(proto.ContractID, log.contractID ?? {})),
        log.data?.length ? bytesField(2, log.data) : [],
        ...(log.topic ?? []).map((topic) => bytesField(3, trimZeros(topic))),
      ]),
    ),
  ];
  return fields.length === 0 ? noBytes : join([messageField(1, fields)]);
}

function slotUsage({ contractId, storageChanges }: proto.IContractStateChange): WireField {
  const changes = storageChanges ?? [];
  const written = changes.filter(({ valueWritten }) => valueWritten).map(({ slot }) => slot!);
  const reads = changes.map(({ slot, valueRead, valueWritten }) =>
    messageField(3, [
      // An index of 0 is written, too: it stands in a oneof.
      valueWritten ? [Buffer.of(8), encodeVarint(BigInt(written.indexOf(slot!)))] : bytesField(2, slot!),
      valueRead?.length ? bytesField(3, valueRead) : [],
    ]),
  );
  const keys = written.map((slot) => bytesField(1, slot));
  return messageField(3, [
    bytesField(1, encode(proto.ContractID, contractId ?? {})),
    keys.length > 0 ? messageField(2, keys) : [],
    ...reads,
  ]);
}

/** Numbers of states (StateIdentifier), of keys and of values in their oneofs. */
const stateKinds = {
  account: [2, 1, 1],
  bytecode: [5, 13, 3],
  file: [6, 4, 4],
  token: [7, 11, 11],
  slot: [4, 10, 9],
  topic: [21, 12, 13],
  node: [20, 3, 14],
  registeredNode: [56, 3, 23],
  airdrop: [25, 14, 15],
  schedule: [14, 9, 7],
} as const;

function stateChangesOf(item: StreamItem, record: proto.ITransactionRecord, fields: Fields): Buffer {
  const receipt = record.receipt ?? {};
  const raw = splitFields(fields.bytes(1)[0] ?? noBytes);
  const changes: WireField[] = [];
  const update = (kind: keyof typeof stateKinds, key: Uint8Array, value: Uint8Array | null): void => {
    const [state, keyField, valueField] = stateKinds[kind];
    const keyBytes = messageField(1, [bytesField(keyField, key)]);
    const change = value
      ? messageField(5, [keyBytes, messageField(2, [bytesField(valueField, value)])])
      : messageField(6, [keyBytes]);
    changes.push(messageField(2, [intField(1, state), change]));
  };
  const { accountID, topicID, tokenID } = receipt;
  const alias = record.evmAddress?.length ? record.evmAddress : record.alias;
  if (accountID && item.kind === 'cryptoCreateAccount') {
    update('account', raw.bytes(2)[0]!, encode(proto.Account, { accountId: accountID, alias }));
  }
  const created = record.contractCreateResult;
  if (created?.contractID && created.evmAddress?.value) {
    const accountId = encode(proto.AccountID, { accountNum: created.contractID.contractNum });
    const contract = {
      accountId: proto.AccountID.decode(accountId),
      alias: created.evmAddress.value,
      smartContract: true,
    };
    update('account', accountId, encode(proto.Account, contract));
  }
  if (item.kind === 'fileCreate') for (const id of raw.bytes(3)) update('file', id, noBytes);
  if (item.kind === 'consensusCreateTopic' && topicID)
    update('topic', raw.bytes(6)[0]!, encode(proto.Topic, { topicId: topicID }));
  if (item.kind === 'tokenCreation' && tokenID)
    update('token', raw.bytes(10)[0]!, encode(proto.Token, { tokenId: tokenID }));
  if (item.kind === 'scheduleCreate') for (const id of raw.bytes(12)) update('schedule', id, noBytes);
  if (item.kind === 'nodeCreate' && item.status === 'SUCCESS')
    update('node', join([intField(1, raw.integer(15))]), Buffer.of(8, 1));
  if (item.kind === 'registeredNodeCreate' && item.status === 'SUCCESS')
    update('registeredNode', join([intField(1, raw.integer(16))]), Buffer.of(8, 1));
  const body = bodyOf(item);
  if (receipt.topicRunningHash?.length && body.consensusSubmitMessage?.topicID) {
    const topicId = body.consensusSubmitMessage.topicID;
    const topic = { topicId, sequenceNumber: receipt.topicSequenceNumber, runningHash: receipt.topicRunningHash };
    update('topic', encode(proto.TopicID, topicId), encode(proto.Topic, topic));
  }
  const token = body.tokenMint?.token ?? body.tokenBurn?.token ?? body.tokenWipe?.token;
  if (token && item.status === 'SUCCESS') {
    const lastUsedSerialNumber = receipt.serialNumbers?.at(-1);
    const state = { tokenId: token, totalSupply: receipt.newTotalSupply, lastUsedSerialNumber };
    update('token', encode(proto.TokenID, token), encode(proto.Token, state));
  }
  for (const { pendingAirdropId, pendingAirdropValue } of record.newPendingAirdrops ?? []) {
    const value = encode(proto.AccountPendingAirdrop, { pendingAirdropValue });
    update(
      'airdrop',
      encode(proto.PendingAirdropId, pendingAirdropId ?? {}),
      value.length > 0 ? value : Buffer.of(18, 0),
    );
  }
  for (const { bytecode, stateChanges } of item.sidecars) {
    if (bytecode?.contractId && bytecode.runtimeBytecode?.length) {
      const key = encode(proto.ContractID, bytecode.contractId);
      update('bytecode', key, encode(proto.Bytecode, { code: bytecode.runtimeBytecode }));
    }
    for (const { contractId, storageChanges } of stateChanges?.contractStateChanges ?? []) {
      for (const { slot, valueWritten } of storageChanges ?? []) {
        if (!valueWritten) continue;
        const key = encode(proto.SlotKey, { contractID: contractId, key: slot });
        update('slot', key, valueWritten.value?.length ? encode(proto.SlotValue, { value: valueWritten.value }) : null);
      }
    }
  }
  return join([...fields.bytes(3).map((time) => bytesField(1, time)), ...changes]);
}

function bodyOf({ transaction }: StreamItem): proto.ITransactionBody {
  const signed = splitFields(transaction).bytes(5)[0]!;
  return proto.TransactionBody.decode(splitFields(signed).bytes(1)[0] ?? noBytes);
}

const noBytes = Buffer.alloc(0);

function encode<Message>(type: { encode(message: Message): { finish(): Uint8Array } }, message: Message): Buffer {
  return Buffer.from(type.encode(message).finish());
}

function join(fields: readonly WireField[]): Buffer {
  return Buffer.concat(fields.flat());
}

function trimZeros(topic: Uint8Array): Uint8Array {
  const first = topic.findIndex((byte) => byte !== 0);
  return first < 0 ? new Uint8Array(0) : topic.subarray(first);
}

function splitFields(message: Buffer): Fields {
  const bytes = new Map<number, Buffer[]>();
  const integers = new Map<number, bigint>();
  visitWireFields(message, (number, wireType, start, end) => {
    if (wireType === wireBytes) bytes.set(number, [...(bytes.get(number) ?? []), message.subarray(start, end)]);
    else if (wireType === wireVarint) integers.set(number, readVarint64(message, start));
  });
  return { bytes: (number) => bytes.get(number) ?? [], integer: (number) => integers.get(number) ?? 0n };
}
