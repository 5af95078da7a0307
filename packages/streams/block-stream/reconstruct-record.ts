// The record of a transaction, reconstructed from outputs, traces and the later state in a block. Each type undoes its
// change in the state, so that the transaction before it sees the right state.
import { decodeMessage } from '../../protocol/hapi/decode-message.ts';
import { toEntityId, toEntityIdOrNone } from '../../protocol/hapi/entity-id.ts';
import { proto, toBigInt, toLong } from '../../protocol/hapi/hapi.ts';
import { isSuccess } from '../../protocol/hapi/response-codes.ts';
import type { TransactionBody } from '../../protocol/hapi/transaction-body.ts';
import { typeNumber } from '../../protocol/hapi/transaction-types.ts';
import { findWireVarint } from '../../protocol/wire-fields.ts';
import type { BlockMessages } from './block-messages.generated.ts';
import type { PairedTransaction } from './block-sequence.ts';
import type { BlockState } from './block-state.ts';
import type { BlockRecord } from './read-result.ts';
import { bodyOf } from './signed-transaction.ts';

/** Ids as the block has them, by their name in the receipt: a block is not refused because one cannot be decoded. */
export type ReceiptIds = { [Name in keyof typeof receiptIdTypes]?: Buffer };

export const receiptIdTypes = {
  contractID: proto.ContractID,
  fileID: proto.FileID,
  scheduleID: proto.ScheduleID,
  scheduledTransactionID: proto.TransactionID,
  tokenID: proto.TokenID,
  topicID: proto.TopicID,
};

type RecordContext = {
  transaction: PairedTransaction;
  state: BlockState;
  isDone: boolean;
  /** Something of the record is not known. */
  onUnknown(what: string): void;
  body: TransactionBody;
  /** What is reconstructed is added. */
  record: BlockRecord;
  receiptIds: ReceiptIds;
};

type Reconstruct = (context: RecordContext) => void;

/** Completes the record of the transaction's result, except for the returned ids. */
export function reconstructRecord(
  transaction: PairedTransaction,
  state: BlockState,
  onUnknown: RecordContext['onUnknown'],
): ReceiptIds | null {
  const reconstruct = reconstructors[transaction.transaction.type];
  if (!reconstruct) return null;
  const { status, record } = transaction.result;
  const receiptIds: ReceiptIds = {};
  const body = bodyOf(transaction.transaction).body ?? {};
  reconstruct({ transaction, state, isDone: isSuccess(status), onUnknown, body, record, receiptIds });
  return receiptIds;
}

