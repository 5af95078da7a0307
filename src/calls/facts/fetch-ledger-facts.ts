// Facts that system contracts ask for, by kind: all of one kind in one statement.
import type { AnyFact, FactKey, FactKind, ScheduleFacts } from '../../../packages/machine/state/ledger-facts.ts';
import type { Database } from '../../../packages/postgres/wire/database.ts';
import { inRealm, type SystemRealm } from '../../../packages/protocol/hapi/system-entity.ts';
import { selectPastHoldings } from '../../../packages/store/read/state/select-past-holdings.ts';
import { selectPastSupplies } from '../../../packages/store/read/state/select-past-supplies.ts';
import {
  selectHbarAllowances,
  selectLastSerials,
  selectNftAllowances,
  selectStateHoldings,
  selectStateNfts,
  selectStateOwners,
  selectStateRelations,
  selectStateSchedules,
  selectStateTokens,
  selectTokenAllowances,
} from '../../../packages/store/read/state/select-state-tokens.ts';
import type { FetchedFacts } from './fetched-facts.ts';
import { toNft, toNum, toOwner, toRelation, toToken } from './row-facts.ts';
import type { SystemFiles } from './system-files.ts';

export type LedgerFactsOptions = {
  system: SystemRealm;
  files: SystemFiles;
  until: bigint | null;
  /** Consensus end of the block, ns. */
  at: bigint;
  /** Of the newest balances before the moment; only asked for the past. */
  snapshot(): Promise<bigint>;
};

/** `id`: the entity of this number. */
type Source = LedgerFactsOptions & { db: Database; id(num: bigint): bigint };
type KeyOf<Kind extends FactKind> = Extract<FactKey, { kind: Kind }>;
/** In the order of the keys. */
type Fetch<Kind extends FactKind> = (source: Source, keys: readonly KeyOf<Kind>[]) => Promise<AnyFact[]>;

export async function fetchLedgerFacts(
  db: Database,
  keys: readonly FactKey[],
  options: LedgerFactsOptions,
): Promise<FetchedFacts['facts']> {
  if (keys.length === 0) return [];
  const source = { ...options, db, id: (num: bigint) => inRealm(num, options.system) };
  const byKind = Map.groupBy(keys, ({ kind }) => kind);
  const fetched = await Promise.all(
    [...byKind].map(async ([kind, ofKind]) => {
      const facts = await (fetches[kind] as Fetch<FactKind>)(source, ofKind);
      return ofKind.map((key, place) => ({ key, fact: facts[place]! }));
    }),
  );
  return fetched.flat();
}

const fetches: { readonly [Kind in FactKind]: Fetch<Kind> } = {
  token: fromRow(
    selectStateTokens,
    ({ token }, { id }) => id(token),
    (row, { until }) => toToken(row, until === null),
  ),
  supply: fetchSupplies,
  relation: fetchRelations,
  nft: fromRow(selectStateNfts, ({ token, serial }, { id }) => [id(token), serial], toNft),
  lastSerial: fetchLastSerials,
  tokenAllowance: fromRow(selectTokenAllowances, toAllowance, (row) => row?.amount ?? 0n),
  nftAllowance: fromRow(selectNftAllowances, toAllowance, (row) => row?.approvedForAll ?? false),
  hbarAllowance: fromRow(
    selectHbarAllowances,
    ({ owner, spender }, { id }) => [id(owner), id(spender)],
    (row) => row?.amount ?? 0n,
  ),
  owner: fromRow(selectStateOwners, ({ account }, { id }) => id(account), toOwner),
  holdings: fetchHoldings,
  schedule: fetchSchedules,
  exchangeRate: ofMoment(({ db, files, at }) => files.rateAt(db, at)),
  fees: ofMoment(({ db, files, at }) => files.feesAt(db, at)),
};

