// Accounts, allowances and hooks.
import { toEntityId } from '../../../packages/protocol/hapi/entity-id.ts';
import { aliasToEvmAddress } from '../../../packages/protocol/hapi/evm-address.ts';
import { type proto, toBigInt } from '../../../packages/protocol/hapi/hapi.ts';
import { keccak256 } from '../../../packages/protocol/keccak256.ts';
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
  tokenOf,
  withoutLeadingZeros,
  wrapped,
} from './fact.ts';

type StakingCreation = Pick<proto.ICryptoCreateTransactionBody, 'stakedNodeId' | 'stakedAccountId' | 'declineReward'>;
type StakingUpdate = Pick<proto.ICryptoUpdateTransactionBody, 'stakedNodeId' | 'stakedAccountId' | 'declineReward'>;

export function stakingOfCreation(fact: Fact, body: StakingCreation): ExpectedRow {
  const since = { stake_period_start: fact.at / nanosPerDay };
  const decline = { decline_reward: body.declineReward === true };
  if (body.stakedNodeId !== null && body.stakedNodeId !== undefined) {
    return { ...decline, staked_node_id: toBigInt(body.stakedNodeId), ...since };
  }
  return body.stakedAccountId ? { ...decline, staked_account_id: toEntityId(body.stakedAccountId), ...since } : decline;
}

/** A staked node replaces a staked account and vice versa: node −1 and account 0 mean "none". */
export function stakingOfUpdate(fact: Fact, body: StakingUpdate): ExpectedRow {
  const isNode = body.stakedNodeId !== null && body.stakedNodeId !== undefined;
  if (!isNode && !body.stakedAccountId && !body.declineReward) return {};
  return {
    decline_reward: wrapped(body.declineReward, false),
    stake_period_start: fact.at / nanosPerDay,
    ...(isNode ? { staked_node_id: toBigInt(body.stakedNodeId), staked_account_id: 0n } : {}),
    ...(body.stakedAccountId ? { staked_account_id: toEntityId(body.stakedAccountId), staked_node_id: -1n } : {}),
  };
}

export const cryptoCreateAccount: Effect<'cryptoCreateAccount'> = (fact, body, known) => {
  const alias = bytes(fact.record.alias) ?? bytes(body.alias);
  const evmAddress = bytes(fact.record.evmAddress) ?? (alias ? aliasToEvmAddress(alias) : null);
  const key = keyMembers(body.key);
  known.remember(fact.subject, alias, evmAddress);
  known.entity(fact, fact.subject, 'ACCOUNT', {
    created_timestamp: fact.at,
    deleted: false,
    alias,
    evm_address: evmAddress,
    ...key,
    memo: body.memo ?? '',
    auto_renew_period: seconds(body.autoRenewPeriod),
    proxy_account_id: toEntityId(body.proxyAccountID) || undefined,
    max_automatic_token_associations: body.maxAutomaticTokenAssociations ?? 0,
    receiver_sig_required: body.receiverSigRequired === true,
    balance: 0n,
    balance_timestamp: fact.at,
    ethereum_nonce: 0n,
    ...stakingOfCreation(fact, body),
  });
  changeHooks(fact, known, body);
};

export const cryptoUpdateAccount: Effect<'cryptoUpdateAccount'> = (fact, body, known) => {
  if (fact.subject === 0n) return;
  known.entity(fact, fact.subject, 'ACCOUNT', {
    deleted: false,
    ...keyMembers(body.key),
    memo: wrapped(body.memo, ''),
    auto_renew_period: seconds(body.autoRenewPeriod),
    expiration_timestamp: nanoseconds(body.expirationTime),
    max_automatic_token_associations: wrapped(body.maxAutomaticTokenAssociations, 0),
    receiver_sig_required: wrapped(body.receiverSigRequiredWrapper, false) ?? (body.receiverSigRequired || undefined),
    ...stakingOfUpdate(fact, body),
  });
  changeHooks(fact, known, body);
};

