// Questions to tokens and their system contract about a simulated ledger, and the answers as REST has them at the same
// block. What REST does not have of the past is taken from what the network itself held.

import { proto } from '../../packages/protocol/hapi/hapi.ts';
import { createSeededRandom, type SeededRandom } from '../../packages/simulated-network/ledger/seeded-random.ts';
import { type Held, type Json, type KnownMoments, type Moment, toNs, toTimestamp } from './known-moments.ts';

export type Question = {
  /** null: `code` runs, as that of a creation. */
  to: bigint | null;
  code?: string;
  signature: string;
  args: readonly unknown[];
  from?: bigint;
  expected: Expected;
};

/** Values of these types; a revert with a code's name; a halt; nothing, as at an address without code. */
export type Expected =
  | { types: string; values: readonly unknown[] }
  | { reverts: string }
  | { halts: true }
  | { nothing: true };

/** About one token at one moment. */
type Subject = {
  moment: Moment;
  random: SeededRandom;
  num: bigint;
  /** At some time. */
  isToken: boolean;
  /** As REST has it at that moment; null: it is not there. */
  token: Json;
  addressOf(num: bigint): Promise<bigint>;
  get(path: string): Promise<Json>;
};

const tokenService = 0x167n;
const tokenServiceV2 = 0x16cn;
const { ResponseCodeEnum: code } = proto;
const success = BigInt(code.SUCCESS);

export function createQuestions({ get, moments }: KnownMoments, seed: string) {
  const random = createSeededRandom(seed, 'questions');
  const names = Object.keys(makers);

  /** null: there is nothing to ask about. */
  return async (
    isNow: boolean,
    count: number,
  ): Promise<{ moment: Moment; question: Question; name: string } | null> => {
    const moment = isNow ? moments[0]! : random.pick(moments.slice(1));
    const name = names[count % names.length]!;
    // Tokens of later, and deleted ones, are among them.
    const nums = [...moments[0]!.held.tokens.keys()];
    const num = random.chance(0.02) ? 1n + BigInt(random.below(5000)) : random.pick(nums);
    const found = await get(`tokens/${entity(num)}${atTime(moment, '?timestamp=')}`);
    const token = found?.deleted === false ? { ...found, total_supply: supplyOf(found, num, moment) } : null;
    const isToken = moments[0]!.held.tokens.has(num);
    const subject: Subject = {
      moment,
      random,
      num,
      isToken,
      token,
      addressOf: (account) => addressOf(account, get),
      get,
    };
    const question = await makers[name]!(subject);
    return question && { moment, name, question };
  };
}

/**
 * In the past what the network had. REST has the supply of the token's version of that time, and minting, burning and
 * wiping make no version: it is often that of later.
 */
function supplyOf(token: Json, num: bigint, { at, held }: Moment): string {
  return at === null ? token.total_supply : String(held.tokens.get(num)!.totalSupply);
}

const entity = (num: bigint): string => `0.0.${num}`;
const atTime = ({ at }: Moment, before: string): string => (at === null ? '' : `${before}${toTimestamp(at)}`);
/** Number of an id as answers have it; zero for nobody. */
const numOf = (id: string | null): bigint => (id === null ? 0n : BigInt(id.split('.')[2]!));

/** EVM address or long-zero. */
async function addressOf(num: bigint, get: Subject['get']): Promise<bigint> {
  if (num === 0n) return 0n;
  const account = await get(`accounts/${entity(num)}?limit=1&transactions=false`);
  return account?.evm_address ? BigInt(account.evm_address) : num;
}

type Maker = (subject: Subject) => Promise<Question | null>;
type Told = { args: readonly unknown[]; from?: bigint; expected: Expected };

/** At the token's address, where a token that is not there has no code. */
function atToken(signature: string, tell: (subject: Subject) => Promise<Told | null>): Maker {
  return async (subject) => {
    const told = subject.isToken ? await tell(subject) : null;
    if (told === null) return null;
    const expected: Expected = subject.token === null ? { nothing: true } : told.expected;
    return { to: subject.num, signature, ...told, expected };
  };
}

