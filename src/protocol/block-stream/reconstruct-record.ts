// The record of a transaction, reconstructed from outputs, traces and the later state in a block. Each type undoes its change
// in the state, so that the transaction before it sees the right state.
import { decodeMessage } from '../hapi/decode-message.ts';
import { toEntityId, toEntityIdOrNone } from '../hapi/entity-id.ts';
import { proto, toBigInt } from '../hapi/hapi.ts';
import type { TransactionBody } from '../hapi/transaction-body.ts';
import { typeNumber } from '../hapi/transaction-types.ts';
import { findWireVarint } from '../wire-fields.ts';
import { bytesField, encodeVarint, intField, messageField, optionalBytes, type WireField } from '../wire-writer.ts';
import type { BlockMessages } from './block-messages.generated.ts';
import type { BlockState } from './block-state.ts';
import type { UnitTransaction } from './block-unit.ts';

export type RecordContext = {
  transaction: UnitTransaction;
  state: BlockState;
  isSuccess: boolean;
  body: TransactionBody;
};

/** Fields of TransactionReceipt and of TransactionRecord. */
type Reconstructed = { receipt: WireField[]; record: WireField[] };

type Reconstruct = (context: RecordContext) => Reconstructed;

const nothing: Reconstructed = { receipt: [], record: [] };

export function reconstructRecord(context: RecordContext): Reconstructed {
  return reconstructors[context.transaction.transaction.type]?.(context) ?? nothing;
}

const reconstructors: Readonly<Record<number, Reconstruct>> = {
  [typeNumber.cryptoCreateAccount]({ transaction, state }) {
    const id = findOutput(transaction, 'accountCreate')?.createdAccountId;
    if (!id?.length) return nothing;
    const alias = state.account(toEntityId(decodeMessage(proto.AccountID, id)))?.alias;
    const isAddress = alias?.length === 20;
    return {
      receipt: [bytesField(2, id)],
      record: [optionalBytes(16, isAddress ? null : alias), optionalBytes(21, isAddress ? alias : null)],
    };
  },
  [typeNumber.fileCreate]: (context) => createdId(context, 'fileId', 3),
  [typeNumber.consensusCreateTopic]: (context) => createdId(context, 'topicId', 6),
  [typeNumber.tokenCreation]: (context) => createdId(context, 'tokenId', 10),
  [typeNumber.nodeCreate]: (context) => createdNumber(context, 'node', 15),
  [typeNumber.registeredNodeCreate]: (context) => createdNumber(context, 'registeredNode', 16),
  [typeNumber.scheduleCreate](context) {
    const output = findOutput(context.transaction, 'createSchedule');
    if (!output?.scheduleId.length) return createdId(context, 'scheduleId', 12);
    return {
      receipt: [bytesField(12, output.scheduleId), optionalBytes(13, output.scheduledTransactionId)],
      record: [],
    };
  },
  [typeNumber.scheduleSign]: ({ transaction }) => ({
    receipt: [optionalBytes(13, findOutput(transaction, 'signSchedule')?.scheduledTransactionId)],
    record: [],
  }),
  [typeNumber.utilPrng]({ transaction }) {
    const entropy = findOutput(transaction, 'utilPrng');
    if (!entropy) return nothing;
    const { prngBytes, prngNumber = 0 } = entropy;
    const number = [prngNumberTag, encodeVarint(BigInt.asUintN(64, BigInt(prngNumber)))];
    return { receipt: [], record: [optionalBytes(19, prngBytes), Object.hasOwn(entropy, 'prngNumber') ? number : []] };
  },
  [typeNumber.consensusSubmitMessage]({ transaction, state, body, isSuccess }) {
    if (!isSuccess) return nothing;
    const traced = transaction.traces.find((trace) => trace.submitMessageTraceData)?.submitMessageTraceData;
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
  [typeNumber.tokenAirdrop]: (context) => (context.isSuccess ? pendingAirdrops(context) : nothing),
  [typeNumber.tokenClaimAirdrop]: (context) =>
    endedAirdrops(context, context.body.tokenClaimAirdrop?.pendingAirdrops ?? []),
  [typeNumber.tokenCancelAirdrop]: (context) =>
    endedAirdrops(context, context.body.tokenCancelAirdrop?.pendingAirdrops ?? []),
};

function findOutput<Kind extends keyof BlockMessages['TransactionOutput']>(
  { outputs }: UnitTransaction,
  kind: Kind,
): NonNullable<BlockMessages['TransactionOutput'][Kind]> | null {
  for (const output of outputs) if (output[kind]) return output[kind];
  return null;
}

/** TransactionRecord.prng_number, also written for 0. */
const prngNumberTag = Buffer.of(0xa0, 1);

/** That of all messages in recent years. */
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
  { state, isSuccess }: RecordContext,
  kind: Parameters<BlockState['takeCreated']>[0],
  receiptField: number,
): Reconstructed {
  const id = isSuccess ? state.takeCreated(kind) : null;
  return id ? { receipt: [bytesField(receiptField, id)], record: [] } : nothing;
}

/** Keys of nodes are a UInt64Value; 0 is written as nothing. */
function createdNumber(
  { state, isSuccess }: RecordContext,
  kind: 'node' | 'registeredNode',
  receiptField: number,
): Reconstructed {
  const key = isSuccess ? state.takeCreated(kind) : null;
  return key ? { receipt: [intField(receiptField, findWireVarint(key, 1) ?? 0n)], record: [] } : nothing;
}

/** Airdrops of the unit that this transaction created or increased, each with its pending amount afterwards. */
function pendingAirdrops({ state, body }: RecordContext): Reconstructed {
  const sent = listSent(body.tokenAirdrop?.tokenTransfers ?? []);
  const record: WireField[] = [];
  for (const airdrop of state.airdrops()) {
    const { receiverId, fungibleTokenType, nonFungibleToken: nft } = airdrop.id;
    const token = toEntityId(fungibleTokenType ?? nft?.token_ID);
    const serial = toBigInt(nft?.serialNumber);
    const amount =
      sent.get(sentName(token, serial, toEntityIdOrNone(receiverId))) ?? sent.get(sentName(token, serial, byAlias));
    if (amount === undefined) continue;
    const waiting = airdrop.amount ?? amount;
    const value = waiting === 0n ? [] : messageField(2, [intField(1, waiting)]);
    record.push(messageField(22, [bytesField(1, airdrop.idBytes), value]));
    state.setAirdrop(airdrop, waiting > amount ? waiting - amount : null);
  }
  return { receipt: [], record };
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
function endedAirdrops({ state, isSuccess }: RecordContext, ids: readonly proto.IPendingAirdropId[]): Reconstructed {
  if (isSuccess) for (const id of ids) state.addAirdrop(id);
  return nothing;
}
