// A dialect: one exact reading of the API, as values and functions. Whatever two readings answer differently is a member
// here; routes and bodies ask it and never know which one they serve.

import type { Operator } from '../../kit/range.ts';
import type { AccountTransactionsQuery } from '../../ledger/accounts/account.ts';
import type { AccessListItem } from '../../ledger/contracts/contract-result.ts';
import type { Kind } from '../values/kind.ts';

export type TransactionTypeFilter = NonNullable<AccountTransactionsQuery['types']>;

export type Dialect = {
  /** Page size for a requested one ≥ 1; undefined = refused. */
  pageSize(requested: bigint, max: number): number | undefined;
  /** Forms of the texts that name entities, tested against the text as typed. */
  forms: {
    token: RegExp;
    /** Ids and EVM addresses; what does not match is tried as an alias. */
    account: RegExp;
    alias: RegExp;
    contract: RegExp;
    schedule: RegExp;
    /** `from` of contract results. */
    sender: RegExp;
    /** Ids and EVM addresses in conditions. */
    entity: RegExp;
    /** Ids by number only. */
    number: RegExp;
  };
  senderOperators: readonly Operator[];
  /** By name in upper case. */
  transactionTypes: ReadonlyMap<string, TransactionTypeFilter>;
  repeatedTransactionTypes: boolean;
  /** Whether a full page found by `eq` links to itself. */
  linksRepeatEqual: boolean;
  /** Whether a full page that ends with an account's creation links on, to the 404 of the time before it. */
  linksBeforeCreation: boolean;
  /** Whether the block hash of a request is read in lower case, as hashes are stored. */
  lowersBlockHash: boolean;
  /** Whether tokens that cannot have fractional fees show an empty list of them. */
  fractionalFeesOfNfts: boolean;
  /** Whether a contract result succeeded. */
  status: Kind<boolean>;
  accessList: Kind<readonly AccessListItem[]>;
  /** Signatures of schedules and their key prefixes. */
  signatureBytes: Kind<Uint8Array>;
};
