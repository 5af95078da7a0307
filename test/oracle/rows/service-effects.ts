// Files, topics, schedules, and network administration.
import { toEntityId } from '../../../packages/protocol/hapi/entity-id.ts';
import { proto, toBigInt } from '../../../packages/protocol/hapi/hapi.ts';
import type { RegisteredServiceEndpoint } from '../../../packages/protocol/hapi/transaction-body.ts';
import { rawField } from '../read/raw-field.ts';
import type { ExpectedRow } from './expected-tables.ts';
import {
  bytes,
  type Effect,
  encodeKey,
  type Fact,
  type Known,
  keyMembers,
  nanoseconds,
  nanosPerDay,
  noBytes,
  seconds,
  wrapped,
} from './fact.ts';
import { setFees } from './token-effects.ts';

export const fileCreate: Effect<'fileCreate'> = (fact, body, known) => {
  known.entity(fact, fact.subject, 'FILE', {
    created_timestamp: fact.at,
    deleted: false,
    key: body.keys ? keyList(body.keys) : undefined,
    memo: body.memo ?? '',
    expiration_timestamp: nanoseconds(body.expirationTime),
  });
  write(fact, known, body.contents);
};

export const fileAppend: Effect<'fileAppend'> = (fact, body, known) => write(fact, known, body.contents);

export const fileUpdate: Effect<'fileUpdate'> = (fact, body, known) => {
  known.entity(fact, fact.subject, 'FILE', {
    deleted: false,
    key: body.keys ? keyList(body.keys) : undefined,
    memo: wrapped(body.memo, ''),
    expiration_timestamp: nanoseconds(body.expirationTime),
  });
  write(fact, known, body.contents);
};

export const fileDelete: Effect<'fileDelete'> = (fact, _body, known) =>
  known.entity(fact, fact.subject, 'FILE', { deleted: true });

export const systemDelete: Effect<'systemDelete'> = (fact, body, known) =>
  known.entity(fact, fact.subject, body.contractID ? 'CONTRACT' : 'FILE', { deleted: true });
export const systemUndelete: Effect<'systemUndelete'> = (fact, body, known) =>
  known.entity(fact, fact.subject, body.contractID ? 'CONTRACT' : 'FILE', { deleted: false });

function write(fact: Fact, known: Known, contents: Uint8Array | null | undefined): void {
  known.tables.add('file_data', {
    consensus_timestamp: fact.at,
    entity_id: fact.subject,
    file_data: contents ?? noBytes,
    transaction_type: fact.type,
  });
}

function keyList(keys: proto.IKeyList): Uint8Array {
  return proto.KeyList.encode(keys).finish();
}

export const consensusCreateTopic: Effect<'consensusCreateTopic'> = (fact, body, known) => {
  known.entity(fact, fact.subject, 'TOPIC', {
    created_timestamp: fact.at,
    deleted: false,
    ...keyMembers(body.adminKey),
    auto_renew_account_id: body.autoRenewAccount ? known.account(body.autoRenewAccount) : undefined,
    auto_renew_period: seconds(body.autoRenewPeriod),
    memo: body.memo ?? '',
  });
  known.tables.version('topic', `${fact.subject}`, fact.at, {
    id: fact.subject,
    admin_key: encodeKey(body.adminKey),
    created_timestamp: fact.at,
    fee_exempt_key_list: proto.FeeExemptKeyList.encode({ keys: body.feeExemptKeyList ?? [] }).finish(),
    fee_schedule_key: encodeKey(body.feeScheduleKey),
    submit_key: encodeKey(body.submitKey),
  });
  setFees(fact, known, fact.subject, body.customFees ?? []);
};

