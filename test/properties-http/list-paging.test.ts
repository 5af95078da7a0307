// Lists about accounts, tokens, nodes and hooks: following `links.next` visits every item that the conditions allow
// exactly once, in order. What there is, is read from the tables without the product's queries.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../packages/test-support/http/answers.ts';
import type { DialectName } from '../../src/api/dialect/find-dialect.ts';
import { crowdLists } from './crowded-lists.ts';
import { openSimulatedMirror, type SimulatedMirror } from './simulated-mirror.ts';
import { walkPages } from './walk-pages.ts';

/** A parameter by which pages begin, and how it writes its values. */
type Key = { name: string; format: (value: bigint) => string };

type List = {
  /** Of every item: the path of its list, and its keys in decimal or hexadecimal, the one that counts most first. */
  rows: string;
  keys: readonly Key[];
  member: string;
  /** The keys of an item as they are written. */
  keysOf(item: JsonObject): unknown[];
};

const id = (value: bigint): string => `0.0.${value}`;
const plain = (value: bigint): string => value.toString();
const time = (ns: bigint): string => `${ns / 1_000_000_000n}.${String(ns % 1_000_000_000n).padStart(9, '0')}`;
const word = (value: bigint): string => `0x${value.toString(16).padStart(64, '0')}`;

const account = { name: 'account.id', format: id };
const token = { name: 'token.id', format: id };
const spender = { name: 'spender.id', format: id };
const serial = { name: 'serialnumber', format: plain };
const moment = { name: 'timestamp', format: time };

const everyAccount = `from entity where type in ('ACCOUNT', 'CONTRACT')`;
const ofAccount = (column: string, list: string) => `format('/api/v1/accounts/0.0.%s/${list}', ${column}) as path`;
const ofToken = (list: string) => `format('/api/v1/tokens/0.0.%s/${list}', token_id) as path`;

