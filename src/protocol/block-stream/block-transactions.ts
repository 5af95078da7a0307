// Transactions of a block stream → raw transactions and records as record files have them, so that nothing behind knows
// which it was. What a block leaves out of a record is made anew: ids from outputs and state, supply, serials and
// topic hashes from the state after each transaction, the hash from the transaction's bytes.
import { decodeMessage } from '../hapi/decode-message.ts';
import { toEntityId } from '../hapi/entity-id.ts';
import { proto, toBigInt } from '../hapi/hapi.ts';
import { decodeTransactionBody, transactionType } from '../hapi/transaction-body.ts';
import { typeNumber } from '../hapi/transaction-types.ts';
import type { RawItem } from '../record-stream/raw-record-file.ts';
import { splitTransaction } from '../record-stream/split-transaction.ts';
import { sha384 } from '../sha384.ts';
import { readVarint64, visitWireFields, wireBytes, wireVarint } from '../wire-fields.ts';
import { bytesField, encodeVarint, intField, type WireField } from '../wire-writer.ts';
import type { BlockStreamItem } from './block-item.ts';
import { blockMessages, type EvmTransactionResultMessage } from './block-messages.ts';
import { type BlockState, createBlockState } from './block-state.ts';
import { type BlockUnit, readBlockUnits } from './block-unit.ts';
import { evmAddressOf, readSidecars, writeFunctionResult } from './contract-output.ts';

export type BlockTransaction = RawItem & {
  sidecars: proto.ITransactionSidecarRecord[];
  /** Thousandths; null where the block does not say. */
  congestionPricingMultiplier: bigint | null;
};

/** In block order. Throws StreamFileError. */
export function readBlockTransactions(items: readonly BlockStreamItem[]): BlockTransaction[] {
  const units = readBlockUnits(items);
  const state = createBlockState();
  const made: BlockTransaction[] = new Array(units.length);
  // Contracts that children made, by the time of their parent; children stand after it.
  const madeByParent = new Map<string, Buffer[]>();
  for (let index = units.length - 1; index >= 0; index--) {
    const unit = units[index]!;
    for (const changes of unit.stateChanges.toReversed()) state.goBack(changes);
    made[index] = toRawItem(unit, state, madeByParent);
  }
  return made;
}

type UnitContext = {
  unit: BlockUnit;
  state: BlockState;
  type: number;
  isSuccess: boolean;
  body: proto.ITransactionBody;
};

/** What state and outputs add to a record: fields of TransactionReceipt and of TransactionRecord. */
type Reconstructed = { receipt: WireField[]; record: WireField[] };

function toRawItem(unit: BlockUnit, state: BlockState, madeByParent: Map<string, Buffer[]>): BlockTransaction {
  const { signedTransaction, result } = unit;
  const transaction = Buffer.concat(bytesField(5, signedTransaction));
  const { bodyBytes } = splitTransaction(transaction);
  const type = transactionType(bodyBytes);
  const isSuccess = successes.includes(result.status);
  const lazyBody = { body: null as proto.ITransactionBody | null };
  const context: UnitContext = {
    unit,
    state,
    type,
    isSuccess,
    get body() {
      lazyBody.body ??= readBody(bodyBytes);
      return lazyBody.body;
    },
  };
  const evm = readEvmResult(context);
  const timeText = result.consensusTimestamp.toString('hex');
  const createdIds = (madeByParent.get(timeText) ?? []).toReversed();
  const contractId = evm?.result.contractId ?? noBytes;
  const isCreate = Boolean(evm?.isCreate && contractId.length > 0 && isSuccess);
  const isChild = result.parentConsensusTimestamp.length > 0;
  if (isCreate && isChild) {
    const parent = result.parentConsensusTimestamp.toString('hex');
    madeByParent.set(parent, [...(madeByParent.get(parent) ?? []), contractId]);
  }
  // A creation names its own contract first; that of a child is named by its parent.
  const createdContractIds =
    isCreate && !isChild ? [contractId, ...createdIds.filter((id) => !id.equals(contractId))] : createdIds;
  const createdId = isCreate ? toEntityId(decodeMessage(proto.ContractID, contractId)) : null;
  const parts = reconstructors[type]?.(context) ?? nothing;
  const functionResult = evm
    ? writeFunctionResult({
        result: evm.result,
        traces: unit.traces.flatMap(({ evmTraceData }) => (evmTraceData ? [evmTraceData] : [])),
        createdContractIds,
        evmAddress: createdId === null ? null : evmAddressOf(createdId, state),
      })
    : null;
  const receipt = Buffer.concat(
    [
      intField(1, result.status),
      ...parts.receipt,
      // Calls name the contract too, as receipts do.
      functionResult && contractId.length > 0 && contractTypes.includes(type) ? bytesField(4, contractId) : [],
    ].flat(),
  );
  const idBytes = findBytes(bodyBytes, 1);
  const record = Buffer.concat(
    [
      bytesField(1, receipt),
      bytesField(2, sha384(signedTransaction)),
      bytesField(3, result.consensusTimestamp),
      idBytes ? bytesField(4, idBytes) : [],
      optional(5, findBytes(bodyBytes, 6)),
      intField(6, toBigInt(result.transactionFeeCharged)),
      functionResult ? bytesField(evm?.isCreate ? 8 : 7, functionResult) : [],
      optional(10, result.transferList),
      ...result.tokenTransferLists.map((list) => bytesField(11, list)),
      optional(12, result.scheduleRef),
      ...result.assessedCustomFees.map((fee) => bytesField(13, fee)),
      ...result.automaticTokenAssociations.map((association) => bytesField(14, association)),
      optional(15, result.parentConsensusTimestamp),
      ...parts.record,
      ...result.paidStakingRewards.map((reward) => bytesField(18, reward)),
      intField(23, toBigInt(result.highVolumePricingMultiplier)),
    ].flat(),
  );
  const congestion = toBigInt(result.congestionPricingMultiplier);
  return {
    transaction,
    record,
    sidecars:
      unit.traces.length > 0 || createdId !== null ? readSidecars(unit, isCreate ? [contractId] : [], state) : [],
    congestionPricingMultiplier: congestion === 0n ? null : congestion,
  };
}