export const consensusUpdateTopic: Effect<'consensusUpdateTopic'> = (fact, body, known) => {
  known.entity(fact, fact.subject, 'TOPIC', {
    deleted: false,
    ...keyMembers(body.adminKey),
    auto_renew_account_id: body.autoRenewAccount ? known.account(body.autoRenewAccount) : undefined,
    auto_renew_period: seconds(body.autoRenewPeriod),
    expiration_timestamp: nanoseconds(body.expirationTime),
    memo: wrapped(body.memo, ''),
  });
  known.tables.version('topic', `${fact.subject}`, fact.at, {
    admin_key: encodeKey(body.adminKey),
    fee_exempt_key_list: body.feeExemptKeyList
      ? proto.FeeExemptKeyList.encode(body.feeExemptKeyList).finish()
      : undefined,
    fee_schedule_key: encodeKey(body.feeScheduleKey),
    submit_key: encodeKey(body.submitKey),
  });
  if (body.customFees) setFees(fact, known, fact.subject, body.customFees.fees ?? []);
};

export const consensusDeleteTopic: Effect<'consensusDeleteTopic'> = (fact, _body, known) =>
  known.entity(fact, fact.subject, 'TOPIC', { deleted: true });

export const consensusSubmitMessage: Effect<'consensusSubmitMessage'> = (fact, body, known) => {
  const { receipt } = fact.record;
  const version = toBigInt(receipt?.topicRunningHashVersion);
  const first = body.chunkInfo?.initialTransactionID;
  known.tables.add('topic_message', {
    chunk_num: body.chunkInfo ? (body.chunkInfo.number ?? 0) : null,
    chunk_total: body.chunkInfo ? (body.chunkInfo.total ?? 0) : null,
    consensus_timestamp: fact.at,
    initial_transaction_id: first ? proto.TransactionID.encode(first).finish() : null,
    message: body.message ?? noBytes,
    payer_account_id: fact.payer,
    running_hash: receipt?.topicRunningHash,
    // 3, the version of nearly all messages, is not stored.
    running_hash_version: version === 3n ? null : version || 1n,
    sequence_number: toBigInt(receipt?.topicSequenceNumber),
    topic_id: fact.subject,
    valid_start_timestamp: nanoseconds(fact.body.transactionID?.transactionValidStart),
  });
};

export const scheduleCreate: Effect<'scheduleCreate'> = (fact, body, known) => {
  known.entity(fact, fact.subject, 'SCHEDULE', {
    created_timestamp: fact.at,
    deleted: false,
    ...keyMembers(body.adminKey),
    memo: body.memo ?? '',
  });
  const { senderId } = fact.parent?.record.contractCallResult ?? fact.parent?.record.contractCreateResult ?? {};
  const creator = fact.parent?.body.ethereumTransaction ? known.account(senderId) || fact.payer : fact.payer;
  known.tables.put('schedule', `${fact.subject}`, {
    schedule_id: fact.subject,
    consensus_timestamp: fact.at,
    creator_account_id: creator,
    expiration_time: nanoseconds(body.expirationTime) ?? null,
    payer_account_id: known.account(body.payerAccountID) || creator,
    // In the signed bytes, or in the older form of a transaction.
    transaction_body:
      rawField(fact.transactionBytes, [5, 1, 42, 1]) ?? rawField(fact.transactionBytes, [4, 42, 1]) ?? noBytes,
    wait_for_expiry: body.waitForExpiry === true,
  });
};

export const scheduleDelete: Effect<'scheduleDelete'> = (fact, _body, known) =>
  known.entity(fact, fact.subject, 'SCHEDULE', { deleted: true });

export const utilPrng: Effect<'utilPrng'> = (fact, body, known) => {
  const { prngBytes, prngNumber } = fact.record;
  if (!prngBytes && (prngNumber === null || prngNumber === undefined)) return;
  known.tables.add('prng', {
    consensus_timestamp: fact.at,
    payer_account_id: fact.payer,
    prng_bytes: prngBytes ?? null,
    prng_number: prngNumber ?? null,
    range: body.range ?? 0,
  });
};

/**
 * At a time, or, in the old form, between two times of its day (UTC); the end is on the next day if its hour is
 * smaller.
 */