/** At 0x167 and 0x16c: the first argument is the token; `empty` is behind the code of an unknown one. */
function atService(
  signature: string,
  types: string | ((isV2: boolean) => string),
  empty: (isV2: boolean) => readonly unknown[],
  tell: (subject: Subject, isV2: boolean) => Promise<{ args?: readonly unknown[]; values: readonly unknown[] } | null>,
): Maker {
  return async (subject) => {
    const isV2 = subject.random.chance(0.4);
    const told = await tell(subject, isV2);
    if (told === null) return null;
    const unknown = [BigInt(code.INVALID_TOKEN_ID), ...empty(isV2)];
    return {
      to: isV2 ? tokenServiceV2 : tokenService,
      signature,
      args: [subject.num, ...(told.args ?? [])],
      expected: {
        types: typeof types === 'string' ? types : types(isV2),
        values: subject.token === null ? unknown : told.values,
      },
    };
  };
}

/** One member of the token as REST has it. */
function member(signature: string, type: string, of: (token: Json) => unknown): Maker {
  return atToken(signature, async ({ token }) => ({
    args: [],
    expected: token && { types: `(${type})`, values: [of(token)] },
  }));
}

const isFungible = (token: Json): boolean => token?.type === 'FUNGIBLE_COMMON';

const keyValue = '(bool,address,bytes,bytes,address)';
const expiry = '(int64,address,int64)';
const fees =
  '(int64,address,bool,bool,address)[],(int64,int64,int64,int64,bool,address)[],(int64,int64,int64,address,bool,address)[]';
const infoType = (isV2: boolean) =>
  `((string,string,address,string,bool,int64,bool,(uint256,${keyValue})[],${expiry}${isV2 ? ',bytes' : ''}),int64,bool,bool,bool,${fees},string)`;

const keyNames = ['admin', 'kyc', 'freeze', 'wipe', 'supply', 'fee_schedule', 'pause', 'metadata'];
const none = new Uint8Array(0);
const noKey = [false, 0n, none, none, 0n];
const noInfo = (isV2: boolean) => [
  ['', '', 0n, '', false, 0n, false, [], [0n, 0n, 0n], ...(isV2 ? [none] : [])],
  ...[0n, false, false, false, [], [], [], ''],
];

function keyOf(key: Json): unknown {
  if (key === null) return noKey;
  const bytes = Buffer.from(key.key, 'hex');
  if (key._type === 'ED25519') return [false, 0n, bytes, none, 0n];
  if (key._type === 'ECDSA_SECP256K1') return [false, 0n, none, bytes, 0n];
  const { contractID, delegatableContractId } = proto.Key.decode(bytes);
  const num = (id: proto.IContractID | null | undefined) => BigInt(String(id?.contractNum ?? 0));
  return [false, num(contractID), none, none, num(delegatableContractId)];
}

function expiryOf(token: Json): unknown {
  const {
    expiry_timestamp: end,
    auto_renew_period: period,
    created_timestamp: created,
    auto_renew_account: by,
  } = token;
  const ns = end ?? (period === null ? 0n : toNs(created) + period * 1_000_000_000n);
  return [ns / 1_000_000_000n, numOf(by), period ?? 0n];
}

function feesOf({ custom_fees: { fixed_fees, fractional_fees, royalty_fees } }: Json): unknown[] {
  return [
    fixed_fees.map(({ amount, denominating_token_id: token, collector_account_id: collector }: Json) => [
      ...[amount, numOf(token), token === null, false, numOf(collector)],
    ]),
    (fractional_fees ?? []).map((fee: Json) => {
      const { amount, minimum, maximum, net_of_transfers: isNet, collector_account_id: collector } = fee;
      return [amount.numerator, amount.denominator, minimum, maximum ?? 0n, isNet, numOf(collector)];
    }),
    (royalty_fees ?? []).map(({ amount, fallback_fee: fallback, collector_account_id: collector }: Json) => {
      const token = fallback?.denominating_token_id ?? null;
      const { numerator, denominator } = amount;
      return [numerator, denominator, fallback?.amount ?? 0n, numOf(token), token === null, numOf(collector)];
    }),
  ];
}