/** Of one row a key, which `select` gives by the place of the key. */
function fromRow<Kind extends FactKind, Asked, Row>(
  select: (db: Database, asked: readonly Asked[], until: bigint | null) => Promise<ReadonlyMap<number, Row>>,
  toAsked: (key: KeyOf<Kind>, source: Source) => Asked,
  toFact: (row: Row | undefined, source: Source) => AnyFact,
): Fetch<Kind> {
  return async (source, keys) => {
    const asked = keys.map((key) => toAsked(key, source));
    const rows = await select(source.db, asked, source.until);
    return keys.map((_, place) => toFact(rows.get(place), source));
  };
}

/** The same for all keys. */
function ofMoment<Kind extends FactKind>(read: (source: Source) => Promise<AnyFact>): Fetch<Kind> {
  return async (source, keys) => {
    const fact = await read(source);
    return keys.map(() => fact);
  };
}

function toAllowance(
  { token, owner, spender }: { token: bigint; owner: bigint; spender: bigint },
  { id }: Source,
): bigint[] {
  return [id(token), id(owner), id(spender)];
}

async function fetchSupplies(
  { db, id, until, snapshot }: Source,
  keys: readonly KeyOf<'supply'>[],
): Promise<AnyFact[]> {
  if (until === null) throw new Error('The supply of now is that of the token.');
  const ofType = (wanted: boolean) => keys.flatMap(({ token, isFungible }) => (isFungible === wanted ? id(token) : []));
  const tokens = { fungible: ofType(true), nonFungible: ofType(false) };
  const supplies = await selectPastSupplies(db, tokens, { snapshot: await snapshot(), until });
  return keys.map(({ token }) => supplies.get(id(token)) ?? 0n);
}

async function fetchRelations(
  { db, id, until, snapshot }: Source,
  keys: readonly KeyOf<'relation'>[],
): Promise<AnyFact[]> {
  const asked = keys.map(({ token, account }) => ({ token: id(token), account: id(account) }));
  const pairs = asked.map(({ token, account }) => [token, account]);
  const [rows, held] = await Promise.all([
    selectStateRelations(db, pairs, until),
    until === null ? null : snapshot().then((at) => selectPastHoldings(db, asked, { snapshot: at, until })),
  ]);
  return keys.map((_, place) => {
    const row = rows.get(place);
    return row ? toRelation(row, held ? held[place]! : row.balance) : null;
  });
}

async function fetchLastSerials({ db, id, until }: Source, keys: readonly KeyOf<'lastSerial'>[]): Promise<AnyFact[]> {
  const tokens = keys.map(({ token }) => id(token));
  const rows = await selectLastSerials(db, tokens, until);
  return tokens.map((token) => rows.find(({ tokenId }) => tokenId === token)?.serial ?? 0n);
}

async function fetchHoldings({ db, id }: Source, keys: readonly KeyOf<'holdings'>[]): Promise<AnyFact[]> {
  const ids = keys.map(({ account }) => id(account));
  const rows = await selectStateHoldings(db, ids);
  return ids.map((account) => {
    const { isTreasury, holdsTokens } = rows.find((row) => row.id === account)!;
    return { isTreasury, holdsTokens };
  });
}

async function fetchSchedules({ db, id, until }: Source, keys: readonly KeyOf<'schedule'>[]): Promise<AnyFact[]> {
  const ids = keys.map(({ schedule }) => id(schedule));
  const [schedules, entities] = await Promise.all([selectStateSchedules(db, ids), selectStateOwners(db, ids, until)]);
  return keys.map((_, place): ScheduleFacts | null => {
    const row = schedules.find(({ scheduleId }) => scheduleId === ids[place]);
    const entity = entities.get(place);
    if (!row || !entity || entity.deleted === true || (until !== null && row.consensusTimestamp > until)) return null;
    return { body: row.transactionBody, creator: toNum(row.creatorAccountId), payer: toNum(row.payerAccountId) };
  });
}
