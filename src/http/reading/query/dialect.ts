// A dialect: one exact reading of the API, as values and functions. Whatever two readings answer differently is a member
// here; routes and bodies ask it and never know which one they serve.

import type { Operator, Range } from '../../../kit/range.ts';
import type { AccountTransactionsQuery } from '../../../ledger/accounts/account.ts';
import type { AccessListItem } from '../../../store/read/contract-result-row.ts';
import type { AnswerShapes } from '../../frame/answer-shapes.ts';
import type { Kind } from '../../values/kind.ts';
import type { QueryForm } from './query-form.ts';
import type { Query } from './query-string.ts';

export type TransactionTypeFilter = NonNullable<AccountTransactionsQuery['types']>;

export type Dialect = {
  /**
   * The page size that a text asks for; undefined = no such size. Throws RequestError where a sentence says why. `capped`:
   * the list has a smaller largest page of its own, which larger ones mean.
   */
  pageSize(text: string, max: number, list: { capped: boolean }): number | undefined;
  /** How a query is taken apart. */
  query: QueryForm;
  /** Whether a value is taken only as the API document writes it: words in its case, operators where it shows them. */
  documentedOnly: boolean;
  timestamp: TimestampForm;
  /** Forms of the texts that name entities, tested against the text as typed. */
  forms: {
    token: RegExp;
    /** Ids and EVM addresses; what does not match is tried as an alias. */
    account: RegExp;
    alias: RegExp;
    /** The same in the paths below an account, and tokens in those below a token: every form there is. */
    anyAccount: RegExp;
    anyAlias: RegExp;
    anyToken: RegExp;
    contract: RegExp;
    schedule: RegExp;
    /** `from` of contract results. */
    sender: RegExp;
    /** Ids and EVM addresses in conditions. */
    entity: RegExp;
    /** Ids in conditions, EVM addresses only as far as they are numbers in disguise. */
    numbered: RegExp;
    /** Ids by number only. */
    number: RegExp;
    /** The same of contracts. */
    contractCondition: RegExp;
  };
  /** Whether an id that no entity can have is an invalid value, and not refused by a sentence of its own. */
  invalidOutOfRange: boolean;
  /** Whether a bad path is refused by the name that the parameter has in the path. */
  namesPathVariables: boolean;
  /** Empty = none is written. */
  senderOperators: readonly Operator[];
  /** What true or false are called, in lower case, without spaces around them. */
  flags: ReadonlyMap<string, boolean>;
  /** What two spellings of a word have in common. */
  toWord(text: string): string;
  /** Whether bits of an alias beyond its last byte are ignored, and not refused. */
  ignoresLeftoverBits: boolean;
  /** `block.number` as text; and the largest that is one: a larger one is refused, or null = it finds nothing. */
  blockNumber: { form: RegExp; max: bigint | null };
  maxTransactionIndex: bigint;
  /** By name in upper case. */
  transactionTypes: ReadonlyMap<string, TransactionTypeFilter>;
  repeatedTransactionTypes: boolean;
  formatNextLink: NextLinkFormatter;
  /** Whether a full page found by `eq` links to itself. */
  linksRepeatEqual: boolean;
  /** Whether a full page that ends with an account's creation links on, to the 404 of the time before it. */
  linksBeforeCreation: boolean;
  /** Whether `ne` leaves out one moment of a version's validity; otherwise it leaves out the version. */
  leavesOutMoments: boolean;
  /** Whether the block hash of a request is read in lower case, as hashes are stored. */
  lowersBlockHash: boolean;
  /**
   * Whether an order that is repeated or stands behind an operator is none, and `balance=eq:true` false, as in the lists of
   * the older rule.
   */
  readsWordsAlone: boolean;
  /** Whether one account that is repeated or stands behind an operator is refused after all other values, in words of its own. */
  judgesOneAccountLast: boolean;
  /** Whether a contract is looked up before conditions that do not go together are refused. */
  looksUpContractFirst: boolean;
  /** Whether the results of contract 0 are those of all contracts. */
  zeroIsEveryContract: boolean;
  /** Whether positions beyond int64 are numbers like others, which nothing has. */
  readsLargePositions: boolean;
  /** How slots of the past are compared: as numbers, or byte by byte without their leading zeros. */
  pastSlots: 'numbers' | 'bytes';
  /** Seconds for which an answer may be kept that holds for `seconds`, by its path as typed and the endpoint's. */
  toMaxAge(seconds: number, path: { typed: string; endpoint: string }): number;
  /** Whether tokens that cannot have fractional fees show an empty list of them. */
  fractionalFeesOfNfts: boolean;
  /** Whether a contract result succeeded. */
  status: Kind<boolean>;
  accessList: Kind<readonly AccessListItem[]>;
  /** Signatures of schedules and their key prefixes. */
  signatureBytes: Kind<Uint8Array>;
  shapes: AnswerShapes;
  /** Whether "Not found" says which part of the ledger is there, where that is not all of it. */
  tellsExtent: boolean;
  /** Whether other methods than an endpoint's are refused as such (405), and not as an unknown path. */
  refusesMethods: boolean;
  /** How endpoints are read and answered that the mirror node serves from Java; null = like all others. */
  java: Readonly<Record<JavaReading, Dialect>> | null;
};

/**
 * How an endpoint in Java takes its parameters. As arguments: the first that cannot be converted is refused by a sentence. As
 * an object: every bad one is named.
 */
export type JavaReading = 'arguments' | 'object';

/** How the text of a timestamp is read. */
export type TimestampForm = {
  /** Stands between `^` and `$`. */
  form: RegExp;
  /** ns; undefined = invalid. */
  read(text: string): bigint | undefined;
};

/** A key by which a page is ordered, for the link to the next one. */
export type LinkKey = {
  /** Of the query parameter. */
  name: string;
  /** The request's conditions on it. */
  range: Range;
  /** Of the last row. */
  last: bigint;
  format(value: bigint): string;
};

export type NextLinkQuestion = {
  /** As typed, without the query. */
  path: string;
  query: Query;
  order: 'asc' | 'desc';
  /** Whether a link that only repeats the one `eq` value of the request is given, though it leads to the same page. */
  repeatsEqual: boolean;
};

export type NextLinkFormatter = (keys: readonly LinkKey[], question: NextLinkQuestion) => string | null;