const lists: Readonly<Record<string, List>> = {
  accounts: {
    rows: `select '/api/v1/accounts' as path, array[id] as keys ${everyAccount}`,
    keys: [account],
    member: 'accounts',
    keysOf: (item) => [item.account],
  },
  balances: {
    rows: `select '/api/v1/balances' as path, array[id] as keys ${everyAccount}`,
    keys: [account],
    member: 'balances',
    keysOf: (item) => [item.account],
  },
  tokens: {
    rows: `select '/api/v1/tokens' as path, array[token_id] as keys from token`,
    keys: [token],
    member: 'tokens',
    keysOf: (item) => [item.token_id],
  },
  'tokens of an account': {
    rows: `select ${ofAccount('account_id', 'tokens')}, array[token_id] as keys from token_account where associated`,
    keys: [token],
    member: 'tokens',
    keysOf: (item) => [item.token_id],
  },
  'NFTs of an account': {
    rows: `select ${ofAccount('account_id', 'nfts')}, array[token_id, serial_number] as keys from nft where account_id > 0`,
    keys: [token, serial],
    member: 'nfts',
    keysOf: (item) => [item.token_id, item.serial_number],
  },
  'staking rewards': {
    rows: `select ${ofAccount('account_id', 'rewards')}, array[consensus_timestamp] as keys from staking_reward_transfer`,
    keys: [moment],
    member: 'rewards',
    keysOf: (item) => [item.timestamp],
  },
  'allowances of hbar': {
    rows: `select ${ofAccount('owner', 'allowances/crypto')}, array[spender] as keys from crypto_allowance where amount > 0`,
    keys: [spender],
    member: 'allowances',
    keysOf: (item) => [item.spender],
  },
  'allowances of tokens': {
    rows: `select ${ofAccount('owner', 'allowances/tokens')}, array[spender, token_id] as keys
      from token_allowance where amount > 0`,
    keys: [spender, token],
    member: 'allowances',
    keysOf: (item) => [item.spender, item.token_id],
  },
  'allowances of NFTs, by owner': {
    rows: `select ${ofAccount('owner', 'allowances/nfts')}, array[spender, token_id] as keys
      from nft_allowance where approved_for_all`,
    keys: [account, token],
    member: 'allowances',
    keysOf: (item) => [item.spender, item.token_id],
  },
  'allowances of NFTs, by spender': {
    rows: `select ${ofAccount('spender', 'allowances/nfts?owner=false')}, array[owner, token_id] as keys
      from nft_allowance where approved_for_all`,
    keys: [account, token],
    member: 'allowances',
    keysOf: (item) => [item.owner, item.token_id],
  },
  'outstanding airdrops': {
    rows: `select ${ofAccount('sender_account_id', 'airdrops/outstanding')},
        array[receiver_account_id, token_id, serial_number] as keys from token_airdrop where state = 'PENDING'`,
    keys: [{ name: 'receiver.id', format: id }, token, serial],
    member: 'airdrops',
    keysOf: (item) => [item.receiver_id, item.token_id, item.serial_number ?? 0n],
  },
  'pending airdrops': {
    rows: `select ${ofAccount('receiver_account_id', 'airdrops/pending')},
        array[sender_account_id, token_id, serial_number] as keys from token_airdrop where state = 'PENDING'`,
    keys: [{ name: 'sender.id', format: id }, token, serial],
    member: 'airdrops',
    keysOf: (item) => [item.sender_id, item.token_id, item.serial_number ?? 0n],
  },
  hooks: {
    rows: `select ${ofAccount('owner_id', 'hooks')}, array[hook_id] as keys from hook`,
    keys: [{ name: 'hook.id', format: plain }],
    member: 'hooks',
    keysOf: (item) => [item.hook_id],
  },
  'storage of a hook': {
    rows: `select format('/api/v1/accounts/0.0.%s/hooks/%s/storage', owner_id, hook_id) as path,
        array['0x' || encode(key, 'hex')] as keys from hook_storage where not deleted`,
    keys: [{ name: 'key', format: word }],
    member: 'storage',
    keysOf: (item) => [item.key],
  },
  'holders of a token': {
    rows: `select ${ofToken('balances')}, array[account_id] as keys from token_account where associated`,
    keys: [account],
    member: 'balances',
    keysOf: (item) => [item.account],
  },
  'NFTs of a token': {
    rows: `select ${ofToken('nfts')}, array[serial_number] as keys from nft`,
    keys: [serial],
    member: 'nfts',
    keysOf: (item) => [item.serial_number],
  },
  'transactions of an NFT': {
    rows: `select format('/api/v1/tokens/0.0.%s/nfts/%s/transactions', token_id, serial_number) as path, array[at] as keys
      from (
        select token_id, serial_number, lower(timestamp_range) as at from nft
        union select token_id, serial_number, lower(timestamp_range) from nft_history
        union select n.token_id, n.serial_number, lower(e.timestamp_range) from nft n join entity e on e.id = n.token_id
        where e.deleted
      ) versions
      where exists (select from transaction where consensus_timestamp = at)`,
    keys: [moment],
    member: 'transactions',
    keysOf: (item) => [item.consensus_timestamp],
  },
  nodes: {
    rows: `select '/api/v1/network/nodes' as path, array[node_id] as keys from address_book_entry
      where consensus_timestamp = (select max(start_consensus_timestamp) from address_book where file_id = 102)`,
    keys: [{ name: 'node.id', format: plain }],
    member: 'nodes',
    keysOf: (item) => [item.node_id],
  },
  'registered nodes': {
    rows: `select '/api/v1/network/registered-nodes' as path, array[registered_node_id] as keys
      from registered_node where not deleted`,
    keys: [{ name: 'registerednode.id', format: plain }],
    member: 'registered_nodes',
    keysOf: (item) => [item.registered_node_id],
  },
  blocks: {
    rows: `select '/api/v1/blocks' as path, array[index] as keys from record_file`,
    keys: [{ name: 'block.number', format: plain }],
    member: 'blocks',
    keysOf: (item) => [item.number],
  },
};

let mirror: SimulatedMirror;
beforeAll(async () => {
  mirror = await openSimulatedMirror('busy');
  await crowdLists(mirror.db);
});
afterAll(() => mirror?.close());

type Items = { path: string; items: bigint[][] };

/** By list, those of most items first. */
async function read({ rows }: List): Promise<Items[]> {
  const found = await mirror.db.query<{ path: string; keys: string[] }>({
    name: '',
    text: `select path, keys::text[] as keys from (${rows}) rows`,
  });
  const byPath = Map.groupBy(found, ({ path }) => path);
  return [...byPath]
    .map(([path, ofPath]) => ({ path, items: ofPath.map(({ keys }) => keys.map(BigInt)).sort(compare) }))
    .sort((a, b) => b.items.length - a.items.length);
}

function compare(a: readonly bigint[], b: readonly bigint[]): number {
  const at = a.findIndex((key, index) => key !== b[index]);
  return at < 0 ? 0 : a[at]! < b[at]! ? -1 : 1;
}