export const cryptoDelete: Effect<'cryptoDelete'> = (fact, body, known) =>
  known.entity(fact, fact.subject, 'ACCOUNT', {
    deleted: true,
    obtainer_id: known.account(body.transferAccountID) || undefined,
  });

/** The last of several approvals of the same thing is valid. */
export const cryptoApproveAllowance: Effect<'cryptoApproveAllowance'> = (fact, body, known) => {
  const ownerOf = (id: proto.IAccountID | null | undefined): bigint => known.account(id) || fact.payer;
  for (const { owner, spender, amount } of body.cryptoAllowances ?? []) {
    const names = { owner: ownerOf(owner), spender: known.account(spender) };
    const granted = { amount: toBigInt(amount), amount_granted: toBigInt(amount), payer_account_id: fact.payer };
    known.tables.version('crypto_allowance', `${names.owner}:${names.spender}`, fact.at, { ...names, ...granted });
  }
  for (const { owner, spender, tokenId, amount } of body.tokenAllowances ?? []) {
    const names = { owner: ownerOf(owner), spender: known.account(spender), token_id: tokenOf(tokenId) };
    const granted = { amount: toBigInt(amount), amount_granted: toBigInt(amount), payer_account_id: fact.payer };
    const key = `${names.owner}:${names.spender}:${names.token_id}`;
    known.tables.version('token_allowance', key, fact.at, { ...names, ...granted });
  }
  for (const { owner, spender, tokenId, serialNumbers, approvedForAll, delegatingSpender } of body.nftAllowances ??
    []) {
    const names = { owner: ownerOf(owner), spender: known.account(spender), token_id: tokenOf(tokenId) };
    if (approvedForAll) {
      known.tables.version('nft_allowance', `${names.owner}:${names.spender}:${names.token_id}`, fact.at, {
        ...names,
        approved_for_all: approvedForAll.value === true,
        payer_account_id: fact.payer,
      });
    }
    for (const serial of serialNumbers ?? []) {
      known.tables.version('nft', `${names.token_id}:${serial}`, fact.at, {
        account_id: names.owner,
        spender: names.spender,
        delegating_spender: known.account(delegatingSpender) || null,
      });
    }
  }
};

export const cryptoDeleteAllowance: Effect<'cryptoDeleteAllowance'> = (fact, body, known) => {
  for (const { owner, tokenId, serialNumbers } of body.nftAllowances ?? []) {
    for (const serial of serialNumbers ?? []) {
      known.tables.version('nft', `${tokenOf(tokenId)}:${serial}`, fact.at, {
        account_id: known.account(owner) || fact.payer,
        spender: null,
        delegating_spender: null,
      });
    }
  }
};

type HookChanges = Pick<proto.ICryptoUpdateTransactionBody, 'hookIdsToDelete' | 'hookCreationDetails'>;

/** Deletions first, so that a creation in the same transaction may take the id. */
export function changeHooks(fact: Fact, known: Known, { hookIdsToDelete, hookCreationDetails }: HookChanges): void {
  const owner = fact.subject;
  for (const id of hookIdsToDelete ?? []) {
    known.tables.version('hook', `${owner}:${id}`, fact.at, { deleted: true });
  }
  for (const { hookId, adminKey, lambdaEvmHook } of hookCreationDetails ?? []) {
    known.tables.version('hook', `${owner}:${hookId}`, fact.at, {
      owner_id: owner,
      hook_id: toBigInt(hookId),
      admin_key: encodeKey(adminKey) ?? null,
      contract_id: known.contract(lambdaEvmHook?.spec?.contractId),
      created_timestamp: fact.at,
      deleted: false,
      extension_point: 'ACCOUNT_ALLOWANCE_HOOK',
      type: 'EVM',
    });
    store(fact, known, owner, toBigInt(hookId), updatedSlots(lambdaEvmHook?.storageUpdates ?? []));
  }
}

export const lambdaSstore: Effect<'lambdaSstore'> = (fact, { hookId, storageUpdates }, known) =>
  store(fact, known, fact.subject, toBigInt(hookId?.hookId), updatedSlots(storageUpdates ?? []));

