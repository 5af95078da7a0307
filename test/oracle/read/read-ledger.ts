// A second, independent reading of the ledger from its stream, in memory: it shares the readers of files with the
// importer, and interprets transactions by itself. Tests compare the mirror's answers with it.

import { toEntityId } from '../../../packages/protocol/hapi/entity-id.ts';
import { aliasToEvmAddress } from '../../../packages/protocol/hapi/evm-address.ts';
import { proto, toBigInt } from '../../../packages/protocol/hapi/hapi.ts';
import { toTimestamp } from '../../../packages/protocol/hapi/timestamp.ts';
import type { TransactionItem } from '../../../packages/streams/stream/stream-block.ts';
import { createHistory, type History } from '../answers/history.ts';
import { readEthereum } from './read-ethereum.ts';
import type { ReadBlock } from './read-stream.ts';

/** Account, contract, token or schedule: common members, and those of accounts and contracts. */
export type Entity = {
  kind: 'ACCOUNT' | 'CONTRACT' | 'TOKEN' | 'SCHEDULE';
  created: bigint;
  deleted: boolean;
  key: Buffer | null;
  memo: string;
  alias: Buffer | null;
  evmAddress: Buffer | null;
  autoRenewAccount: bigint | null;
  /** seconds */
  autoRenewPeriod: bigint | null;
  expiration: bigint | null;
  maxAutomaticAssociations: bigint | null;
  receiverSigRequired: boolean | null;
  proxy: bigint | null;
  obtainer: bigint | null;
  permanentRemoval: boolean | null;
  stakedNode: bigint | null;
  stakedAccount: bigint | null;
  declineReward: boolean;
  /** Days since 1970. */
  stakePeriodStart: bigint | null;
  nonce: bigint | null;
};

export type Token = {
  created: bigint;
  decimals: bigint;
  freezeDefault: boolean;
  initialSupply: bigint;
  maxSupply: bigint;
  metadata: Buffer | null;
  name: string;
  paused: boolean;
  supplyType: string;
  symbol: string;
  totalSupply: bigint;
  treasury: bigint;
  nonFungible: boolean;
  keys: Record<TokenKey, Buffer | null>;
};

const tokenKeys = ['feeSchedule', 'freeze', 'kyc', 'metadata', 'pause', 'supply', 'wipe'] as const;
type TokenKey = (typeof tokenKeys)[number];

type Schedule = {
  consensus: bigint;
  creator: bigint;
  payer: bigint;
  executed: bigint | null;
  expiration: bigint | null;
  body: Buffer;
  waitForExpiry: boolean;
  signatures: { at: bigint; prefix: Buffer; signature: Buffer; type: string }[];
};

type Code = { file: bigint | null; initcode: Buffer | null; runtime: Buffer | null };
type Holding = { associated: boolean; balance: bigint };
/** A value from a moment on. */
type Step = { at: bigint; balance: bigint };

export type ReadLedger = {
  entities: History<Entity>;
  tokens: History<Token>;
  fees: History<{ fees: proto.ICustomFee[] }>;
  schedules: Map<bigint, Schedule>;
  code: Map<bigint, Code>;
  /** Pieces of a file's content, by consensus time; `restart` where a new content begins. */
  files: Map<bigint, { at: bigint; bytes: Buffer; restart: boolean }[]>;
  /** `account:token` */
  holdings: Map<string, Holding>;
  /** `token:serial` → owner */
  nfts: Map<string, bigint>;
  /** Balances after each transfer: by account, and by `account:token`. */
  hbarSteps: Map<bigint, Step[]>;
  tokenSteps: Map<string, Step[]>;
  items: TransactionItem[];
  blocks: ReadBlock[];
  /** NFTs that ended because their owner left their deleted token, by consensus time. */
  abandoned: Map<bigint, { token: bigint; serial: bigint; owner: bigint }[]>;
  /** Reads the next block. */
  read(block: ReadBlock): void;
};

export const successes: ReadonlySet<number> = new Set([22, 104, 220]);
const nanosPerDay = 86_400_000_000_000n;

const blankEntity: Entity = {
  kind: 'ACCOUNT',
  created: 0n,
  deleted: false,
  key: null,
  memo: '',
  alias: null,
  evmAddress: null,
  autoRenewAccount: null,
  autoRenewPeriod: null,
  expiration: null,
  maxAutomaticAssociations: null,
  receiverSigRequired: null,
  proxy: null,
  obtainer: null,
  permanentRemoval: null,
  stakedNode: null,
  stakedAccount: null,
  declineReward: false,
  stakePeriodStart: null,
  nonce: null,
};