const question = fc.record({
  dialect: fc.constantFrom<DialectName>('spec', 'hiero'),
  order: fc.constantFrom<'asc' | 'desc'>('asc', 'desc'),
  size: fc.integer({ min: 1, max: 7 }),
  // Long lists and short ones.
  list: fc.oneof(fc.integer({ min: 0, max: 2 }), fc.nat()),
  from: fc.option(fc.nat()),
  to: fc.option(fc.nat()),
  isOpen: fc.boolean(),
  kind: fc.constantFrom('range', 'range', 'exact', 'pair'),
});

type Bounds = { parameters: string[]; isWithin(keys: readonly bigint[]): boolean };

/**
 * Of two items of the list, or one: everything between them by the first key or by all, or all with the same first key.
 */
function toBounds(
  keys: readonly Key[],
  low: readonly bigint[] | null,
  high: readonly bigint[] | null,
  { kind, isOpen }: { kind: string; isOpen: boolean },
): Bounds {
  const [{ name, format }] = keys as [Key];
  if (kind === 'exact' && low) {
    return { parameters: [`${name}=${format(low[0]!)}`], isWithin: ([first]) => first === low[0] };
  }
  if (kind === 'pair' && low && keys.length > 1) {
    const second = keys[1]!;
    return {
      parameters: [`${name}=gte:${format(low[0]!)}`, `${second.name}=gte:${second.format(low[1]!)}`],
      isWithin: (item) => compare(item.slice(0, 2), low.slice(0, 2)) >= 0,
    };
  }
  // Bounds that leave nothing between them are refused by some.
  const strict = isOpen && !(low && high && high[0]! - low[0]! < 2n);
  return {
    parameters: [
      ...(low ? [`${name}=${strict ? 'gt' : 'gte'}:${format(low[0]!)}`] : []),
      ...(high ? [`${name}=${strict ? 'lt' : 'lte'}:${format(high[0]!)}`] : []),
    ],
    isWithin: ([first]) =>
      (!low || (strict ? first! > low[0]! : first! >= low[0]!)) &&
      (!high || (strict ? first! < high[0]! : first! <= high[0]!)),
  };
}

describe('every item once, in order', () => {
  it.each(Object.entries(lists))('%s', async (_, list) => {
    const all = await read(list);
    expect(all[0]!.items.length).toBeGreaterThan(1);
    await fc.assert(
      fc.asyncProperty(question, async ({ dialect, order, size, list: place, from, to, ...how }) => {
        const { path, items } = all[place % all.length]!;
        const at = (index: number | null) => (index === null ? null : items[index % items.length]!);
        const ends = [at(from), at(to)];
        const [low, high] = ends[0] && ends[1] ? (ends as bigint[][]).sort(compare) : ends;
        const { parameters, isWithin } = toBounds(list.keys, low!, high!, how);
        // A full page of an exact key leads to itself in one dialect (docs/reference/dialects.md).
        const limit = how.kind === 'exact' && list.keys.length === 1 ? size + 1 : size;
        const query = [...parameters, `limit=${limit}`, `order=${order}`].join('&');
        const url = `${path}${path.includes('?') ? '&' : '?'}${query}`;
        const expected = items.filter(isWithin).map((keys) => keys.map((key, i) => list.keys[i]!.format(key)).join());
        if (order === 'desc') expected.reverse();
        const keyOf = (item: JsonObject) => list.keysOf(item).join();
        const { keys, status } = await walkPages(mirror, { dialect, url, member: list.member, limit, keyOf });
        expect({ url, status, keys }).toEqual({ url, status: 200, keys: expected });
      }),
      { numRuns: 40 },
    );
  });
});

it('the tokens of accounts and the holders of tokens are the same pairs with the same balances', async () => {
  const pairsOf = async (list: List, toPair: (path: string, item: JsonObject) => string) => {
    const pairs: string[] = [];
    for (const { path } of await read(list)) {
      const keyOf = (item: JsonObject) => toPair(path.split('/')[4]!, item);
      const url = `${path}?limit=100`;
      pairs.push(...(await walkPages(mirror, { dialect: 'spec', url, member: list.member, limit: 100, keyOf })).keys);
    }
    return pairs.sort();
  };
  const held = await pairsOf(lists['tokens of an account']!, (owner, item) =>
    [owner, item.token_id, item.balance].join(),
  );
  const holding = await pairsOf(lists['holders of a token']!, (held, item) =>
    [item.account, held, item.balance].join(),
  );
  expect(held.length).toBeGreaterThan(50);
  expect(held).toEqual(holding);
});