export type HookSlot = { key: Buffer; read: Buffer; written: Buffer | null };
type StorageUpdates = NonNullable<Parameters<Effect<'lambdaSstore'>>[1]['storageUpdates']>;

const word = (value: Uint8Array | null | undefined): Buffer =>
  Buffer.from(
    Buffer.from(value ?? [])
      .toString('hex')
      .padStart(64, '0'),
    'hex',
  );

/** Slot of an entry of a Solidity mapping. */
function updatedSlots(updates: StorageUpdates): HookSlot[] {
  const slot = (key: Buffer, value: Uint8Array | null | undefined): HookSlot => {
    const trimmed = withoutLeadingZeros(value ?? noBytes);
    return { key, read: trimmed, written: trimmed };
  };
  return updates.flatMap(({ storageSlot, mappingEntries }) =>
    storageSlot
      ? [slot(word(storageSlot.key), storageSlot.value)]
      : (mappingEntries?.entries ?? []).map(({ key, preimage, value }) => {
          const hashed = preimage ? keccak256(preimage) : word(key);
          return slot(Buffer.from(keccak256(Buffer.concat([hashed, word(mappingEntries!.mappingSlot)]))), value);
        }),
  );
}

/** The last of several changes of a slot in a transaction is valid. */
export function store(fact: Fact, known: Known, owner: bigint, hookId: bigint, slots: readonly HookSlot[]): void {
  const last = new Map(slots.map((slot) => [slot.key.toString('hex'), slot]));
  for (const { key, read, written } of last.values()) {
    const names = { owner_id: owner, hook_id: hookId, key: word(key) };
    const deleted = written?.length === 0;
    known.tables.add('hook_storage_change', {
      ...names,
      consensus_timestamp: fact.at,
      deleted,
      value_read: withoutLeadingZeros(read),
      value_written: written && withoutLeadingZeros(written),
    });
    if (!written) continue;
    const name = `${owner}:${hookId}:${names.key.toString('hex')}`;
    const latest = known.tables.latest('hook_storage', name);
    if (!known.slotsBefore.has(name)) known.slotsBefore.set(name, latest);
    // A deleted slot begins a new creation time, except if it is written again in the same block.
    const isLive = (row: ExpectedRow | undefined): boolean => row !== undefined && row.deleted !== true;
    const before = [known.slotsBefore.get(name), latest].find(isLive);
    known.tables.put('hook_storage', name, {
      ...names,
      created_timestamp: before ? before.created_timestamp : fact.at,
      deleted,
      modified_timestamp: fact.at,
      value: withoutLeadingZeros(written),
    });
  }
}

/** In the order of HIP-1195: pre hooks, first and second runs of pre-post hooks. */
export function hooksOfTransfer(
  { transfers, tokenTransfers }: proto.ICryptoTransferTransactionBody,
  known: Known,
): { owner: bigint; hookId: bigint }[] {
  type Asked = [proto.IAccountID | null | undefined, proto.IHookCall | null | undefined];
  const before: Asked[] = [];
  const around: Asked[] = [];
  const ofAmounts = (list: proto.IAccountAmount[] | null | undefined): void => {
    for (const one of list ?? []) {
      before.push([one.accountID, one.preTxAllowanceHook]);
      around.push([one.accountID, one.prePostTxAllowanceHook]);
    }
  };
  ofAmounts(transfers?.accountAmounts);
  for (const list of tokenTransfers ?? []) {
    ofAmounts(list.transfers);
    for (const one of list.nftTransfers ?? []) {
      before.push([one.senderAccountID, one.preTxSenderAllowanceHook]);
      before.push([one.receiverAccountID, one.preTxReceiverAllowanceHook]);
      around.push([one.senderAccountID, one.prePostTxSenderAllowanceHook]);
      around.push([one.receiverAccountID, one.prePostTxReceiverAllowanceHook]);
    }
  }
  return [...before, ...around, ...around].flatMap(([owner, call]) =>
    call ? [{ owner: known.account(owner), hookId: toBigInt(call.hookId) }] : [],
  );
}
