// A dialect: one exact variant of the API, as values and functions. Every difference between two variants is a member
// here; routes and bodies use it and never know which one they serve.

import type { Operator, Range } from '../../../../packages/kit/range.ts';
import type { AccessListItem } from '../../../../packages/store/read/contract-result-row.ts';
import type { AnswerShapes } from '../../../../packages/web-server/answer-shapes.ts';
import type { AccountTransactionsQuery } from '../../../ledger/accounts/account.ts';
import type { Kind } from '../../values/kind.ts';
import type { QueryForm } from './query-form.ts';
import type { Query } from './query-string.ts';

export type TransactionTypeFilter = NonNullable<AccountTransactionsQuery['types']>;

export type Dialect = {
  /**
   * The page size in a text; undefined = invalid. Throws RequestError if there is a specific sentence. `capped`: the
   * list has a smaller maximum, which larger sizes mean.
   */
  pageSize(text: string, max: number, list: { capped: boolean }): number | undefined;
  /** How a query is parsed. */
  query: QueryForm;
  /** Whether a value is accepted only as documented: words in their case, operators only where shown. */
  documentedOnly: boolean;
  timestamp: TimestampForm;
  /** Forms of the texts that name entities, tested against the text as typed. */
  forms: {
    token: RegExp;
    /** Ids and EVM addresses; other texts are tried as an alias. */
    account: RegExp;
    alias: RegExp;
    /** The same in the paths below an account, and tokens in those below a token: every form. */
    anyAccount: RegExp;
    anyAlias: RegExp;
    anyToken: RegExp;
    contract: RegExp;
    schedule: RegExp;
    /** `from` of contract results. */
    sender: RegExp;
    /** Ids and EVM addresses in conditions. */
    entity: RegExp;
    /** Ids in conditions, EVM addresses only if they are long-zero addresses. */
    numbered: RegExp;
    /** Ids by number only. */
    number: RegExp;
    /** The same of contracts. */
    contractCondition: RegExp;
  };
  /** Whether an impossible id is an invalid value, and not refused with a specific sentence. */
  invalidOutOfRange: boolean;
  /** Whether a bad path is refused by the parameter's name in the path. */
  namesPathVariables: boolean;
  /** Empty = none may be written. */
  senderOperators: readonly Operator[];
  /** The words for true and false, in lower case, without surrounding spaces. */
  flags: ReadonlyMap<string, boolean>;
  /** The canonical spelling of a word. */
  toWord(text: string): string;
  /** Whether an alias's bits after its last byte are ignored, and not refused. */
  ignoresLeftoverBits: boolean;
  /** `block.number` as text; and its maximum: a larger one is refused, or null = it finds nothing. */
  blockNumber: { form: RegExp; max: bigint | null };
  maxTransactionIndex: bigint;
  /** By name in upper case. */
  transactionTypes: ReadonlyMap<string, TransactionTypeFilter>;
  repeatedTransactionTypes: boolean;
  formatNextLink: NextLinkFormatter;
  /** Whether a full page found by `eq` links to itself. */
  linksRepeatEqual: boolean;
  /** Whether a full page that ends with an account's creation links to the time before it, which is a 404. */
  linksBeforeCreation: boolean;
  /** Whether `ne` excludes one moment of a version's validity, or the whole version. */
  leavesOutMoments: boolean;
  /** Whether the block hash of a request is converted to lower case, as hashes are stored. */
  lowersBlockHash: boolean;
  /**
   * Whether a repeated order, or one after an operator, is ignored, and `balance=eq:true` is false, as in lists of the
   * older rule.
   */
  readsWordsAlone: boolean;
  /**
   * Whether a single account that is repeated or follows an operator is refused after all other values, with its own
   * sentence.
   */
  judgesOneAccountLast: boolean;
  /** Whether a contract is looked up before conflicting conditions are refused. */
  looksUpContractFirst: boolean;
  /** Whether the results of contract 0 are those of all contracts. */
  zeroIsEveryContract: boolean;
  /** Whether positions beyond int64 are valid numbers, which nothing has. */
  readsLargePositions: boolean;
  /** How past slots are compared: as numbers, or byte by byte without their leading zeros. */
  pastSlots: 'numbers' | 'bytes';
  /** Seconds for which an answer that is valid for `seconds` may be cached, by its typed path and the endpoint's. */
  toMaxAge(seconds: number, path: { typed: string; endpoint: string }): number;
  /** Whether tokens that cannot have fractional fees show an empty list of them. */
  fractionalFeesOfNfts: boolean;
  /** Whether a synthetic contract result alone is partial content, because it has no result of a call. */
  partialSynthetic: boolean;
  /** Whether the history of an NFT names both sides of a change of the treasury. */
  namesTreasuries: boolean;
  /** Whether a contract result succeeded. */
  status: Kind<boolean>;
  accessList: Kind<readonly AccessListItem[]>;
  /** Signatures of schedules and their key prefixes. */
  signatureBytes: Kind<Uint8Array>;
  shapes: AnswerShapes;
  /** Whether "Not found" says which part of the ledger is stored, if it is not all. */
  tellsExtent: boolean;
  /** Whether calls may say what the state is. */
  overridesState: boolean;
  /** Whether a contract that is named as sender of a call is it; otherwise 0.0.2 sends in its place. */
  contractsSend: boolean;
  /** Whether prestates are shown where no setting says it. */
  showsPrestates: boolean;
  /** Whether a block says how it was verified. */
  showsProof: boolean;
  /** Whether there are endpoints that the mirror node does not have. */
  hasOwnEndpoints: boolean;
  /** Whether methods other than an endpoint's are refused as such (405), and not as an unknown path. */
  refusesMethods: boolean;
  /** Dialects of the endpoints that the mirror node serves from Java; null = like all others. */
  java: Readonly<Record<JavaReading, Dialect>> | null;
};

/**
 * How an endpoint in Java takes its parameters. As arguments: the first that cannot be converted is refused with a
 * sentence. As an object: every bad one is named.
 */
export type JavaReading = 'arguments' | 'object';

/** How the text of a timestamp is read. */
export type TimestampForm = {
  /** Enclosed in `^` and `$`. */
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
  /**
   * Whether to link to the next page even if the link only repeats the request's one `eq` value and leads to the same
   * page.
   */
  repeatsEqual: boolean;
};

export type NextLinkFormatter = (keys: readonly LinkKey[], question: NextLinkQuestion) => string | null;