function infoOf(token: Json, isV2: boolean): unknown[] {
  const names = isV2 ? keyNames : keyNames.slice(0, -1);
  const hasMaximum = token.supply_type === 'FINITE';
  const described = [
    ...[token.name, token.symbol, numOf(token.treasury_account_id), token.memo],
    ...[hasMaximum, hasMaximum ? BigInt(token.max_supply) : 0n, token.freeze_default],
    names.map((name, bit) => [1n << BigInt(bit), keyOf(token[`${name}_key`])]),
    expiryOf(token),
    ...(isV2 ? [Buffer.from(token.metadata, 'base64')] : []),
  ];
  // No token of a ledger has KYC granted by default: with a key it is revoked, without one there is none.
  const statuses = [BigInt(token.total_supply), false, false, token.pause_status === 'PAUSED'];
  return [described, ...statuses, ...feesOf(token), '0x03'];
}

/** Two times of three one that the token knows. */
function pickHolder({ moment: { held }, num, random }: Subject): bigint {
  const holders = random.chance(0.67)
    ? [...held.relations.values()].filter(({ token }) => token === num).map(({ account }) => account)
    : [];
  return random.pick(holders.length > 0 ? holders : usersOf(held));
}

const firstUser = 1001n;
const usersOf = ({ accounts }: Held): bigint[] => [...accounts.keys()].filter((id) => id >= firstUser);
const isThere = (num: bigint, { moment: { held } }: Subject): boolean => held.accounts.get(num)?.deleted === false;
/** By its EVM address, or long-zero. */
const named = async (num: bigint, { addressOf, random }: Subject): Promise<bigint> =>
  random.chance(0.5) ? num : addressOf(num);

type RelationNow = { balance: bigint; isFrozen: boolean; isKyc: boolean } | null;

/** Now as REST has it, else as the network had it; with what REST has of the past compared. */
async function relationOf(account: bigint, { moment, num, token, get }: Subject): Promise<RelationNow> {
  if (moment.at === null) {
    const { tokens } = await get(`accounts/${entity(account)}/tokens?token.id=${num}`);
    const [found] = tokens;
    return (
      found && {
        balance: found.balance,
        isFrozen: found.freeze_status === 'FROZEN',
        isKyc: found.kyc_status !== 'REVOKED',
      }
    );
  }
  const relation = moment.held.relations.get(`${account}:${num}`);
  const balances = await get(`tokens/${entity(num)}/balances?account.id=${account}${atTime(moment, '&timestamp=')}`);
  if (token !== null && balances?.timestamp === toTimestamp(moment.at)) {
    const listed = balances.balances[0]?.balance ?? 0n;
    if (listed !== (relation?.balance ?? 0n)) {
      throw new Error(`REST has ${listed} of ${num} for ${account} at ${moment.at}, the network ${relation?.balance}`);
    }
  }
  return relation ? { balance: relation.balance, isFrozen: relation.frozen, isKyc: relation.kycGranted } : null;
}

/** Without metadata where REST does not say what it was. */
type NftNow = { owner: bigint; spender: bigint; created: bigint; metadata: Buffer | null } | null;

async function nftOf(serial: bigint, { moment, num, get }: Subject): Promise<NftNow> {
  const found = serial < 1n ? null : await get(`tokens/${entity(num)}/nfts/${serial}`);
  if (found === null) return null;
  const [created, metadata] = [toNs(found.created_timestamp) / 1_000_000_000n, Buffer.from(found.metadata, 'base64')];
  if (moment.at === null) {
    if (found.deleted) return null;
    return { owner: numOf(found.account_id), spender: numOf(found.spender), created, metadata };
  }
  const held = moment.held.nfts.get(`${num}:${serial}`);
  if (!held) return null;
  const { transactions } = await get(`tokens/${entity(num)}/nfts/${serial}/transactions?limit=100`);
  const isChanged = transactions.some(
    ({ type, consensus_timestamp: at }: Json) => type === 'TOKENUPDATENFTS' && toNs(at) > moment.at!,
  );
  return { owner: held.owner, spender: held.spender ?? 0n, created, metadata: isChanged ? null : metadata };
}

function pickSerial({ moment: { held }, num, random }: Subject): bigint {
  const token = held.tokens.get(num);
  const existing = [...held.nfts.values()].filter((nft) => nft.token === num).map(({ serial }) => serial);
  if (existing.length > 0 && random.chance(0.8)) return random.pick(existing);
  return BigInt(random.below(Number(token?.nextSerial ?? 0n) + 2));
}

