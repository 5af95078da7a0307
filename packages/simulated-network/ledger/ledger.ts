// The state of the simulated network: plain tables whose changes can be rolled back to a mark. A failed transaction, a
// reverted EVM frame or a schedule that is not ready leaves nothing behind, and balance changes of a transaction follow
// from the undo log. The tables survive `v8.serialize`: maps of plain values only.

import { compareBigints } from '../../kit/compare-bigints.ts';
import { withOwnBytes } from './own-bytes.ts';

export type Account = {
  id: bigint;
  isContract: boolean;
  /** tinybar */
  balance: bigint;
  /** Serialized Key; an empty key list for hollow accounts. */
  key: Uint8Array;
  alias: Uint8Array | null;
  /** 20 bytes where it has one besides the long-zero address. */
  evmAddress: Uint8Array | null;
  ethereumNonce: bigint;
  deleted: boolean;
  /** −1 = unlimited. */
  maxAutomaticAssociations: number;
  usedAutomaticAssociations: number;
  receiverSigRequired: boolean;
  stakedNodeId: bigint | null;
  stakedAccountId: bigint | null;
  declineReward: boolean;
  /** ns; rewards before it are paid. */
  rewardedUntil: bigint;
  code: Uint8Array | null;
  expiration: bigint | null;
};

export type CustomFee = {
  collector: bigint;
  allCollectorsAreExempt: boolean;
} & (
  | { kind: 'fixed'; amount: bigint; denominatingToken: bigint | null }
  | { kind: 'fractional'; numerator: bigint; denominator: bigint; minimum: bigint; maximum: bigint; net: boolean }
  | {
      kind: 'royalty';
      numerator: bigint;
      denominator: bigint;
      fallback: { amount: bigint; token: bigint | null } | null;
    }
);

export type TokenKeyName = 'admin' | 'kyc' | 'freeze' | 'wipe' | 'supply' | 'feeSchedule' | 'pause' | 'metadata';

export type Token = {
  id: bigint;
  nonFungible: boolean;
  treasury: bigint;
  totalSupply: bigint;
  /** 0 = no limit. */
  maxSupply: bigint;
  nextSerial: bigint;
  keys: Partial<Record<TokenKeyName, Uint8Array>>;
  freezeDefault: boolean;
  paused: boolean;
  deleted: boolean;
  customFees: CustomFee[];
};

export type Relation = {
  account: bigint;
  token: bigint;
  balance: bigint;
  frozen: boolean;
  kycGranted: boolean;
  automatic: boolean;
};

export type Nft = { token: bigint; serial: bigint; owner: bigint; spender: bigint | null };
export type LedgerFile = { id: bigint; contents: Uint8Array; deleted: boolean; keys: Uint8Array[] };
export type Topic = {
  id: bigint;
  sequence: bigint;
  runningHash: Uint8Array;
  adminKey: Uint8Array | null;
  submitKey: Uint8Array | null;
  customFees: { amount: bigint; token: bigint | null; collector: bigint }[];
  deleted: boolean;
};

export type Schedule = {
  id: bigint;
  /** Serialized SchedulableTransactionBody. */
  body: Uint8Array;
  creator: bigint;
  payer: bigint;
  adminKey: Uint8Array | null;
  /** Public keys (hex) that have signed. */
  signers: string[];
  validStart: bigint;
  expiration: bigint;
  waitForExpiry: boolean;
  state: 'pending' | 'executed' | 'deleted' | 'expired';
};

export type Airdrop = { sender: bigint; receiver: bigint; token: bigint; serial: bigint; amount: bigint };
/** `slots`: its storage, key and value as hex. */
export type Hook = {
  owner: bigint;
  ownerIsContract: boolean;
  id: bigint;
  deleted: boolean;
  slots: Record<string, string>;
  /** Where its code is; 0 in folders of earlier versions. */
  contract: bigint;
  adminKey: Uint8Array | null;
};
export type RegisteredNode = { id: bigint; deleted: boolean };
export type LedgerNode = { nodeId: bigint; account: bigint; description: string; deleted: boolean };

export type LedgerTables = {
  accounts: Map<bigint, Account>;
  /** Lower-case hex of EVM addresses and aliases → account. */
  names: Map<string, bigint>;
  tokens: Map<bigint, Token>;
  /** `account:token` */
  relations: Map<string, Relation>;
  /** `token:serial` */
  nfts: Map<string, Nft>;
  /** `owner:spender`, `owner:spender:token` and `owner:spender:token:all` (amount 1) */
  allowances: Map<string, bigint>;
  airdrops: Map<string, Airdrop>;
  files: Map<bigint, LedgerFile>;
  topics: Map<bigint, Topic>;
  schedules: Map<bigint, Schedule>;
  nodes: Map<bigint, LedgerNode>;
  /** `owner:hook` */
  hooks: Map<string, Hook>;
  registeredNodes: Map<bigint, RegisteredNode>;
  /** `contract:slot` → value without leading zero bytes */
  storage: Map<string, Uint8Array>;
  /** Public key (hex) → number of the private key. */
  keys: Map<string, { kind: 'ED25519' | 'ECDSA'; number: bigint }>;
  /** Hollow account → public key (hex) whose signature completes it. */
  hollowKeys: Map<bigint, string>;
  counters: Map<'nextEntity' | 'nextKey' | 'nextNode', bigint>;
  /** Entities that generators use again, by role. */
  cast: Map<string, bigint[]>;
};

