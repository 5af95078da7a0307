// An account as an answer, with its page of transactions (docs/reference/rest-behaviour.md, Accounts).

import type { ReadingContext } from '../../api/reading/query/context.ts';
import { type Kind, listOf } from '../../api/values/kind.ts';
import {
  base32,
  boolean,
  entityId,
  evmAddress,
  hex,
  int32,
  int64,
  key,
  seconds,
  text,
  timestamp,
} from '../../api/values/kinds.ts';
import { from, members, nullable, part, value } from '../../api/values/members.ts';
import { pageLinks, pageOf } from '../../api/values/page-of.ts';
import type { Account } from '../../ledger/accounts/to-account.ts';
import type { LedgerTransaction } from '../../ledger/transactions/transaction.ts';
import { transactionKind } from '../transactions/transaction-members.ts';

export type AccountWithTransactions = Account & {
  transactions: readonly LedgerTransaction[];
  /** Consensus timestamp of the last transaction, if the page is full. */
  next: bigint | null;
};

export function createAccountKind(context: ReadingContext) {
  return members(
    { ...createAccountTable(context), balance, transactions: listOf(transactionKind), links: pageLinks },
    { name: 'Account' },
  );
}

export function createAccountsKind(context: ReadingContext) {
  return pageOf('accounts', members(createAccountTable(context), { name: 'ListedAccount' }), 'Accounts');
}

const balance = members(
  {
    balance: nullable(int64),
    timestamp: nullable(timestamp),
    tokens: listOf(members({ token_id: entityId, balance: int64 })),
  },
  { description: 'Tinybar, and smallest units of the tokens.' },
);

/** The zero address means no delegation. */
const delegation: Kind<Uint8Array | null> = {
  ...hex,
  write: (address) => hex.write(address?.some((byte) => byte !== 0) ? address : null),
};

function createAccountTable({ settings }: ReadingContext) {
  const delegated = {
    delegation_address: value(delegation, 'Address of the code that the account has delegated to; `0x` for none.'),
  };
  return {
    account: from('id', entityId),
    alias: nullable(base32),
    auto_renew_period: nullable(seconds),
    balance: nullable(balance),
    created_timestamp: nullable(timestamp),
    decline_reward: boolean,
    ...(settings.delegationAddress ? delegated : ({} as typeof delegated)),
    deleted: nullable(boolean),
    ethereum_nonce: nullable(int64),
    evm_address: part(evmAddress),
    expiry_timestamp: nullable(timestamp),
    key,
    max_automatic_token_associations: nullable(int32, '-1 for any number.'),
    memo: text,
    pending_reward: value(int64, 'Tinybar.'),
    receiver_sig_required: nullable(boolean),
    staked_account_id: entityId,
    staked_node_id: nullable(int64),
    stake_period_start: nullable(timestamp),
  };
}
