// A second reading of a stream: the expected rows of a mirror's tables, from bodies and records alone. It shares the
// readers of files and messages with the importer, and interprets transactions by itself.
import { toEntityId } from '../../../packages/protocol/hapi/entity-id.ts';
import { isLongZeroAddress } from '../../../packages/protocol/hapi/evm-address.ts';
import { proto, toBigInt } from '../../../packages/protocol/hapi/hapi.ts';
import { type BodyField, findTransactionType, typeNumber } from '../../../packages/protocol/hapi/transaction-types.ts';
import type { ReadBlock } from '../read/read-stream.ts';
import { addEvmRows, addTokenLogs, assignIndex, createEvm, type Evm, noteNonces } from './contract-effects.ts';
import { effects } from './effects.ts';
import { createExpectedTables, type ExpectedRow, type ExpectedTables } from './expected-tables.ts';
import { type Fact, type Known, nanoseconds, orNull, seconds } from './fact.ts';
import { assessFees, moveHbar, moveTokens, payRewards, spendAllowances } from './moves.ts';
import { subjectOf } from './subject-of.ts';

const successes = [22, 104, 220];
const noteworthyNodes: readonly number[] = [typeNumber.nodeCreate, typeNumber.nodeUpdate, typeNumber.nodeDelete];

export type Oracle = {
  tables: ExpectedTables;
  /** Tables that a transaction type wrote to, besides those of every transaction: versions, rows, changes in place. */
  ownTables: Map<BodyField, Set<string>>;
  read(block: ReadBlock): void;
};

