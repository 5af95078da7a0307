// The state messages of accounts, files, topics, schedules and nodes.
import { proto } from '../../protocol/hapi/hapi.ts';
import { bytesField, intField } from '../../protocol/wire-writer.ts';
import {
  accountId,
  contractId,
  fileId,
  nsPerSecond,
  scheduleId,
  timestamp,
  tokenId,
  toLong,
  topicId,
} from '../ledger/hapi-values.ts';
import type { Account, LedgerFile, LedgerNode, RegisteredNode, Schedule, Topic } from '../ledger/ledger.ts';
import { encodeMessage, joinFields } from './message-fields.ts';

export function accountState(account: Account): Buffer {
  const { stakedNodeId, stakedAccountId } = account;
  return encodeMessage(proto.Account, {
    accountId: accountId(account.id),
    alias: account.alias ?? account.evmAddress ?? undefined,
    key: proto.Key.decode(account.key),
    expirationSecond: account.expiration === null ? undefined : toLong(account.expiration / nsPerSecond),
    tinybarBalance: toLong(account.balance),
    deleted: account.deleted,
    stakedAccountId: stakedAccountId === null ? undefined : accountId(stakedAccountId),
    stakedNodeId: stakedNodeId === null ? undefined : toLong(stakedNodeId),
    declineReward: account.declineReward,
    receiverSigRequired: account.receiverSigRequired,
    maxAutoAssociations: account.maxAutomaticAssociations,
    usedAutoAssociations: account.usedAutomaticAssociations,
    smartContract: account.isContract,
    ethereumNonce: toLong(account.ethereumNonce),
  });
}

export function bytecodeKey(account: Account): Buffer {
  return encodeMessage(proto.ContractID, contractId(account.id));
}

export function fileState({ id, contents, deleted, keys }: LedgerFile): Buffer {
  return encodeMessage(proto.File, {
    fileId: fileId(id),
    keys: { keys: keys.map((key) => proto.Key.decode(key)) },
    contents,
    deleted,
  });
}

export function topicState(topic: Topic): Buffer {
  return encodeMessage(proto.Topic, {
    topicId: topicId(topic.id),
    sequenceNumber: toLong(topic.sequence),
    runningHash: topic.runningHash,
    deleted: topic.deleted,
    adminKey: topic.adminKey ? proto.Key.decode(topic.adminKey) : undefined,
    submitKey: topic.submitKey ? proto.Key.decode(topic.submitKey) : undefined,
    customFees: topic.customFees.map(({ amount, token, collector }) => ({
      fixedFee: { amount: toLong(amount), denominatingTokenId: token === null ? undefined : tokenId(token) },
      feeCollectorAccountId: accountId(collector),
    })),
  });
}

export function scheduleState(schedule: Schedule): Buffer {
  return encodeMessage(proto.Schedule, {
    scheduleId: scheduleId(schedule.id),
    deleted: schedule.state === 'deleted',
    executed: schedule.state === 'executed',
    waitForExpiry: schedule.waitForExpiry,
    schedulerAccountId: accountId(schedule.creator),
    payerAccountId: accountId(schedule.payer),
    adminKey: schedule.adminKey ? proto.Key.decode(schedule.adminKey) : undefined,
    scheduleValidStart: timestamp(schedule.validStart),
    calculatedExpirationSecond: toLong(schedule.expiration / nsPerSecond),
    scheduledTransaction: proto.SchedulableTransactionBody.decode(schedule.body),
    signatories: schedule.signers.map(publicKey),
  });
}

/** Node. */
export function nodeState({ nodeId, account, description, deleted }: LedgerNode): Buffer {
  return joinFields([
    intField(1, nodeId),
    bytesField(2, encodeMessage(proto.AccountID, accountId(account))),
    bytesField(3, Buffer.from(description)),
    intField(9, deleted ? 1 : 0),
  ]);
}

/** RegisteredNode. */
export function registeredNodeState({ id }: RegisteredNode): Buffer {
  return entityNumber(id);
}

/** A number as a message: UInt64Value, NodeId. */
export function entityNumber(value: bigint): Buffer {
  return joinFields([intField(1, value)]);
}

/** ED25519 keys have 32 bytes, compressed ECDSA keys 33. */
function publicKey(hex: string): proto.IKey {
  const bytes = Buffer.from(hex, 'hex');
  return bytes.length === 32 ? { ed25519: bytes } : { ECDSASecp256k1: bytes };
}
