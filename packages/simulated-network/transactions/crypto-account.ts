// Accounts: create, update (also the completion of a hollow account), delete.
import { toEntityId } from '../../protocol/hapi/entity-id.ts';
import { proto, toBigInt } from '../../protocol/hapi/hapi.ts';
import { blankAccount, emptyKeyList } from '../ledger/blank-account.ts';
import { accountId, nsPerSecond } from '../ledger/hapi-values.ts';
import type { Account } from '../ledger/ledger.ts';
import { encodeKey, evmAddressOfKey } from '../ledger/signing-keys.ts';
import {
  addHbar,
  assertSigned,
  createOutcome,
  type Execution,
  livingAccount,
  positive,
  reject,
  resolveAccount,
} from './execution.ts';
import { changeHooks } from './hooks.ts';

export function createAccount(x: Execution, data: proto.ICryptoCreateTransactionBody): void {
  if (!data.key) reject('KEY_REQUIRED');
  const key = encodeKey(data.key);
  const alias = data.alias?.length ? Buffer.from(data.alias) : null;
  if (alias && x.ledger.tables.names.has(alias.toString('hex'))) reject('ALIAS_ALREADY_ASSIGNED');
  const initialBalance = positive(data.initialBalance, 'INVALID_INITIAL_BALANCE');
  if (data.receiverSigRequired) assertSigned(x, key);

  const id = x.ledger.take('nextEntity');
  const evmAddress = alias ? evmAddressOfAlias(alias) : null;
  putAccount(x, {
    ...blankAccount(id, x.consensusTimestamp),
    key,
    alias,
    evmAddress,
    maxAutomaticAssociations: data.maxAutomaticTokenAssociations ?? 0,
    receiverSigRequired: data.receiverSigRequired ?? false,
    ...stakingOf(data, x),
    declineReward: data.declineReward ?? false,
  });
  addHbar(x, x.payer, -initialBalance, 'INSUFFICIENT_PAYER_BALANCE');
  addHbar(x, id, initialBalance);
  changeHooks(x, id, data);
  x.outcome.receipt.accountID = accountId(id);
  if (evmAddress) x.outcome.record.evmAddress = evmAddress;
  if (alias && alias.length !== 20) x.outcome.record.alias = alias;
}

/** Creates an account on a transfer to an unknown EVM address or key alias; its record precedes the transfer's. */
export function createByTransfer(x: Execution, name: Uint8Array): bigint {
  const id = x.ledger.take('nextEntity');
  const hollow = name.length === 20;
  const key = hollow ? emptyKeyList : Buffer.from(name);
  const evmAddress = hollow ? Buffer.from(name) : evmAddressOfAlias(name);
  putAccount(x, {
    ...blankAccount(id, x.consensusTimestamp),
    key,
    alias: hollow ? null : Buffer.from(name),
    evmAddress,
    maxAutomaticAssociations: -1,
  });
  const outcome = createOutcome();
  outcome.receipt.accountID = accountId(id);
  if (evmAddress) outcome.record.evmAddress = evmAddress;
  if (!hollow) outcome.record.alias = name;
  x.outcome.preceding.push({
    kind: 'cryptoCreateAccount',
    memo: hollow ? 'lazy-created account' : 'auto-created account',
    data: {
      key: proto.Key.decode(key),
      alias: name,
      autoRenewPeriod: { seconds: 7_776_000 },
      maxAutomaticTokenAssociations: -1,
    },
    outcome,
    status: 'SUCCESS',
  });
  return id;
}