const noKeys = Object.fromEntries(tokenKeys.map((key) => [key, null])) as Token['keys'];

export function createReadLedger(): ReadLedger {
  const entities = createHistory<Entity>(blankEntity);
  const tokens = createHistory<Token>({ keys: noKeys } as Token);
  const fees = createHistory<{ fees: proto.ICustomFee[] }>({ fees: [] });
  const ledger: ReadLedger = {
    entities,
    tokens,
    fees,
    schedules: new Map(),
    code: new Map(),
    files: new Map(),
    holdings: new Map(),
    nfts: new Map(),
    hbarSteps: new Map(),
    tokenSteps: new Map(),
    items: [],
    blocks: [],
    abandoned: new Map(),
    read,
  };
  /** Of contracts whose records follow that of the transaction that created them. */
  const earlyNonces = new Map<bigint, bigint>();
  /** Starts of staking periods that this block has set. */
  let startsOfBlock = new Map<bigint, bigint>();

  function read(block: ReadBlock): void {
    startsOfBlock = new Map();
    for (const history of [entities, tokens, fees]) history.beginBlock();
    ledger.blocks.push(block);
    for (const item of block.items) {
      ledger.items.push(item);
      if (successes.has(item.status)) {
        const carryOut = effects[(item.body as proto.TransactionBody).data ?? ''];
        carryOut?.(item, item.body, item.consensusTimestamp);
      }
      if (item.body.ethereumTransaction || item.record.contractCallResult || item.record.contractCreateResult) {
        noteNonces(item);
      }
      transfer(item);
      payRewards(item);
      const scheduled = toEntityId(item.record.scheduleRef);
      if (scheduled !== 0n) ledger.schedules.get(scheduled)!.executed = item.consensusTimestamp;
    }
  }

  type Body = proto.ITransactionBody;
  type Effect = (item: TransactionItem, body: Body, at: bigint) => void;
  const effects: Record<string, Effect> = {
    cryptoCreateAccount({ record }, { cryptoCreateAccount }, at) {
      const body = cryptoCreateAccount!;
      const alias = filled(record.alias) ?? filled(body.alias);
      entities.change(toEntityId(record.receipt?.accountID), at, {
        kind: 'ACCOUNT',
        created: at,
        nonce: 0n,
        alias,
        evmAddress: filled(record.evmAddress) ?? (alias ? aliasToEvmAddress(alias) : null),
        key: keyBytes(body.key) ?? (alias && alias.length > 20 ? alias : null),
        memo: body.memo ?? '',
        autoRenewPeriod: body.autoRenewPeriod ? toBigInt(body.autoRenewPeriod.seconds) : null,
        maxAutomaticAssociations: BigInt(body.maxAutomaticTokenAssociations ?? 0),
        receiverSigRequired: body.receiverSigRequired === true,
        declineReward: body.declineReward === true,
        ...staking(toEntityId(record.receipt?.accountID), body, at),
      });
    },
    cryptoUpdateAccount(_item, { cryptoUpdateAccount }, at) {
      const body = cryptoUpdateAccount!;
      const id = toEntityId(body.accountIDToUpdate);
      entities.change(id, at, {
        deleted: false,
        key: keyBytes(body.key),
        memo: wrapped(body.memo, ''),
        autoRenewPeriod: body.autoRenewPeriod ? toBigInt(body.autoRenewPeriod.seconds) : undefined,
        expiration: body.expirationTime ? toTimestamp(body.expirationTime) : undefined,
        maxAutomaticAssociations: toBigIntOrUndefined(wrapped(body.maxAutomaticTokenAssociations, 0)),
        receiverSigRequired:
          wrapped(body.receiverSigRequiredWrapper, false) ?? (body.receiverSigRequired ? true : undefined),
        declineReward: wrapped(body.declineReward, false),
        ...staking(id, body, at),
      });
    },
    cryptoDelete(_item, { cryptoDelete }, at) {
      const obtainer = toEntityId(cryptoDelete!.transferAccountID) || undefined;
      entities.change(toEntityId(cryptoDelete!.deleteAccountID), at, { deleted: true, obtainer });
    },
    contractCreateInstance(item, { contractCreateInstance }, at) {
      const body = contractCreateInstance!;
      const id = toEntityId(item.record.receipt?.contractID);
      entities.change(id, at, {
        kind: 'CONTRACT',
        created: at,
        nonce: earlyNonces.get(id),
        evmAddress: filled(item.record.contractCreateResult?.evmAddress?.value),
        key: keyBytes(body.adminKey ?? { contractID: item.record.receipt?.contractID }),
        memo: body.memo ?? '',
        autoRenewAccount: toEntityId(body.autoRenewAccountId) || null,
        autoRenewPeriod: body.autoRenewPeriod ? toBigInt(body.autoRenewPeriod.seconds) : null,
        maxAutomaticAssociations: BigInt(body.maxAutomaticTokenAssociations ?? 0),
        declineReward: body.declineReward === true,
        proxy: toEntityId(body.proxyAccountID) || null,
        ...staking(id, body, at),
      });
      ledger.code.set(id, readCode(item, id));
    },
    contractUpdateInstance({ record }, { contractUpdateInstance }, at) {
      const body = contractUpdateInstance!;
      const id = toEntityId(record.receipt?.contractID) || toEntityId(body.contractID);
      entities.change(id, at, {
        deleted: false,
        key: keyBytes(body.adminKey),
        memo: wrapped(body.memoWrapper, '') ?? (body.memo || undefined),
        autoRenewAccount: body.autoRenewAccountId ? toEntityId(body.autoRenewAccountId) || null : undefined,
        autoRenewPeriod: body.autoRenewPeriod ? toBigInt(body.autoRenewPeriod.seconds) : undefined,
        expiration: body.expirationTime ? toTimestamp(body.expirationTime) : undefined,
        maxAutomaticAssociations: toBigIntOrUndefined(wrapped(body.maxAutomaticTokenAssociations, 0)),
        proxy: toEntityId(body.proxyAccountID) || undefined,
        declineReward: wrapped(body.declineReward, false),
        ...staking(id, body, at),
      });
    },
    contractDeleteInstance({ record }, { contractDeleteInstance }, at) {
      const body = contractDeleteInstance!;
      entities.change(toEntityId(record.receipt?.contractID) || toEntityId(body.contractID), at, {
        deleted: true,
        obtainer: toEntityId(body.transferAccountID) || toEntityId(body.transferContractID) || undefined,
        permanentRemoval: body.permanentRemoval === true,
      });
    },
    systemDelete: (_item, { systemDelete }, at) => setSystemDeleted(systemDelete!, at, true),
    systemUndelete: (_item, { systemUndelete }, at) => setSystemDeleted(systemUndelete!, at, false),
    fileCreate: ({ record }, { fileCreate }, at) => write(toEntityId(record.receipt?.fileID), fileCreate, at, true),
    fileAppend: (_item, { fileAppend }, at) => write(toEntityId(fileAppend!.fileID), fileAppend, at, false),
    fileUpdate: (_item, { fileUpdate }, at) => write(toEntityId(fileUpdate!.fileID), fileUpdate, at, true),
    tokenCreation({ record }, { tokenCreation }, at) {
      const body = tokenCreation!;
      const id = toEntityId(record.receipt?.tokenID);
      entities.change(id, at, {
        kind: 'TOKEN',
        created: at,
        key: keyBytes(body.adminKey),
        memo: body.memo ?? '',
        autoRenewAccount: toEntityId(body.autoRenewAccount) || null,
        autoRenewPeriod: body.autoRenewPeriod ? toBigInt(body.autoRenewPeriod.seconds) : null,
        expiration: body.expiry ? toTimestamp(body.expiry) : null,
      });
      tokens.change(id, at, {
        created: at,
        decimals: BigInt(body.decimals ?? 0),
        freezeDefault: body.freezeDefault === true,
        initialSupply: toBigInt(body.initialSupply),
        totalSupply: toBigInt(body.initialSupply),
        maxSupply: toBigInt(body.maxSupply),
        metadata: filled(body.metadata),
        name: body.name ?? '',
        symbol: body.symbol ?? '',
        paused: false,
        supplyType: body.supplyType === 1 ? 'FINITE' : 'INFINITE',
        treasury: toEntityId(body.treasury),
        nonFungible: body.tokenType === 1,
        keys: changedKeys(noKeys, body),
      });
      fees.change(id, at, { fees: body.customFees ?? [] });
      const listed = (record.automaticTokenAssociations ?? []).map(({ accountId }) => toEntityId(accountId));
      for (const account of listed.length > 0 ? listed : [toEntityId(body.treasury)]) associate(account, id);
    },
    tokenUpdate(_item, { tokenUpdate }, at) {
      const body = tokenUpdate!;
      const id = toEntityId(body.token);
      entities.change(id, at, {
        deleted: false,
        key: keyBytes(body.adminKey),
        memo: wrapped(body.memo, ''),
        autoRenewAccount: body.autoRenewAccount ? toEntityId(body.autoRenewAccount) : undefined,
        autoRenewPeriod: body.autoRenewPeriod ? toBigInt(body.autoRenewPeriod.seconds) : undefined,
        expiration: body.expiry ? toTimestamp(body.expiry) : undefined,
      });
      tokens.change(id, at, {
        name: body.name || undefined,
        symbol: body.symbol || undefined,
        metadata: body.metadata ? Buffer.from(body.metadata.value ?? []) : undefined,
        treasury: toEntityId(body.treasury) || undefined,
        keys: changedKeys(tokens.latest(id)!.keys, body),
      });
    },
    tokenDeletion: (_item, { tokenDeletion }, at) =>
      entities.change(toEntityId(tokenDeletion!.token), at, { deleted: true }),
    tokenFeeScheduleUpdate: (_item, { tokenFeeScheduleUpdate }, at) =>
      fees.change(toEntityId(tokenFeeScheduleUpdate!.tokenId), at, { fees: tokenFeeScheduleUpdate!.customFees ?? [] }),
    tokenPause: (_item, { tokenPause }, at) => tokens.change(toEntityId(tokenPause!.token), at, { paused: true }),
    tokenUnpause: (_item, { tokenUnpause }, at) =>
      tokens.change(toEntityId(tokenUnpause!.token), at, { paused: false }),
    tokenMint: (item, { tokenMint }) => setSupply(item, tokenMint!.token),
    tokenBurn: (item, { tokenBurn }) => setSupply(item, tokenBurn!.token),
    tokenWipe: (item, { tokenWipe }) => setSupply(item, tokenWipe!.token),
    tokenAssociate(_item, { tokenAssociate }) {
      for (const token of tokenAssociate!.tokens ?? [])
        associate(toEntityId(tokenAssociate!.account), toEntityId(token));
    },
    tokenDissociate(_item, { tokenDissociate }) {
      for (const token of tokenDissociate!.tokens ?? []) {
        holding(toEntityId(tokenDissociate!.account), toEntityId(token)).associated = false;
      }
    },
    tokenClaimAirdrop(_item, { tokenClaimAirdrop }) {
      for (const { receiverId, fungibleTokenType, nonFungibleToken } of tokenClaimAirdrop!.pendingAirdrops ?? []) {
        const token = toEntityId(fungibleTokenType ?? nonFungibleToken?.token_ID);
        if (!holding(toEntityId(receiverId), token).associated) associate(toEntityId(receiverId), token);
      }
    },
    scheduleCreate(item, { scheduleCreate, transactionID }, at) {
      const body = scheduleCreate!;
      const id = toEntityId(item.record.receipt?.scheduleID);
      const creator = toEntityId(transactionID?.accountID);
      entities.change(id, at, { kind: 'SCHEDULE', created: at, key: keyBytes(body.adminKey), memo: body.memo ?? '' });
      ledger.schedules.set(id, {
        consensus: at,
        creator,
        payer: toEntityId(body.payerAccountID) || creator,
        executed: null,
        expiration: body.expirationTime ? toTimestamp(body.expirationTime) : null,
        body: Buffer.from(proto.SchedulableTransactionBody.encode(body.scheduledTransactionBody!).finish()),
        waitForExpiry: body.waitForExpiry === true,
        signatures: readSignatures(item),
      });
    },
    scheduleSign(item, { scheduleSign }) {
      ledger.schedules.get(toEntityId(scheduleSign!.scheduleID))!.signatures.push(...readSignatures(item));
    },
    scheduleDelete: (_item, { scheduleDelete }, at) =>
      entities.change(toEntityId(scheduleDelete!.scheduleID), at, { deleted: true }),
  };

  function staking(
    id: bigint,
    body: { stakedNodeId?: unknown; stakedAccountId?: proto.IAccountID | null; declineReward?: unknown },
    at: bigint,
  ): Partial<Entity> {
    const isUpdateOfReward = typeof body.declineReward === 'object' && body.declineReward !== null;
    const node = body.stakedNodeId ?? null;
    const account = body.stakedAccountId ?? null;
    if (node === null && account === null && !isUpdateOfReward) return {};
    const stakePeriodStart = at / nanosPerDay;
    startsOfBlock.set(id, stakePeriodStart);
    if (node === null && account === null) return { stakePeriodStart };
    const stakedNode = node === null ? -1n : toBigInt(node as number);
    return {
      stakePeriodStart,
      stakedNode: stakedNode === -1n ? null : stakedNode,
      stakedAccount: account ? toEntityId(account) || null : null,
    };
  }

  /** A payment moves the start of the period to yesterday, unless this block set it to that day or later. */
  function payRewards({ record, consensusTimestamp }: TransactionItem): void {
    const stakePeriodStart = consensusTimestamp / nanosPerDay - 1n;
    for (const { accountID } of record.paidStakingRewards ?? []) {
      const id = toEntityId(accountID);
      if ((startsOfBlock.get(id) ?? -1n) >= stakePeriodStart) continue;
      startsOfBlock.set(id, stakePeriodStart);
      entities.change(id, consensusTimestamp, { stakePeriodStart });
    }
  }

  function noteNonces({ record }: TransactionItem): void {
    const result = record.contractCallResult ?? record.contractCreateResult;
    for (const { contractId, nonce } of result?.contractNonces ?? []) {
      const id = toEntityId(contractId);
      if (entities.latest(id)) entities.correct(id, { nonce: toBigInt(nonce) });
      else earlyNonces.set(id, toBigInt(nonce));
    }
    const { signerNonce } = result ?? {};
    if (signerNonce) entities.correct(toEntityId(result!.senderId), { nonce: toBigInt(signerNonce.value) });
  }

  /** Files are not among the entities that are read here. */
  function setSystemDeleted({ contractID }: proto.ISystemDeleteTransactionBody, at: bigint, deleted: boolean): void {
    if (contractID) entities.change(toEntityId(contractID), at, { deleted });
  }

  function setSupply({ record }: TransactionItem, token: proto.ITokenID | null | undefined): void {
    tokens.correct(toEntityId(token), { totalSupply: toBigInt(record.receipt?.newTotalSupply) });
  }

  function write(id: bigint, body: { contents?: Uint8Array | null } | null | undefined, at: bigint, restart: boolean) {
    const bytes = Buffer.from(body?.contents ?? []);
    if (bytes.length === 0) return;
    ledger.files.set(id, [...(ledger.files.get(id) ?? []), { at, bytes, restart }]);
  }

  function readCode(item: TransactionItem, id: bigint): Code {
    const parent = ledger.items.find((other) => other.consensusTimestamp === item.parentConsensusTimestamp);
    const body = item.body.contractCreateInstance!;
    const cause = parent?.body.contractCreateInstance;
    const ethereum = parent?.body.ethereumTransaction;
    const sidecar = [...item.sidecars, ...(parent?.sidecars ?? [])].find(
      ({ bytecode }) => bytecode && toEntityId(bytecode.contractId) === id,
    )?.bytecode;
    return {
      file: toEntityId(body.fileID) || toEntityId(cause?.fileID) || toEntityId(ethereum?.callData) || null,
      initcode:
        filled(body.initcode) ??
        filled(sidecar?.initcode) ??
        filled(cause?.initcode) ??
        (ethereum && !ethereum.callData ? filled(readEthereum(ethereum.ethereumData!)?.data) : null),
      runtime: filled(sidecar?.runtimeBytecode),
    };
  }

  function holding(account: bigint, token: bigint): Holding {
    const key = `${account}:${token}`;
    const found = ledger.holdings.get(key) ?? { associated: false, balance: 0n };
    ledger.holdings.set(key, found);
    return found;
  }

  function associate(account: bigint, token: bigint): void {
    ledger.holdings.set(`${account}:${token}`, { associated: true, balance: 0n });
  }

  function add(account: bigint, token: bigint, amount: bigint, at: bigint): void {
    if (account === 0n) return;
    const found = holding(account, token);
    found.balance += amount;
    step(ledger.tokenSteps, `${account}:${token}`, at, found.balance);
  }

  function transfer(item: TransactionItem): void {
    const { record, consensusTimestamp: at, body } = item;
    for (const { accountID, amount } of record.transferList?.accountAmounts ?? []) {
      const id = toEntityId(accountID);
      step(ledger.hbarSteps, id, at, (ledger.hbarSteps.get(id)?.at(-1)?.balance ?? 0n) + toBigInt(amount));
    }
    if (!body.tokenCreation) {
      for (const { accountId, tokenId } of record.automaticTokenAssociations ?? []) {
        associate(toEntityId(accountId), toEntityId(tokenId));
      }
    }
    for (const { token: tokenMessage, transfers, nftTransfers } of record.tokenTransferLists ?? []) {
      const token = toEntityId(tokenMessage);
      const leaves = body.tokenDissociate && transfers?.length === 1;
      for (const { accountID, amount } of transfers ?? []) {
        add(toEntityId(accountID), token, toBigInt(amount), at);
        if (leaves) leaveDeletedToken(toEntityId(accountID), token, toBigInt(amount), at);
      }
      for (const { senderAccountID, receiverAccountID, serialNumber } of nftTransfers ?? []) {
        const [sender, receiver, serial] = [
          toEntityId(senderAccountID),
          toEntityId(receiverAccountID),
          toBigInt(serialNumber),
        ];
        for (const nft of serial === -1n ? ownedBy(sender, token) : [`${token}:${serial}`]) {
          if (receiver === 0n) ledger.nfts.delete(nft);
          else ledger.nfts.set(nft, receiver);
          add(sender, token, -1n, at);
          add(receiver, token, 1n, at);
        }
      }
    }
  }

  function ownedBy(owner: bigint, token: bigint): string[] {
    return [...ledger.nfts].filter(([nft, of]) => of === owner && nft.startsWith(`${token}:`)).map(([nft]) => nft);
  }

  function leaveDeletedToken(account: bigint, token: bigint, amount: bigint, at: bigint): void {
    const { totalSupply, nonFungible } = tokens.latest(token)!;
    tokens.correct(token, { totalSupply: totalSupply + amount });
    if (!nonFungible) return;
    const ended = ownedBy(account, token);
    for (const nft of ended) ledger.nfts.delete(nft);
    const serials = ended.map((nft) => BigInt(nft.split(':')[1]!));
    ledger.abandoned.set(
      at,
      serials.map((serial) => ({ token, serial, owner: account })),
    );
  }

  return ledger;
}