type Pair = { owner: bigint; spender: bigint };

/** Two times of three a pair that has an allowance of that kind. */
function pickPair({ moment: { held }, num, random }: Subject, suffix: string): Pair {
  const known = random.chance(0.67)
    ? [...held.allowances.keys()].filter((key) => key.split(':').slice(2).join(':') === `${num}${suffix}`)
    : [];
  if (known.length > 0) {
    const [owner, spender] = random.pick(known).split(':').slice(0, 2).map(BigInt);
    return { owner: owner!, spender: spender! };
  }
  const users = usersOf(held);
  return { owner: random.pick(users), spender: random.pick(users) };
}

async function tokenAllowanceOf({ owner, spender }: Pair, subject: Subject): Promise<bigint> {
  const { moment, num, get } = subject;
  if (!isThere(owner, subject) || !isThere(spender, subject)) return 0n;
  if (moment.at !== null) return moment.held.allowances.get(`${owner}:${spender}:${num}`) ?? 0n;
  const { allowances } = await get(`accounts/${entity(owner)}/allowances/tokens?spender.id=${spender}&token.id=${num}`);
  return allowances[0]?.amount ?? 0n;
}

async function approvedForAll({ owner, spender }: Pair, subject: Subject): Promise<boolean> {
  const { moment, num, get } = subject;
  if (!isThere(owner, subject) || !isThere(spender, subject)) return false;
  if (moment.at !== null) return moment.held.allowances.has(`${owner}:${spender}:${num}:all`);
  const path = `accounts/${entity(owner)}/allowances/nfts?account.id=gte:${spender}&token.id=gte:${num}`;
  const { allowances } = await get(path);
  return allowances.some(
    (one: Json) => numOf(one.spender) === spender && numOf(one.token_id) === num && one.approved_for_all,
  );
}

const kindOnly = (wanted: boolean, { token }: Subject, expected: Expected): Expected =>
  token !== null && isFungible(token) !== wanted ? { halts: true } : expected;

async function allowanceTold(subject: Subject) {
  const pair = pickPair(subject, '');
  const left = await tokenAllowanceOf(pair, subject);
  return { args: [await named(pair.owner, subject), await named(pair.spender, subject)], left };
}

async function approvedTold(subject: Subject) {
  const serial = pickSerial(subject);
  const nft = await nftOf(serial, subject);
  return { serial, nft, by: nft && (await subject.addressOf(nft.spender)) };
}

async function forAllTold(subject: Subject) {
  const pair = pickPair(subject, ':all');
  const isApproved = await approvedForAll(pair, subject);
  return { args: [await named(pair.owner, subject), await named(pair.spender, subject)], isApproved };
}

/** At 0x167, where an unknown token reverts with the name of the code. */
function atServiceOrRevert(
  signature: string,
  tell: (subject: Subject) => Promise<{ args: readonly unknown[]; expected: Expected }>,
): Maker {
  return async (subject) => {
    const { args, expected } = await tell(subject);
    const known = subject.token === null ? { reverts: 'INVALID_TOKEN_ID' } : expected;
    return { to: tokenService, signature, args: [subject.num, ...args], expected: known };
  };
}

const noSerial = { reverts: 'INVALID_TOKEN_NFT_SERIAL_NUMBER' };
const invalidToken = { reverts: 'INVALID_TOKEN_ID' };
const word22 = { types: '(uint256)', values: [success] };

function relationQuestion(name: string, of: (relation: RelationNow) => boolean): Maker {
  return atService(
    `${name}(address,address)`,
    '(int64,bool)',
    () => [false],
    async (subject) => {
      const account = pickHolder(subject);
      const there = isThere(account, subject);
      const relation = there ? await relationOf(account, subject) : null;
      const status = there ? success : BigInt(code.INVALID_ACCOUNT_ID);
      return { args: [await named(account, subject)], values: [status, of(relation)] };
    },
  );
}

const flag = (name: string, of: (token: Json) => boolean): Maker =>
  atService(
    `${name}(address)`,
    '(int64,bool)',
    () => [false],
    async ({ token }) => ({ values: token && [success, of(token)] }),
  );