const reconstructors: Readonly<Record<number, Reconstruct>> = {
  [typeNumber.cryptoCreateAccount]({ transaction, state, record }) {
    const bytes = findOutput(transaction, 'accountCreate')?.createdAccountId;
    if (!bytes?.length) return;
    const id = decodeMessage(proto.AccountID, bytes);
    record.receipt.accountID = id;
    const alias = state.alias(toEntityId(id));
    if (alias?.length === 20) record.evmAddress = alias;
    else if (alias?.length) record.alias = alias;
  },
  [typeNumber.fileCreate]: (context) => addCreatedId(context, 'fileId', 'fileID'),
  [typeNumber.consensusCreateTopic]: (context) => addCreatedId(context, 'topicId', 'topicID'),
  [typeNumber.tokenCreation]: (context) => addCreatedId(context, 'tokenId', 'tokenID'),
  [typeNumber.nodeCreate]: (context) => addCreatedNumber(context, 'node', 'nodeId'),
  [typeNumber.registeredNodeCreate]: (context) => addCreatedNumber(context, 'registeredNode', 'registeredNodeId'),
  [typeNumber.scheduleCreate](context) {
    const output = findOutput(context.transaction, 'createSchedule');
    if (!output?.scheduleId.length) return addCreatedId(context, 'scheduleId', 'scheduleID');
    context.receiptIds.scheduleID = output.scheduleId;
    addScheduledId(context, output.scheduledTransactionId);
  },
  [typeNumber.scheduleSign]: (context) =>
    addScheduledId(context, findOutput(context.transaction, 'signSchedule')?.scheduledTransactionId),
  [typeNumber.utilPrng]({ transaction, record }) {
    const entropy = findOutput(transaction, 'utilPrng');
    if (entropy?.prngBytes?.length) record.prngBytes = entropy.prngBytes;
    // Also 0.
    if (entropy && Object.hasOwn(entropy, 'prngNumber')) record.prngNumber = entropy.prngNumber;
  },
  [typeNumber.consensusSubmitMessage]({ transaction, state, body, isDone, onUnknown, record: { receipt } }) {
    if (!isDone) return;
    const topicId = toEntityId(body.consensusSubmitMessage?.topicID);
    const known = state.sequenceNumber(topicId);
    const trace = transaction.traces.find((one) => one.submitMessageTraceData)?.submitMessageTraceData;
    const traced = trace && (known === null || toBigInt(trace.sequenceNumber) === known) ? trace : null;
    if (trace && !traced) onUnknown('message with the trace of another one');
    const sequence = traced ? toBigInt(traced.sequenceNumber) : known;
    const hash = traced?.runningHash ?? state.runningHash(topicId);
    if (sequence !== null) state.setSequenceNumber(topicId, sequence - 1n);
    state.forgetRunningHash(topicId);
    if (sequence === null || !hash) {
      Object.assign(receipt, { topicSequenceNumber: null });
      return onUnknown('sequence number and running hash of a message');
    }
    receipt.topicSequenceNumber = toLong(sequence);
    receipt.topicRunningHash = hash;
    receipt.topicRunningHashVersion = topicHashVersion;
  },
  [typeNumber.tokenMint](context) {
    const { state, body, isDone, record, onUnknown } = context;
    const mint = body.tokenMint;
    const count = BigInt(mint?.metadata?.length ?? 0);
    setSupply(context, mint?.token, count > 0n ? -count : -toBigInt(mint?.amount));
    const token = toEntityId(mint?.token);
    if (!isDone || count === 0n || token === 0n) return;
    const last = state.lastSerial(token);
    if (last === null) return onUnknown('serial numbers of minted NFTs');
    const first = last - count + 1n;
    record.receipt.serialNumbers = Array.from({ length: Number(count) }, (_, index) => toLong(first + BigInt(index)));
    state.setLastSerial(token, last - count);
  },
  [typeNumber.tokenBurn](context) {
    const burn = context.body.tokenBurn;
    setSupply(context, burn?.token, takenSupply(burn?.serialNumbers, burn?.amount));
  },
  [typeNumber.tokenWipe](context) {
    const wipe = context.body.tokenWipe;
    setSupply(context, wipe?.token, takenSupply(wipe?.serialNumbers, wipe?.amount));
  },
  [typeNumber.tokenAirdrop](context) {
    if (context.isDone) addPendingAirdrops(context);
  },
  [typeNumber.tokenClaimAirdrop]: (context) =>
    takeBackAirdrops(context, context.body.tokenClaimAirdrop?.pendingAirdrops ?? []),
  [typeNumber.tokenCancelAirdrop]: (context) =>
    takeBackAirdrops(context, context.body.tokenCancelAirdrop?.pendingAirdrops ?? []),
};

function findOutput<Kind extends keyof BlockMessages['TransactionOutput']>(
  { outputs }: PairedTransaction,
  kind: Kind,
): NonNullable<BlockMessages['TransactionOutput'][Kind]> | null {
  for (const output of outputs) if (output[kind]) return output[kind];
  return null;
}

/** That of all messages in recent years. */
const topicHashVersion = toLong(3n);

function addScheduledId({ receiptIds }: RecordContext, id: Buffer | undefined): void {
  if (id?.length) receiptIds.scheduledTransactionID = id;
}