function step<K>(steps: Map<K, Step[]>, key: K, at: bigint, balance: bigint): void {
  const list = steps.get(key) ?? [];
  if (list.at(-1)?.at === at) list.at(-1)!.balance = balance;
  else list.push({ at, balance });
  steps.set(key, list);
}

const signatureTypes = ['contract', 'ed25519', 'RSA_3072', 'ECDSA_384', 'ECDSASecp256k1'] as const;
const signatureTypeNames = ['CONTRACT', 'ED25519', 'RSA_3072', 'ECDSA_384', 'ECDSA_SECP256K1'];

function readSignatures(item: TransactionItem): Schedule['signatures'] {
  const seen = new Set<string>();
  const signatures: Schedule['signatures'] = [];
  for (const pair of proto.SignatureMap.decode(item.signatureMapBytes).sigPair) {
    const prefix = Buffer.from(pair.pubKeyPrefix ?? []);
    if (seen.has(prefix.toString('hex'))) continue;
    seen.add(prefix.toString('hex'));
    const index = signatureTypes.findIndex((type) => pair[type]?.length);
    const signature = Buffer.from(pair[signatureTypes[index]!] ?? []);
    signatures.push({ at: item.consensusTimestamp, prefix, signature, type: signatureTypeNames[index]! });
  }
  return signatures;
}

function changedKeys(
  before: Token['keys'],
  body: proto.ITokenCreateTransactionBody | proto.ITokenUpdateTransactionBody,
): Token['keys'] {
  const entries = tokenKeys.map((key) => [key, keyBytes(body[`${key}Key`]) ?? before[key]]);
  return Object.fromEntries(entries) as Token['keys'];
}

function keyBytes(key: proto.IKey | null | undefined): Buffer | undefined {
  return key ? Buffer.from(proto.Key.encode(key).finish()) : undefined;
}

function filled(bytes: Uint8Array | null | undefined): Buffer | null {
  return bytes?.length ? Buffer.from(bytes) : null;
}

/** undefined without the wrapper. */
function wrapped<T>(wrapper: { value?: T | null } | null | undefined, blank: T): T | undefined {
  return wrapper ? (wrapper.value ?? blank) : undefined;
}

function toBigIntOrUndefined(value: number | undefined): bigint | undefined {
  return value === undefined ? undefined : BigInt(value);
}