export const freeze: Effect<'freeze'> = (fact, body, known) => {
  const midnight = (fact.at / nanosPerDay) * nanosPerDay;
  const at = (hour: number, minute: number): bigint => midnight + BigInt(hour * 3600 + minute * 60) * 1_000_000_000n;
  const [from, to] = [body.startHour ?? 0, body.endHour ?? 0];
  known.tables.add('network_freeze', {
    consensus_timestamp: fact.at,
    start_time: nanoseconds(body.startTime) ?? at(from, body.startMin ?? 0),
    end_time: body.startTime ? null : at(from > to ? to + 24 : to, body.endMin ?? 0),
    file_hash: body.fileHash ?? noBytes,
    file_id: toEntityId(body.updateFile) || null,
    payer_account_id: fact.payer,
    type: body.freezeType ?? 0,
  });
};

export const nodeStakeUpdate: Effect<'nodeStakeUpdate'> = (fact, body, known) => {
  const period = {
    consensus_timestamp: fact.at,
    epoch_day: fact.at / nanosPerDay - 1n,
    staking_period: nanoseconds(body.endOfStakingPeriod),
  };
  const nodes = body.nodeStake ?? [];
  for (const node of nodes) {
    known.tables.add('node_stake', {
      ...period,
      node_id: toBigInt(node.nodeId),
      max_stake: toBigInt(node.maxStake),
      min_stake: toBigInt(node.minStake),
      reward_rate: toBigInt(node.rewardRate),
      stake: toBigInt(node.stake),
      stake_not_rewarded: toBigInt(node.stakeNotRewarded),
      stake_rewarded: toBigInt(node.stakeRewarded),
    });
  }
  known.tables.add('network_stake', {
    ...period,
    max_stake_rewarded: toBigInt(body.maxStakeRewarded),
    max_staking_reward_rate_per_hbar: toBigInt(body.maxStakingRewardRatePerHbar),
    max_total_reward: toBigInt(body.maxTotalReward),
    node_reward_fee_denominator: toBigInt(body.nodeRewardFeeFraction?.denominator),
    node_reward_fee_numerator: toBigInt(body.nodeRewardFeeFraction?.numerator),
    reserved_staking_rewards: toBigInt(body.reservedStakingRewards),
    reward_balance_threshold: toBigInt(body.rewardBalanceThreshold),
    stake_total: nodes.reduce((sum, one) => sum + toBigInt(one.stakeRewarded) + toBigInt(one.stakeNotRewarded), 0n),
    staking_period_duration: toBigInt(body.stakingPeriod),
    staking_periods_stored: toBigInt(body.stakingPeriodsStored),
    staking_reward_fee_denominator: toBigInt(body.stakingRewardFeeFraction?.denominator),
    staking_reward_fee_numerator: toBigInt(body.stakingRewardFeeFraction?.numerator),
    staking_reward_rate: toBigInt(body.stakingRewardRate),
    staking_start_threshold: toBigInt(body.stakingStartThreshold),
    unreserved_staking_reward_balance: toBigInt(body.unreservedStakingRewardBalance),
  });
};

export const nodeCreate: Effect<'nodeCreate'> = (fact, body, known) => {
  const id = toBigInt(fact.record.receipt?.nodeId);
  known.tables.version('node', `${id}`, fact.at, {
    node_id: id,
    account_id: known.account(body.accountId),
    admin_key: encodeKey(body.adminKey),
    associated_registered_nodes: (body.associatedRegisteredNode ?? []).map(toBigInt),
    created_timestamp: fact.at,
    decline_reward: body.declineReward === true,
    deleted: false,
    grpc_proxy_endpoint: endpoint(body.grpcProxyEndpoint),
  });
};