/** Of one that cannot be decoded nothing is reconstructed; what is wrong with it is said where the item is decoded. */
function readBody(bytes: Buffer): proto.ITransactionBody {
  try {
    return decodeTransactionBody(bytes).body;
  } catch {
    return {};
  }
}

/** SUCCESS, FEE_SCHEDULE_FILE_PART_UPLOADED, SUCCESS_BUT_MISSING_EXPECTED_OPERATION. */
const successes = [22, 104, 220];
const noBytes = Buffer.alloc(0);
const nothing: Reconstructed = { receipt: [], record: [] };
const contractTypes = [typeNumber.contractCall, typeNumber.contractCreateInstance];
/** Types whose output is no EVM result. */
const otherOutputs: readonly number[] = [typeNumber.scheduleCreate, typeNumber.scheduleSign, typeNumber.utilPrng];

function readEvmResult({ unit, type }: UnitContext): { result: EvmTransactionResultMessage; isCreate: boolean } | null {
  if (otherOutputs.includes(type)) return null;
  for (const output of unit.outputs) {
    const call = findBytes(output, 1);
    const create = type === typeNumber.ethereumTransaction ? findBytes(output, 2) : null;
    const message = create ?? call;
    if (!message || isEntityId(message)) continue;
    const isCreate = create !== null || type === typeNumber.contractCreateInstance;
    return { result: blockMessages.evmResult.decode(message), isCreate };
  }
  return null;
}

type Reconstruct = (context: UnitContext) => Reconstructed;

