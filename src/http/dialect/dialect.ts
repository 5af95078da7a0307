// A dialect: one exact reading of the API, as values and functions. Whatever two readings answer differently is a member
// here; routes and bodies ask it and never know which one they serve.
import type { TSchema } from '@sinclair/typebox';
import type { AccountTransactionsQuery } from '../../ledger/accounts/account.ts';
import type { AccessListItem } from '../../ledger/contracts/contract-result.ts';
import type { Operator } from '../parameters/query-parameters.ts';

export type TransactionTypeFilter = NonNullable<AccountTransactionsQuery['types']>;

export type Dialect = {
  /** Page size for a requested one ≥ 1; undefined = refused. */
  pageSize(requested: bigint, max: number): number | undefined;
  /** Forms of the texts that name entities, tested against the text as typed. */
  forms: {
    tokenPath: RegExp;
    /** Ids and EVM addresses; what does not match is tried as an alias. */
    accountPath: RegExp;
    aliasPath: RegExp;
    contractPath: RegExp;
    schedulePath: RegExp;
    /** `from` of contract results. */
    sender: RegExp;
    /** `account.id` and `schedule.id` of schedules. */
    scheduleQuery: RegExp;
  };
  senderOperators: readonly Operator[];
  /** By name in upper case. */
  transactionTypes: ReadonlyMap<string, TransactionTypeFilter>;
  repeatedTransactionTypes: boolean;
  /** Whether a full page found by `eq` links to itself. */
  linksRepeatEqual: boolean;
  /** Whether a full page that ends with an account's creation links on, to the 404 of the time before it. */
  linksBeforeCreation: boolean;
  toJsonStatus(success: boolean): string;
  toJsonAccessList(items: readonly AccessListItem[]): string;
  /** Signatures of schedules and their key prefixes. */
  toJsonSignatureBytes(bytes: Uint8Array): string;
  /** What the three before write, for the API document. */
  schemas: { status: TSchema; accessList: TSchema; signatureBytes: TSchema };
};
