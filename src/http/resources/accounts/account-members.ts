// An account as an answer, with its page of transactions (docs/reference/rest-behaviour.md, Accounts).
import type { Account, AccountBalance, ListedAccount } from '../../../ledger/accounts/account.ts';
import type { Page } from '../../../ledger/question/page.ts';
import type { LedgerTransaction } from '../../../ledger/transactions/transaction.ts';
import type { ReadingContext } from '../../reading/query/context.ts';
import type { Kind } from '../../values/kind.ts';
import {
  base32,
  boolean,
  entityId,
  evmAddress,
  hex,
  int32,
  int64,
  key,
  links,
  seconds,
  text,
  timestamp,
} from '../../values/kinds.ts';
import { array, type Member, members, nullable, value } from '../../values/members.ts';
import type { Linked } from '../../values/page-of.ts';
import { pageOf } from '../../values/page-of.ts';
import { transactionKind } from '../transactions/transaction-members.ts';

export type AccountWithTransactions = {
  account: Account;
  transactions: readonly LedgerTransaction[];
  /** Consensus timestamp of the last transaction, where the page is full. */
  next: bigint | null;
};

export function createAccountKind({ settings }: ReadingContext): Kind<Linked<AccountWithTransactions>> {
  return members<Linked<AccountWithTransactions>>(
    {
      ...createAccountTable(settings, ({ account }) => account),
      balance: value(balanceKind, ({ account }) => account.balance),
      transactions: array(transactionKind, ({ transactions }) => transactions),
      links: value(links, ({ link }) => link),
    },
    { name: 'Account' },
  );
}

export function createAccountsKind({ settings }: ReadingContext): Kind<Linked<Page<ListedAccount>>> {
  const item = members<ListedAccount>(
    createAccountTable(settings, (account) => account),
    { name: 'ListedAccount' },
  );
  return pageOf('accounts', item, 'Accounts');
}

/** `get`: the account in whatever it stands in. */
function createAccountTable<S>(
  { delegationAddress }: ReadingContext['settings'],
  get: (source: S) => ListedAccount,
): Record<string, Member<S>> {
  return {
    account: value(entityId, (source) => get(source).id),
    alias: nullable(base32, (source) => get(source).alias),
    auto_renew_period: nullable(seconds, (source) => get(source).autoRenewPeriod),
    balance: nullable(balanceKind, (source) => get(source).balance),
    created_timestamp: nullable(timestamp, (source) => get(source).createdTimestamp),
    decline_reward: value(boolean, (source) => get(source).declineReward),
    ...(delegationAddress ? { delegation_address: createDelegationAddress(get) } : {}),
    deleted: nullable(boolean, (source) => get(source).deleted),
    ethereum_nonce: nullable(int64, (source) => get(source).ethereumNonce),
    evm_address: value(evmAddress, (source) => get(source)),
    expiry_timestamp: nullable(timestamp, (source) => get(source).expiryTimestamp),
    key: value(key, (source) => get(source).key),
    max_automatic_token_associations: nullable(
      int32,
      (source) => get(source).maxAutomaticTokenAssociations,
      '-1 for any number.',
    ),
    memo: value(text, (source) => get(source).memo),
    pending_reward: value(int64, (source) => get(source).pendingReward, 'Tinybar.'),
    receiver_sig_required: nullable(boolean, (source) => get(source).receiverSigRequired),
    staked_account_id: value(entityId, (source) => get(source).stakedAccountId),
    staked_node_id: nullable(int64, (source) => get(source).stakedNodeId),
    stake_period_start: nullable(timestamp, (source) => get(source).stakePeriodStart),
  };
}

const balanceKind = members<AccountBalance>(
  {
    balance: nullable(int64, ({ balance }) => balance),
    timestamp: nullable(timestamp, (balance) => balance.timestamp),
    tokens: array(
      members<AccountBalance['tokens'][number]>({
        token_id: value(entityId, ({ tokenId }) => tokenId),
        balance: value(int64, ({ balance }) => balance),
      }),
      ({ tokens }) => tokens,
    ),
  },
  { description: 'Tinybar, and smallest units of the tokens.' },
);

/** The zero address means that nothing is delegated to. */
function createDelegationAddress<S>(get: (source: S) => ListedAccount): Member<S> {
  const toAddress = (address: Buffer | null) => (address?.some((byte) => byte !== 0) ? address : null);
  return value(
    hex,
    (source: S) => toAddress(get(source).delegationAddress),
    'Address of the code that the account has delegated to; `0x` for none.',
  );
}