export const nodeUpdate: Effect<'nodeUpdate'> = (fact, body, known) => {
  const id = toBigInt(body.nodeId);
  known.tables.version('node', `${id}`, fact.at, {
    node_id: id,
    account_id: known.account(body.accountId) || undefined,
    admin_key: encodeKey(body.adminKey),
    associated_registered_nodes: body.associatedRegisteredNodeList?.associatedRegisteredNode.map(toBigInt),
    decline_reward: wrapped(body.declineReward, false),
    deleted: false,
    grpc_proxy_endpoint: endpoint(body.grpcProxyEndpoint),
  });
};

export const nodeDelete: Effect<'nodeDelete'> = (fact, body, known) =>
  known.tables.version('node', `${toBigInt(body.nodeId)}`, fact.at, { deleted: true });

function endpoint(one: proto.IServiceEndpoint | null | undefined): ExpectedRow | undefined {
  return one
    ? { domain_name: one.domainName ?? '', ip_address_v4: [...(one.ipAddressV4 ?? [])].join('.'), port: one.port ?? 0 }
    : undefined;
}

export const registeredNodeCreate: Effect<'registeredNodeCreate'> = (fact, body, known) => {
  const id = toBigInt(fact.record.receipt?.registeredNodeId);
  known.tables.version('registered_node', `${id}`, fact.at, {
    registered_node_id: id,
    admin_key: bytes(body.adminKey),
    created_timestamp: fact.at,
    deleted: false,
    description: body.description ?? '',
    ...endpoints(body.serviceEndpoint),
  });
};

export const registeredNodeUpdate: Effect<'registeredNodeUpdate'> = (fact, body, known) =>
  known.tables.version('registered_node', `${toBigInt(body.registeredNodeId)}`, fact.at, {
    admin_key: bytes(body.adminKey) ?? undefined,
    deleted: false,
    description: wrapped(body.description, ''),
    ...(body.serviceEndpoint.length > 0 ? endpoints(body.serviceEndpoint) : {}),
  });

export const registeredNodeDelete: Effect<'registeredNodeDelete'> = (fact, body, known) =>
  known.tables.version('registered_node', `${toBigInt(body.registeredNodeId)}`, fact.at, { deleted: true });

const blockNodeApis = ['OTHER', 'STATUS', 'PUBLISH', 'SUBSCRIBE_STREAM', 'STATE_PROOF'];

/** Kinds: 1 block node, 2 general service, 3 mirror node, 4 relay. */
function endpoints(list: readonly RegisteredServiceEndpoint[]): ExpectedRow {
  const kindOf = (one: RegisteredServiceEndpoint): number[] =>
    one.blockNode ? [1] : one.generalService ? [2] : one.mirrorNode ? [3] : one.rpcRelay ? [4] : [];
  return {
    type: [...new Set(list.flatMap(kindOf))].sort(),
    service_endpoints: list.map((one) => ({
      block_node: one.blockNode ? { endpoint_apis: one.blockNode.endpointApi.map((api) => blockNodeApis[api]) } : null,
      domain_name: one.domainName || null,
      general_service: one.generalService ? { description: one.generalService.description ?? '' } : null,
      ip_address: one.ipAddress?.length ? [...one.ipAddress].join('.') : null,
      mirror_node: one.mirrorNode ? {} : null,
      port: one.port ?? 0,
      requires_tls: one.requiresTls === true,
      rpc_relay: one.rpcRelay ? {} : null,
    })),
  };
}

export const ledgerIdPublication: Effect<'ledgerIdPublication'> = (fact, body, known) => {
  const id = Buffer.from(body.ledgerId ?? []);
  known.tables.put('ledger', id.toString('hex'), {
    ledger_id: id,
    consensus_timestamp: fact.at,
    history_proof_verification_key: body.historyProofVerificationKey,
    node_contributions: body.nodeContributions.map(({ nodeId, weight, historyProofKey }) => ({
      history_proof_key: Buffer.from(historyProofKey ?? []).toString('base64'),
      node_id: toBigInt(nodeId),
      weight: toBigInt(weight),
    })),
  });
};