export type TableName = keyof LedgerTables;
type KeyOf<T extends TableName> = LedgerTables[T] extends Map<infer K, unknown> ? K : never;
type ValueOf<T extends TableName> = LedgerTables[T] extends Map<unknown, infer V> ? V : never;

type ChangeOf<T extends TableName> = {
  table: T;
  key: KeyOf<T>;
  before: ValueOf<T> | undefined;
  after: ValueOf<T> | undefined;
};
/** A row before and after; rows are never changed in place. */
export type LedgerChange = { [T in TableName]: ChangeOf<T> }[TableName];

/** Balance changes since a mark; only what differs, in order of id. */
export type BalanceChanges = {
  hbar: { account: bigint; amount: bigint }[];
  tokens: { token: bigint; account: bigint; amount: bigint }[];
};

export type Ledger = {
  tables: LedgerTables;
  put<T extends TableName>(table: T, key: KeyOf<T>, value: ValueOf<T>): void;
  remove<T extends TableName>(table: T, key: KeyOf<T>): void;
  /** Changes some members of an existing row. */
  change<T extends TableName>(table: T, key: KeyOf<T>, members: Partial<ValueOf<T>>): void;
  /** The counter's value before it went up by one. */
  take(counter: 'nextEntity' | 'nextKey' | 'nextNode'): bigint;
  mark(): number;
  rollback(mark: number): void;
  balanceChanges(mark: number): BalanceChanges;
  /** Every row touched since a mark, once, in order of the first touch; also rows with the value that they had. */
  changes(mark: number): LedgerChange[];
  /** Makes everything so far final. */
  settle(): void;
};

export function createEmptyTables(): LedgerTables {
  return {
    accounts: new Map(),
    names: new Map(),
    tokens: new Map(),
    relations: new Map(),
    nfts: new Map(),
    allowances: new Map(),
    airdrops: new Map(),
    files: new Map(),
    topics: new Map(),
    schedules: new Map(),
    nodes: new Map(),
    hooks: new Map(),
    registeredNodes: new Map(),
    storage: new Map(),
    keys: new Map(),
    hollowKeys: new Map(),
    counters: new Map([
      ['nextEntity', 1001n],
      ['nextKey', 0n],
      ['nextNode', 0n],
    ]),
    cast: new Map(),
  };
}

export function createLedger(tables: LedgerTables): Ledger {
  const undo: { table: TableName; key: unknown; before: unknown }[] = [];
  // To the undo log all tables are alike; `put` and `remove` keep callers' types exact.
  const table = (name: TableName) => tables[name] as Map<unknown, unknown>;

  const set = (name: TableName, key: unknown, value: unknown) => {
    undo.push({ table: name, key, before: table(name).get(key) });
    table(name).set(key, value);
  };

  return {
    tables,
    put: (name, key, value) => set(name, key, withOwnBytes(value)),
    remove: (name, key) => {
      undo.push({ table: name, key, before: table(name).get(key) });
      table(name).delete(key);
    },
    change: (name, key, members) => {
      const before = table(name).get(key);
      if (before === undefined) throw new Error(`The ledger has no row ${String(key)} in ${name}`);
      set(name, key, { ...before, ...withOwnBytes(members) });
    },
    take: (counter) => {
      const value = tables.counters.get(counter)!;
      set('counters', counter, value + 1n);
      return value;
    },
    mark: () => undo.length,
    rollback: (mark) => {
      while (undo.length > mark) {
        const { table: name, key, before } = undo.pop()!;
        if (before === undefined) table(name).delete(key);
        else table(name).set(key, before);
      }
    },
    balanceChanges: (mark) => {
      const accounts = new Map<bigint, bigint>();
      const relations = new Map<string, Relation | undefined>();
      for (let entry = mark; entry < undo.length; entry++) {
        const { table: name, key, before } = undo[entry]!;
        if (name === 'accounts' && !accounts.has(key as bigint)) {
          accounts.set(key as bigint, (before as Account | undefined)?.balance ?? 0n);
        } else if (name === 'relations' && !relations.has(key as string)) {
          relations.set(key as string, before as Relation | undefined);
        }
      }
      const hbar = [...accounts]
        .map(([account, before]) => ({ account, amount: (tables.accounts.get(account)?.balance ?? 0n) - before }))
        .filter(({ amount }) => amount !== 0n);
      const tokens = [...relations].flatMap(([key, before]) => {
        const after = tables.relations.get(key);
        const { token, account } = (after ?? before)!;
        const amount = (after?.balance ?? 0n) - (before?.balance ?? 0n);
        return amount === 0n || tables.tokens.get(token)?.nonFungible ? [] : [{ token, account, amount }];
      });
      return {
        hbar: hbar.sort((left, right) => compareBigints(left.account, right.account)),
        tokens: tokens.sort(
          (left, right) => compareBigints(left.token, right.token) || compareBigints(left.account, right.account),
        ),
      };
    },
    changes: (mark) => {
      const seen = new Map<TableName, Set<unknown>>();
      return undo.slice(mark).flatMap(({ table: name, key, before }) => {
        const keys = seen.get(name) ?? new Set();
        if (keys.has(key)) return [];
        seen.set(name, keys.add(key));
        return [{ table: name, key, before, after: table(name).get(key) } as LedgerChange];
      });
    },
    settle: () => {
      undo.length = 0;
    },
  };
}