/** `undone`: what the supply was more before it. The receipt has null where the supply is unknown: 0 is one. */
function setSupply(
  { isDone, state, record, onUnknown }: RecordContext,
  id: proto.ITokenID | null | undefined,
  undone: bigint,
): void {
  const token = toEntityId(id);
  if (!isDone || token === 0n) return;
  const supply = state.totalSupply(token);
  Object.assign(record.receipt, { newTotalSupply: supply === null ? null : toLong(supply) });
  if (supply === null) onUnknown('total supply of a token');
  else state.setTotalSupply(token, supply + undone);
}

function takenSupply(serials: readonly unknown[] | null | undefined, amount: Parameters<typeof toBigInt>[0]): bigint {
  return serials?.length ? BigInt(serials.length) : toBigInt(amount);
}

function addCreatedId(
  { state, isDone, receiptIds }: RecordContext,
  kind: Parameters<BlockState['takeCreated']>[0],
  name: keyof ReceiptIds,
): void {
  const id = isDone ? state.takeCreated(kind) : null;
  if (id) receiptIds[name] = id;
}

/** Keys of nodes are a UInt64Value; 0 is written as nothing. */
function addCreatedNumber(
  { state, isDone, record }: RecordContext,
  kind: 'node' | 'registeredNode',
  name: 'nodeId' | 'registeredNodeId',
): void {
  const key = isDone ? state.takeCreated(kind) : null;
  const number = key && findWireVarint(key, 1);
  if (number) record.receipt[name] = toLong(number);
}

/** Airdrops of the unit that this transaction created or increased, each with its pending amount afterwards. */
function addPendingAirdrops({ state, body, record, onUnknown }: RecordContext): void {
  const sent = listSent(body.tokenAirdrop?.tokenTransfers ?? []);
  const pending: proto.IPendingAirdropRecord[] = [];
  for (const airdrop of state.airdrops()) {
    const { receiverId, fungibleTokenType, nonFungibleToken: nft } = airdrop.id;
    const token = toEntityId(fungibleTokenType ?? nft?.token_ID);
    const serial = toBigInt(nft?.serialNumber);
    const amount =
      sent.get(sentName(token, serial, toEntityIdOrNone(receiverId))) ?? sent.get(sentName(token, serial, byAlias));
    if (amount === undefined) continue;
    const known = state.amountOf(airdrop);
    // Of one that was ended in the same unit nothing says how much was pending before.
    if (known === null && airdrop.amount === undefined) onUnknown('amount of a pending airdrop');
    const waiting = known ?? amount;
    const pendingAirdropValue = waiting === 0n ? null : { amount: toLong(waiting) };
    pending.push({ pendingAirdropId: airdrop.id, pendingAirdropValue });
    state.setAirdrop(airdrop, waiting > amount ? waiting - amount : null);
  }
  record.newPendingAirdrops = pending;
}

/** A receiver without a number. */
const byAlias = 0n;

function sentName(token: bigint, serial: bigint, receiver: bigint): string {
  return `${token}/${serial}/${receiver}`;
}

/** Amounts by token, serial number (0 for fungible tokens) and receiver; 0 for NFTs. */
function listSent(lists: readonly proto.ITokenTransferList[]): Map<string, bigint> {
  const sent = new Map<string, bigint>();
  for (const { token, transfers, nftTransfers } of lists) {
    const tokenId = toEntityId(token);
    for (const { accountID, amount } of transfers ?? []) {
      const units = toBigInt(amount);
      if (units > 0n) sent.set(sentName(tokenId, 0n, toEntityIdOrNone(accountID)), units);
    }
    for (const { receiverAccountID, serialNumber } of nftTransfers ?? []) {
      sent.set(sentName(tokenId, toBigInt(serialNumber), toEntityIdOrNone(receiverAccountID)), 0n);
    }
  }
  return sent;
}

/** Claimed or cancelled airdrops were pending before, which the state after the unit does not show. */
function takeBackAirdrops({ state, isDone }: RecordContext, ids: readonly proto.IPendingAirdropId[]): void {
  if (isDone) for (const id of ids) state.addAirdrop(id);
}