/** Answers the balance of an address. */
const balanceCode = (address: bigint) => `0x73${address.toString(16).padStart(40, '0')}315f5260205ff3`;

/** tinybar of an account: with a snapshot REST has them of the past as well. */
async function hbarOf(account: bigint, { moment, get }: Subject): Promise<bigint> {
  const found = await get(`accounts/${entity(account)}?limit=1&transactions=false${atTime(moment, '&timestamp=')}`);
  if (moment.at === null) return found.balance.balance;
  const held = moment.held.accounts.get(account)!.balance;
  if (found?.balance.timestamp === toTimestamp(moment.at) && found.balance.balance !== held) {
    throw new Error(`REST has ${found.balance.balance} tinybar of ${account} at ${moment.at}, the network ${held}`);
  }
  return held;
}

const makers: Record<string, Maker> = {
  hbar: async (subject) => {
    const account = pickHolder(subject);
    if (!isThere(account, subject)) return null;
    const [address, balance] = [await named(account, subject), await hbarOf(account, subject)];
    const expected = { types: '(uint256)', values: [balance] };
    return { to: null, code: balanceCode(address), signature: 'BALANCE', args: [address], expected };
  },
  name: member('name()', 'string', ({ name }) => name),
  symbol: member('symbol()', 'string', ({ symbol }) => symbol),
  decimals: atToken('decimals()', async (subject) => ({
    args: [],
    expected: kindOnly(true, subject, { types: '(uint8)', values: [BigInt(subject.token?.decimals ?? 0)] }),
  })),
  totalSupply: member('totalSupply()', 'uint256', ({ total_supply: supply }) => BigInt(supply)),
  balanceOf: atToken('balanceOf(address)', async (subject) => {
    const account = pickHolder(subject);
    const args = [await named(account, subject)];
    if (!isThere(account, subject)) return { args, expected: { reverts: 'INVALID_ACCOUNT_ID' } };
    const relation = await relationOf(account, subject);
    return { args, expected: { types: '(uint256)', values: [relation?.balance ?? 0n] } };
  }),
  ownerOf: atToken('ownerOf(uint256)', async (subject) => {
    const serial = pickSerial(subject);
    const nft = await nftOf(serial, subject);
    const owned = nft ? { types: '(address)', values: [await subject.addressOf(nft.owner)] } : noSerial;
    return { args: [serial], expected: kindOnly(false, subject, owned) };
  }),
  tokenURI: atToken('tokenURI(uint256)', async (subject) => {
    const serial = pickSerial(subject);
    const nft = await nftOf(serial, subject);
    if (nft?.metadata === null) return null;
    const uri = nft ? nft.metadata.toString('utf8') : 'ERC721Metadata: URI query for nonexistent token';
    return { args: [serial], expected: kindOnly(false, subject, { types: '(string)', values: [uri] }) };
  }),
  getApproved: atToken('getApproved(uint256)', async (subject) => {
    const { serial, nft, by } = await approvedTold(subject);
    const isOne = nft !== null && !isFungible(subject.token);
    return { args: [serial], expected: isOne ? { types: '(address)', values: [by] } : noSerial };
  }),
  isApprovedForAll: atToken('isApprovedForAll(address,address)', async (subject) => {
    const { args, isApproved } = await forAllTold(subject);
    const expected = isFungible(subject.token) ? invalidToken : { types: '(bool)', values: [isApproved] };
    return { args, expected };
  }),
  allowance: atToken('allowance(address,address)', async (subject) => {
    const { args, left } = await allowanceTold(subject);
    return { args, expected: isFungible(subject.token) ? { types: '(uint256)', values: [left] } : word22 };
  }),
  isAssociated: atToken('isAssociated()', async (subject) => {
    const account = pickHolder(subject);
    const known = subject.moment.held.accounts.get(account);
    // A contract cannot send; nobody sends for who is gone.
    if (!known || known.isContract || known.deleted) return null;
    const relation = await relationOf(account, subject);
    const from = await named(account, subject);
    return { args: [], from, expected: { types: '(bool)', values: [relation !== null && relation !== undefined] } };
  }),
  serviceAllowance: atServiceOrRevert('allowance(address,address,address)', async (subject) => {
    const { args, left } = await allowanceTold(subject);
    return {
      args,
      expected: isFungible(subject.token) ? { types: '(int64,uint256)', values: [success, left] } : word22,
    };
  }),
  serviceApproved: atServiceOrRevert('getApproved(address,uint256)', async (subject) => {
    const { serial, nft, by } = await approvedTold(subject);
    const isOne = nft !== null && !isFungible(subject.token);
    return { args: [serial], expected: isOne ? { types: '(int64,address)', values: [success, by] } : noSerial };
  }),
  serviceForAll: atServiceOrRevert('isApprovedForAll(address,address,address)', async (subject) => {
    const { args, isApproved } = await forAllTold(subject);
    const answer = { types: '(int64,bool)', values: [success, isApproved] };
    return { args, expected: isFungible(subject.token) ? invalidToken : answer };
  }),
  isToken: async ({ num, token }) => ({
    to: tokenService,
    signature: 'isToken(address)',
    args: [num],
    expected: { types: '(int64,bool)', values: [success, token !== null] },
  }),
  isFrozen: relationQuestion('isFrozen', (relation) => relation?.isFrozen ?? false),
  isKyc: relationQuestion('isKyc', (relation) => relation?.isKyc ?? false),
  defaultFreeze: flag('getTokenDefaultFreezeStatus', ({ freeze_default }) => freeze_default),
  defaultKyc: flag('getTokenDefaultKycStatus', () => false),
  tokenType: atService(
    'getTokenType(address)',
    '(int64,int32)',
    () => [0n],
    async ({ token }) => ({ values: [success, isFungible(token) ? 0n : 1n] }),
  ),
  tokenKey: atService(
    'getTokenKey(address,uint256)',
    `(int64,${keyValue})`,
    () => [noKey],
    async ({ token, random }, isV2) => {
      const bit = random.below(9);
      const name = isV2 ? keyNames[bit] : keyNames.slice(0, -1)[bit];
      // A bit that is no key's is not provided either.
      const key = token && name ? token[`${name}_key`] : null;
      const values = key === null ? [BigInt(code.KEY_NOT_PROVIDED), noKey] : [success, keyOf(key)];
      return { args: [1n << BigInt(bit)], values };
    },
  ),
  expiry: atService(
    'getTokenExpiryInfo(address)',
    `(int64,${expiry})`,
    () => [[0n, 0n, 0n]],
    async ({ token }) => ({ values: token && [success, expiryOf(token)] }),
  ),
  customFees: atService(
    'getTokenCustomFees(address)',
    `(int64,${fees})`,
    () => [[], [], []],
    async ({ token }) => ({ values: token && [success, ...feesOf(token)] }),
  ),
  info: atService(
    'getTokenInfo(address)',
    (isV2) => `(int64,${infoType(isV2)})`,
    (isV2) => [noInfo(isV2)],
    async ({ token }, isV2) => ({ values: token && [success, infoOf(token, isV2)] }),
  ),
  fungibleInfo: atService(
    'getFungibleTokenInfo(address)',
    (isV2) => `(int64,(${infoType(isV2)},int32))`,
    (isV2) => [[noInfo(isV2), 0n]],
    async ({ token }, isV2) => ({ values: token && [success, [infoOf(token, isV2), BigInt(token.decimals)]] }),
  ),
  nonFungibleInfo: atService(
    'getNonFungibleTokenInfo(address,int64)',
    (isV2) => `(int64,(${infoType(isV2)},int64,address,int64,bytes,address))`,
    (isV2) => [[noInfo(isV2), 0n, 0n, 0n, none, 0n]],
    async (subject, isV2) => {
      const serial = pickSerial(subject);
      const nft = await nftOf(serial, subject);
      if (nft?.metadata === null) return null;
      const owner = await subject.addressOf(nft?.owner ?? 0n);
      const spender = await subject.addressOf(nft?.spender ?? 0n);
      const of = [serial, owner, nft?.created ?? 0n, nft?.metadata ?? none, spender];
      const status = nft ? success : BigInt(code.INVALID_TOKEN_NFT_SERIAL_NUMBER);
      return { args: [serial], values: subject.token && [status, [infoOf(subject.token, isV2), ...of]] };
    },
  ),
};