const reconstructors: Readonly<Record<number, Reconstruct>> = {
  [typeNumber.cryptoCreateAccount]({ unit, state }) {
    const id = unit.outputs.map((output) => findBytes(output, 1)).find((message) => message && isEntityId(message));
    if (!id) return nothing;
    const alias = state.account(toEntityId(decodeMessage(proto.AccountID, id)))?.alias;
    const isAddress = alias?.length === 20;
    return {
      receipt: [bytesField(2, id)],
      record: [optional(16, isAddress ? null : alias), optional(21, isAddress ? alias : null)],
    };
  },
  [typeNumber.fileCreate]: (context) => createdId(context, 'fileId', 3),
  [typeNumber.consensusCreateTopic]: (context) => createdId(context, 'topicId', 6),
  [typeNumber.tokenCreation]: (context) => createdId(context, 'tokenId', 10),
  [typeNumber.nodeCreate]: (context) => createdNumber(context, 'node', 15),
  [typeNumber.registeredNodeCreate]: (context) => createdNumber(context, 'registeredNode', 16),
  [typeNumber.scheduleCreate](context) {
    const [output] = context.unit.outputs;
    const id = output && findBytes(output, 1);
    const scheduled = output && findBytes(output, 2);
    if (!id) return createdId(context, 'scheduleId', 12);
    return { receipt: [bytesField(12, id), optional(13, scheduled)], record: [] };
  },
  [typeNumber.scheduleSign]({ unit }) {
    const [output] = unit.outputs;
    return { receipt: [optional(13, output && findBytes(output, 1))], record: [] };
  },
  [typeNumber.utilPrng]({ unit }) {
    const [output] = unit.outputs;
    const bytes = output && findBytes(output, 1);
    const integer = output ? findVarint(output, 2) : null;
    return {
      receipt: [],
      record: [optional(19, bytes), integer === null ? [] : [prngNumberTag, encodeVarint(BigInt.asUintN(64, integer))]],
    };
  },
  [typeNumber.consensusSubmitMessage]({ unit, state, body, isSuccess }) {
    if (!isSuccess) return nothing;
    const traced = unit.traces.find(({ submitMessageTraceData }) => submitMessageTraceData)?.submitMessageTraceData;
    const topic = state.topic(toEntityId(body.consensusSubmitMessage?.topicID));
    const sequence = traced ? toBigInt(traced.sequenceNumber) : topic?.sequenceNumber;
    const hash = traced?.runningHash ?? topic?.runningHash;
    if (topic) topic.sequenceNumber = (sequence ?? topic.sequenceNumber) - 1n;
    if (sequence === undefined || !hash) return nothing;
    return { receipt: [intField(7, sequence), bytesField(8, hash), intField(9, topicHashVersion)], record: [] };
  },
  [typeNumber.tokenMint]({ state, body, isSuccess }) {
    const mint = body.tokenMint;
    const token = isSuccess ? state.token(toEntityId(mint?.token)) : null;
    if (!token) return nothing;
    const count = BigInt(mint?.metadata?.length ?? 0);
    const supply = token.totalSupply;
    const serials = Array.from({ length: Number(count) }, (_, index) => token.lastSerial - count + BigInt(index + 1));
    token.totalSupply -= count > 0n ? count : toBigInt(mint?.amount);
    token.lastSerial -= count;
    const packed = Buffer.concat(serials.map(encodeVarint));
    return { receipt: [intField(11, supply), count > 0n ? bytesField(14, packed) : []], record: [] };
  },
  [typeNumber.tokenBurn]: ({ state, body: { tokenBurn: burn }, isSuccess }) =>
    takenSupply(isSuccess, state, burn?.token, burn?.serialNumbers, burn?.amount),
  [typeNumber.tokenWipe]: ({ state, body: { tokenWipe: wipe }, isSuccess }) =>
    takenSupply(isSuccess, state, wipe?.token, wipe?.serialNumbers, wipe?.amount),
  [typeNumber.tokenAirdrop]({ state, body, isSuccess }) {
    if (!isSuccess) return nothing;
    const named = new Set((body.tokenAirdrop?.tokenTransfers ?? []).map(({ token }) => toEntityId(token)));
    const pending = state.takeAirdrops(named);
    return {
      receipt: [],
      record: pending.map(({ id, value }) => {
        const message = { pendingAirdropId: id, pendingAirdropValue: value };
        return bytesField(22, proto.PendingAirdropRecord.encode(message).finish());
      }),
    };
  },
};

/** TransactionRecord.prng_number, written when it is 0 too. */
const prngNumberTag = Buffer.of(0xa0, 1);

/** The one that all messages of the last years have. */
const topicHashVersion = 3;

function takenSupply(
  isSuccess: boolean,
  state: BlockState,
  id: proto.ITokenID | null | undefined,
  serials: readonly unknown[] | null | undefined,
  amount: Parameters<typeof toBigInt>[0],
): Reconstructed {
  const token = isSuccess ? state.token(toEntityId(id)) : null;
  if (!token) return nothing;
  const supply = token.totalSupply;
  token.totalSupply += serials?.length ? BigInt(serials.length) : toBigInt(amount);
  return { receipt: [intField(11, supply)], record: [] };
}

function createdId(
  { state, isSuccess }: UnitContext,
  kind: Parameters<BlockState['takeCreated']>[0],
  receiptField: number,
): Reconstructed {
  const id = isSuccess ? state.takeCreated(kind) : null;
  return id ? { receipt: [bytesField(receiptField, id)], record: [] } : nothing;
}

/** Keys of nodes are a UInt64Value; 0 is written as nothing. */
function createdNumber(
  { state, isSuccess }: UnitContext,
  kind: 'node' | 'registeredNode',
  receiptField: number,
): Reconstructed {
  const key = isSuccess ? state.takeCreated(kind) : null;
  return key ? { receipt: [intField(receiptField, findVarint(key, 1) ?? 0n)], record: [] } : nothing;
}

/** Whether a message is an AccountID with numbers; an EVM result has messages in the same fields. */
function isEntityId(message: Buffer): boolean {
  let isId = message.length > 0;
  visitWireFields(message, (number, wireType) => {
    if (number > 4 || (number !== 4 && wireType !== wireVarint)) isId = false;
  });
  return isId;
}

function findBytes(message: Buffer, wanted: number): Buffer | null {
  let found: Buffer | null = null;
  visitWireFields(message, (number, wireType, start, end) => {
    if (number === wanted && wireType === wireBytes) found = message.subarray(start, end);
  });
  return found;
}

function findVarint(message: Buffer, wanted: number): bigint | null {
  let found: bigint | null = null;
  visitWireFields(message, (number, wireType, start) => {
    if (number === wanted && wireType === wireVarint) found = readVarint64(message, start);
  });
  return found;
}

function optional(number: number, bytes: Uint8Array | null | undefined): WireField {
  return bytes && bytes.length > 0 ? bytesField(number, bytes) : [];
}