export function updateAccount(x: Execution, data: proto.ICryptoUpdateTransactionBody): void {
  const account = livingAccount(x, resolveAccount(x, data.accountIDToUpdate));
  if (account.id <= 1000n && x.payer > 1000n) reject('AUTHORIZATION_FAILED');
  if (Buffer.compare(account.key, emptyKeyList) !== 0) assertSigned(x, account.key);
  const changes: Partial<Account> = {};
  if (data.key) {
    changes.key = encodeKey(data.key);
    assertSigned(x, changes.key);
  }
  if (data.expirationTime) {
    const expiration = toBigInt(data.expirationTime.seconds) * nsPerSecond;
    if (expiration <= x.consensusTimestamp) reject('INVALID_EXPIRATION_TIME');
    changes.expiration = expiration;
  }
  if (data.maxAutomaticTokenAssociations) {
    const limit = data.maxAutomaticTokenAssociations.value ?? 0;
    if (limit !== -1 && limit < account.usedAutomaticAssociations) {
      reject('EXISTING_AUTOMATIC_ASSOCIATIONS_EXCEED_GIVEN_LIMIT');
    }
    changes.maxAutomaticAssociations = limit;
  }
  if (data.receiverSigRequiredWrapper) changes.receiverSigRequired = data.receiverSigRequiredWrapper.value ?? false;
  if (data.declineReward) changes.declineReward = data.declineReward.value ?? false;
  Object.assign(changes, stakingOf(data, x));
  x.ledger.change('accounts', account.id, changes);
  changeHooks(x, account.id, data);
  x.outcome.receipt.accountID = accountId(account.id);
}

export function deleteAccount(x: Execution, data: proto.ICryptoDeleteTransactionBody): void {
  const account = livingAccount(x, resolveAccount(x, data.deleteAccountID));
  const heir = livingAccount(x, resolveAccount(x, data.transferAccountID), 'INVALID_TRANSFER_ACCOUNT_ID');
  if (heir.id === account.id) reject('TRANSFER_ACCOUNT_SAME_AS_DELETE_ACCOUNT');
  assertSigned(x, account.key);
  for (const token of x.ledger.tables.tokens.values()) {
    if (token.treasury === account.id && !token.deleted) reject('ACCOUNT_IS_TREASURY');
    const relation = x.ledger.tables.relations.get(`${account.id}:${token.id}`);
    if (relation && relation.balance > 0n) reject('TRANSACTION_REQUIRES_ZERO_TOKEN_BALANCES');
  }
  const { balance } = account;
  addHbar(x, account.id, -balance);
  addHbar(x, heir.id, balance);
  x.ledger.change('accounts', account.id, { deleted: true });
  for (const name of [account.alias, account.evmAddress]) {
    if (name) x.ledger.remove('names', Buffer.from(name).toString('hex'));
  }
  x.outcome.receipt.accountID = accountId(account.id);
}

function putAccount(x: Pick<Execution, 'ledger'>, account: Account): void {
  x.ledger.put('accounts', account.id, account);
  for (const name of [account.alias, account.evmAddress]) {
    if (name) x.ledger.put('names', Buffer.from(name).toString('hex'), account.id);
  }
}

/** Staking members as HAPI gives them: node −1 and account 0.0.0 mean "no longer". */
export function stakingOf(
  data: {
    stakedNodeId?: proto.ICryptoCreateTransactionBody['stakedNodeId'];
    stakedAccountId?: proto.IAccountID | null;
  },
  x: Execution,
): Partial<Account> {
  if (data.stakedAccountId) {
    const staked = toEntityId(data.stakedAccountId);
    if (staked !== 0n && !x.ledger.tables.accounts.has(staked)) reject('INVALID_STAKING_ID');
    return { stakedAccountId: staked === 0n ? null : staked, stakedNodeId: null, rewardedUntil: x.consensusTimestamp };
  }
  if (data.stakedNodeId === null || data.stakedNodeId === undefined) return {};
  const node = toBigInt(data.stakedNodeId);
  if (node !== -1n && !x.ledger.tables.nodes.has(node)) reject('INVALID_STAKING_ID');
  return { stakedNodeId: node === -1n ? null : node, stakedAccountId: null, rewardedUntil: x.consensusTimestamp };
}

/** A 20-byte alias is the address itself; an ECDSA key alias has one, an ED25519 key alias has none. */
function evmAddressOfAlias(alias: Uint8Array): Buffer | null {
  if (alias.length === 20) return Buffer.from(alias);
  const key = proto.Key.decode(alias);
  return key.ECDSASecp256k1?.length ? Buffer.from(evmAddressOfKey(key.ECDSASecp256k1)) : null;
}