export function createOracle(): Oracle {
  const tables = createExpectedTables();
  const ownTables: Oracle['ownTables'] = new Map();
  const names = new Map<string, bigint>();
  const facts = new Map<bigint, Fact>();
  /** Changes of accounts before their creation in the block. */
  let early = new Map<bigint, ExpectedRow & { balance: bigint }>();
  let startsOfBlock = new Map<bigint, bigint>();

  const byName = (name: Buffer): bigint =>
    isLongZeroAddress(name) ? BigInt(`0x${name.toString('hex')}`) : (names.get(name.toString('hex')) ?? 0n);
  const known: Known = {
    tables,
    byName,
    account: (id) => (id?.alias?.length ? byName(Buffer.from(id.alias)) : toEntityId(id)),
    contract: (id) => (id?.evmAddress?.length ? byName(Buffer.from(id.evmAddress)) : toEntityId(id)),
    remember: (id, ...all) => {
      for (const name of all) if (name?.length) names.set(Buffer.from(name).toString('hex'), id);
    },
    entity: (fact, id, type, members) => {
      if (id === 0n) return;
      const { balance, ...said } = early.get(id) ?? { balance: 0n };
      const isNew = !tables.latest('entity', `${id}`);
      const opening = members.balance === undefined ? {} : { balance: balance + (members.balance as bigint) };
      tables.version('entity', `${id}`, fact.at, {
        ...(isNew ? blankEntity(id) : {}),
        type,
        ...members,
        ...said,
        ...opening,
      });
      early.delete(id);
      if (members.stake_period_start !== undefined) startsOfBlock.set(id, members.stake_period_start as bigint);
    },
    slotsBefore: new Map(),
  };

  const adjust = (id: bigint, members: ExpectedRow, amount: bigint): void => {
    if (id === 0n) return;
    if (tables.latest('entity', `${id}`)) {
      tables.amend('entity', `${id}`, (row) => ({
        ...row,
        ...members,
        balance: ((row.balance as bigint) ?? 0n) + amount,
      }));
    } else early.set(id, { ...early.get(id), ...members, balance: (early.get(id)?.balance ?? 0n) + amount });
  };

  return {
    tables,
    ownTables,
    read(block) {
      const evm = createEvm();
      early = new Map();
      startsOfBlock = new Map();
      facts.clear();
      known.slotsBefore.clear();
      const ofBlock: Fact[] = [];
      for (const item of block.items) {
        const parent =
          item.parentConsensusTimestamp === null ? null : (facts.get(item.parentConsensusTimestamp) ?? null);
        const fact: Fact = {
          ...item,
          block,
          at: item.consensusTimestamp,
          parent,
          successful: successes.includes(item.status) && (parent === null || parent.successful),
          payer: known.account(item.body.transactionID?.accountID),
          subject: 0n,
        };
        facts.set(fact.at, fact);
        ofBlock.push(fact);
      }
      for (const [index, fact] of ofBlock.entries()) readFact(fact, evm, ofBlock.slice(0, index + 1), ofBlock);
      const { file } = block;
      tables.add('record_file', {
        consensus_start: ofBlock[0]!.at,
        consensus_end: ofBlock.at(-1)!.at,
        count: ofBlock.length,
        gas_used: evm.gas,
        hash: file.hash.toString('hex'),
        index: file.blockNumber,
        logs_bloom: evm.bloom,
        name: block.name,
        prev_hash: file.previousHash.toString('hex'),
      });
    },
  };

  function readFact(fact: Fact, evm: Evm, soFar: readonly Fact[], all: readonly Fact[]): void {
    fact.subject = subjectOf(fact, byName);
    assignIndex(fact, evm, soFar);
    const field = findTransactionType(fact.type)?.bodyField;
    const data = field && fact.body[field];
    if (fact.successful && data) {
      const own = withNotes(known, ownTables, field);
      (effects[field] as (fact: Fact, data: unknown, known: Known) => void)(fact, data, own);
    }
    moveHbar(fact, known, (id, amount, at) => adjust(id, { balance_timestamp: at }, amount));
    payRewards(fact, known, startsOfBlock);
    const executed = toEntityId(fact.record.scheduleRef);
    if (executed !== 0n) tables.put('schedule', `${executed}`, { executed_timestamp: fact.at });
    if (fact.successful) {
      addSignatures(fact, field);
      spendAllowances(fact, known);
    }
    const nftTransfers = moveTokens(fact, known);
    assessFees(fact, known);
    const hasTokenLogs = addTokenLogs(fact, known, evm, soFar);
    addEvmRows(fact, known, evm, soFar);
    noteNonces(fact, (id, nonce) => adjust(id, { ethereum_nonce: nonce }, 0n), known);
    addTransaction(fact, nftTransfers, all);
    if (field !== 'consensusSubmitMessage' || hasTokenLogs) addHashes(fact);
  }

  function addSignatures(fact: Fact, field: BodyField | undefined): void {
    if (field !== 'scheduleCreate' && field !== 'scheduleSign') return;
    const kinds = [
      ['contract', 2],
      ['ed25519', 3],
      ['RSA_3072', 4],
      ['ECDSA_384', 5],
      ['ECDSASecp256k1', 6],
    ] as const;
    const seen = new Set<string>();
    for (const pair of proto.SignatureMap.decode(fact.signatureMapBytes).sigPair) {
      const prefix = Buffer.from(pair.pubKeyPrefix ?? []);
      const kind = kinds.find(([name]) => pair[name]);
      if (seen.has(prefix.toString('hex')) || !kind) continue;
      seen.add(prefix.toString('hex'));
      tables.add('transaction_signature', {
        consensus_timestamp: fact.at,
        entity_id: fact.subject,
        public_key_prefix: prefix,
        signature: pair[kind[0]],
        type: kind[1],
      });
    }
  }

  function addTransaction(fact: Fact, nftTransfers: ExpectedRow[], all: readonly Fact[]): void {
    const { body, record } = fact;
    const id = body.transactionID!;
    const inner = all.filter((one) => one.parent === fact && fact.body.atomicBatch && !one.body.transactionID?.nonce);
    const isKept = noteworthyNodes.includes(fact.type);
    tables.add('transaction', {
      batch_key: body.batchKey ? proto.Key.encode(body.batchKey).finish() : null,
      charged_tx_fee: toBigInt(record.transactionFee),
      consensus_timestamp: fact.at,
      entity_id: orNull(fact.subject),
      high_volume: body.highVolume === true,
      high_volume_pricing_multiplier: toBigInt(record.highVolumePricingMultiplier) || null,
      index: fact.index,
      initial_balance: toBigInt(
        body.cryptoCreateAccount?.initialBalance ?? body.contractCreateInstance?.initialBalance,
      ),
      inner_transactions:
        inner.length > 0
          ? inner.flatMap((one) => [one.payer, nanoseconds(one.body.transactionID!.transactionValidStart)])
          : null,
      max_custom_fees: body.maxCustomFees?.length
        ? body.maxCustomFees.map((limit) => proto.CustomFeeLimit.encode(limit).finish())
        : null,
      max_fee: toBigInt(body.transactionFee),
      memo: Buffer.from(body.memo ?? ''),
      nft_transfer: nftTransfers.length > 0 ? nftTransfers : null,
      node_account_id: orNull(toEntityId(body.nodeAccountID)),
      nonce: id.nonce ?? 0,
      parent_consensus_timestamp: fact.parentConsensusTimestamp,
      payer_account_id: fact.payer,
      result: fact.status,
      scheduled: Boolean(record.scheduleRef),
      transaction_bytes: isKept ? fact.transactionBytes : null,
      transaction_hash: record.transactionHash,
      transaction_record_bytes: isKept ? fact.recordBytes : null,
      type: fact.type,
      valid_duration_seconds: seconds(body.transactionValidDuration) ?? null,
      valid_start_ns: nanoseconds(id.transactionValidStart),
    });
  }

  function addHashes(fact: Fact): void {
    const common = { consensus_timestamp: fact.at, payer_account_id: fact.payer };
    const hash = Buffer.from(fact.record.transactionHash!);
    tables.add('transaction_hash', { ...common, hash: hash.subarray(0, 32), hash_suffix: hash.subarray(32) });
    const { ethereumHash } = fact.record;
    if (ethereumHash?.length) tables.add('transaction_hash', { ...common, hash: ethereumHash, hash_suffix: null });
  }
}

/** Notes which tables are written to. */
function withNotes(known: Known, noted: Oracle['ownTables'], field: BodyField): Known {
  const names = noted.get(field) ?? new Set();
  noted.set(field, names);
  const note = (table: string): string => {
    names.add(table);
    return table;
  };
  const { tables } = known;
  return {
    ...known,
    entity: (...args) => {
      note('entity');
      known.entity(...args);
    },
    tables: {
      ...tables,
      add: (table, row) => tables.add(note(table), row),
      put: (table, key, row) => tables.put(note(table), key, row),
      version: (table, key, at, members) => tables.version(note(table), key, at, members),
      amend: (table, key, change) => tables.amend(note(table), key, change),
    },
  };
}

function blankEntity(id: bigint): ExpectedRow {
  return {
    id,
    num: id & ((1n << 38n) - 1n),
    realm: 0n,
    shard: 0n,
    decline_reward: false,
    memo: '',
    stake_period_start: -1n,
    staked_node_id: -1n,
  };
}
