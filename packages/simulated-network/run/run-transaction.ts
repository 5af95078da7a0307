// From a submitted transaction to the items it leaves in the stream: fee, execution, rewards, then the records before and
// after it, schedules that became ready and the inner transactions of a batch. Whatever fails leaves only its fee.

import { encodeTransactionBody } from '../../../src/protocol/hapi/encode-transaction.ts';
import { toEntityId } from '../../../src/protocol/hapi/entity-id.ts';
import { proto } from '../../../src/protocol/hapi/hapi.ts';
import { decodeTransactionBody } from '../../../src/protocol/hapi/transaction-body.ts';
import { findTransactionType } from '../../../src/protocol/hapi/transaction-types.ts';
import type { RunEvm } from '../evm/run-evm.ts';
import { emptyKeyList } from '../ledger/blank-account.ts';
import { feeShares } from '../ledger/fees.ts';
import { accountId, duration, nsPerSecond, timestamp, toLong } from '../ledger/hapi-values.ts';
import type { BalanceChanges, Ledger, Schedule } from '../ledger/ledger.ts';
import type { Prices } from '../ledger/prices.ts';
import { encodeKey, evmAddressOfKey, keysThatSatisfy, type SigningKeys } from '../ledger/signing-keys.ts';
import { payStakingRewards } from '../ledger/staking-rewards.ts';
import {
  addHbar,
  assertSigned,
  type ChildOutcome,
  createOutcome,
  type Execution,
  type Outcome,
  Rejection,
  type Status,
  type TransactionIdentity,
} from '../transactions/execution.ts';
import { type Bodies, handlers, type SubmittedKind } from '../transactions/handlers.ts';
import { scheduledIdentity } from '../transactions/schedules.ts';
import { encodeStreamItem, type StreamItem } from './stream-item.ts';
import { type StreamUnit, toStreamUnit } from './stream-unit.ts';
import { asksForOlderHash } from './transaction-hash.ts';

/** What a client submits. */
export type Submission<K extends SubmittedKind = SubmittedKind> = {
  kind: K;
  data: Bodies[K];
  payer: bigint;
  /** Accounts that sign besides the payer. */
  signers?: readonly bigint[];
  /** Further keys that sign. */
  keys?: readonly Uint8Array[];
  memo?: string;
  /** tinybar; the fee if not given, null to leave it out (the network's own transactions). */
  maxFee?: bigint | null;
  validDurationSeconds?: bigint | null;
  maxCustomFees?: proto.ICustomFeeLimit[];
  batchKey?: proto.IKey;
  /** Of an inner transaction in its batch, from 1: keeps transaction ids of one payer apart. */
  batchPosition?: number;
  /** Asks for the high-volume lane at the price of the moment: the fee times this, in thousandths. */
  highVolumeMultiplier?: bigint;
  /** The network's own transactions have no node, no fee and no signatures. */
  synthetic?: boolean;
};

export type Moment = {
  consensusTimestamp: bigint;
  blockNumber: bigint;
  /** ns, start of the block. */
  blockTime: bigint;
  nodeAccount: bigint;
};

/** What came of a transaction. */
type Result = { status: Status; receipt: Outcome['receipt']; unit: StreamUnit };

export type TransactionRunner = {
  run(submission: Submission, moment: Moment): Promise<Result>;
  /** Expired schedules: those that wait for their expiry execute, the others are removed. */
  runDueSchedules(moment: Moment): Promise<StreamUnit[]>;
  /** A signed inner transaction for a batch. */
  sign(submission: Submission, moment: Moment): Uint8Array;
};

/** How long before consensus a transaction starts to be valid. */
const submissionDelayNs = 4_217_000_113n;
/** Records before an inner transaction, of accounts that it makes say. */
const maxPrecedingOfInner = 4;

export function createTransactionRunner({
  ledger,
  keys,
  prices,
  runEvm,
}: {
  ledger: Ledger;
  keys: SigningKeys;
  prices: Prices;
  runEvm: RunEvm;
}): TransactionRunner {
  const sharedContext = { ledger, keys, prices, runEvm };

  type Call = {
    kind: SubmittedKind;
    data: object;
    identity: TransactionIdentity;
    payer: bigint;
    signers: ReadonlySet<string>;
    fee: bigint;
    maxCustomFees: proto.ICustomFeeLimit[];
    completedBy?: proto.IKey;
    trusted?: boolean;
  };
  type Done = {
    status: Status;
    outcome: Outcome;
    balances: BalanceChanges;
    fee: bigint;
    rewards: { account: bigint; amount: bigint }[];
  };

  async function execute(
    call: Call,
    moment: Moment,
    signatureProbe: Execution['signatureProbe'] = null,
  ): Promise<Done> {
    const start = ledger.mark();
    const x: Execution = { ...sharedContext, ...moment, ...call, signatureProbe, outcome: createOutcome() };
    let { fee } = call;
    let status: Status = 'SUCCESS';
    let mark = start;
    try {
      if (fee > 0n) pay(x.payer, fee, moment);
      mark = ledger.mark();
      const payer = ledger.tables.accounts.get(x.payer);
      if (call.completedBy) completeHollowAccount(x, call.completedBy);
      else if (!call.trusted) assertSigned(x, payer?.key);
      const handler = handlers[call.kind] as (x: Execution, data: object) => void | Promise<void>;
      await handler(x, call.data);
    } catch (error) {
      if (!(error instanceof Rejection)) throw error;
      ledger.rollback(mark);
      if (mark === start) fee = 0n;
      status = error.status;
      const { record, receipt, sidecars, gas, usedNonce } = error.leftover;
      x.outcome = createOutcome();
      Object.assign(x.outcome, {
        record: record ?? {},
        receipt: receipt ?? {},
        sidecars: sidecars ?? [],
        gas,
        usedNonce,
      });
    }
    const { gas, usedNonce } = x.outcome;
    if (usedNonce) ledger.change('accounts', usedNonce.account, { ethereumNonce: usedNonce.next });
    if (gas) pay(gas.payer, gas.amount, moment);
    const touched = ledger.balanceChanges(start).hbar.map(({ account }) => account);
    const rewards = payStakingRewards(ledger, touched, moment.consensusTimestamp);
    return {
      status,
      outcome: x.outcome,
      balances: ledger.balanceChanges(start),
      fee: fee + (gas?.amount ?? 0n),
      rewards,
    };
  }

  function pay(payer: bigint, amount: bigint, { nodeAccount }: Moment): void {
    addHbar(sharedContext, payer, -amount, 'INSUFFICIENT_PAYER_BALANCE');
    for (const share of feeShares(amount, nodeAccount)) addHbar(sharedContext, share.account, share.amount);
  }

  /** The first signature of a hollow account's key makes it a complete one; a record before the transaction says so. */
  function completeHollowAccount(x: Execution, key: proto.IKey): void {
    ledger.change('accounts', x.payer, { key: encodeKey(key) });
    const outcome = createOutcome();
    outcome.receipt.accountID = accountId(x.payer);
    x.outcome.preceding.push({
      kind: 'cryptoUpdateAccount',
      data: { accountIDToUpdate: accountId(x.payer), key },
      memo: 'hollow account completion',
      outcome,
      status: 'SUCCESS',
    });
  }

  function feeOfSubmission({ kind, highVolumeMultiplier = 1000n }: Submission): bigint {
    return (prices.fee(kind) * highVolumeMultiplier) / 1000n;
  }

  function buildBody(
    submission: Submission,
    moment: Moment,
  ): { body: proto.ITransactionBody; identity: TransactionIdentity } {
    const validStart = moment.consensusTimestamp - submissionDelayNs - BigInt(submission.batchPosition ?? 0);
    const {
      kind,
      data,
      payer,
      synthetic,
      batchKey,
      maxFee = feeOfSubmission(submission) * 2n,
      validDurationSeconds = 120n,
    } = submission;
    return {
      identity: { payer, validStart, scheduled: false, nonce: 0 },
      body: {
        transactionID: { accountID: accountId(payer), transactionValidStart: timestamp(validStart) },
        nodeAccountID: synthetic ? undefined : accountId(batchKey ? 0n : moment.nodeAccount),
        transactionFee: maxFee === null || synthetic ? undefined : toLong(maxFee),
        transactionValidDuration:
          validDurationSeconds === null || synthetic ? undefined : duration(validDurationSeconds),
        memo: submission.memo ?? '',
        maxCustomFees: submission.maxCustomFees,
        batchKey,
        [kind]: data,
      },
    };
  }

  function signingKeysOf({ payer, signers = [], keys: further = [], synthetic }: Submission): Set<string> {
    if (synthetic) return new Set();
    const accountKeys = [payer, ...signers].map((id) => ledger.tables.accounts.get(id)?.key ?? emptyKeyList);
    return new Set([...accountKeys, ...further].flatMap(keysThatSatisfy));
  }

  function signedBytes(submission: Submission, body: proto.ITransactionBody, signers: Set<string>): Uint8Array {
    const bodyBytes = encodeTransactionBody({
      ...body,
      ...(submission.highVolumeMultiplier === undefined ? {} : { highVolume: true }),
    });
    const sigPair = keys.sign(signers, bodyBytes);
    return proto.SignedTransaction.encode({
      bodyBytes,
      sigMap: submission.synthetic ? undefined : { sigPair },
      useSerializedTxMessageHashAlgorithm: !submission.synthetic && asksForOlderHash(bodyBytes),
    }).finish();
  }

  /** The item of a transaction, and those of its children around it. */
  function itemsOf(
    main: Omit<Parameters<typeof encodeStreamItem>[0], keyof Done | 'parentConsensusTimestamp'> & {
      parent?: bigint | null;
    },
    done: Done,
  ): { item: StreamItem; all: StreamItem[] } {
    const { preceding, following } = done.outcome;
    const { consensusTimestamp, transactionId } = main;
    const child = (outcome: ChildOutcome, nonce: number, at: bigint, parent: bigint | null) =>
      encodeChild(outcome, { ...transactionId, nonce }, at, parent);
    const item = encodeStreamItem({ ...main, ...done, parentConsensusTimestamp: main.parent ?? null });
    const all = [
      ...preceding.map((outcome, index) =>
        child(outcome, index + 1, consensusTimestamp - BigInt(preceding.length - index), main.parent ?? null),
      ),
      item,
      ...following.map((outcome, index) =>
        child(outcome, preceding.length + index + 1, consensusTimestamp + BigInt(index + 1), consensusTimestamp),
      ),
    ];
    return { item, all };
  }

  async function runInnerTransactions(outer: Done, moment: Moment, next: () => bigint): Promise<StreamItem[]> {
    const start = ledger.mark();
    const calls = outer.outcome.innerTransactions
      .map(openSigned)
      .map((call) => ({ ...call, fee: prices.fee(call.kind) }));
    const runs: { call: (typeof calls)[number]; done: Done; at: bigint }[] = [];
    for (const call of calls) {
      // Room for records that come before the inner transaction.
      for (let child = 0; child < maxPrecedingOfInner; child++) next();
      const at = next();
      const done = await execute(call, { ...moment, consensusTimestamp: at });
      for (const _ of done.outcome.following) next();
      runs.push({ call, done, at });
      if (done.status !== 'SUCCESS') break;
    }
    if (runs.some(({ done }) => done.status !== 'SUCCESS')) {
      outer.status = 'INNER_TRANSACTION_FAILED';
      ledger.rollback(start);
      for (const run of runs) {
        // All or nothing: only what was paid remains, and what the record says of the one that failed.
        const mark = ledger.mark();
        const { gas, usedNonce } = run.done.outcome;
        const fee = run.done.fee - (gas?.amount ?? 0n);
        if (fee > 0n) pay(run.call.payer, fee, moment);
        if (gas) pay(gas.payer, gas.amount, moment);
        if (usedNonce) ledger.change('accounts', usedNonce.account, { ethereumNonce: usedNonce.next });
        const hasSucceeded = run.done.status === 'SUCCESS';
        run.done = {
          ...run.done,
          status: hasSucceeded ? 'REVERTED_SUCCESS' : run.done.status,
          outcome: hasSucceeded ? createOutcome() : run.done.outcome,
          rewards: [],
          balances: ledger.balanceChanges(mark),
        };
      }
    }
    return runs.flatMap(({ call, done, at }) => {
      const inner = {
        kind: call.kind,
        consensusTimestamp: at,
        parent: moment.consensusTimestamp,
        signedTransactionBytes: call.bytes,
        transactionId: call.body.transactionID!,
        memo: call.body.memo ?? '',
        scheduleRef: null,
        rates: null,
        isInner: true,
      };
      return itemsOf(inner, done).all;
    });
  }

  async function runSchedule(schedule: Schedule, moment: Moment): Promise<ReturnType<typeof itemsOf> | null> {
    const body = proto.SchedulableTransactionBody.decode(schedule.body);
    const kind = body.data as SubmittedKind;
    const identity: TransactionIdentity = {
      payer: schedule.creator,
      validStart: schedule.validStart,
      scheduled: true,
      nonce: 0,
    };
    const signers = new Set(schedule.signers);
    const data = body[kind as keyof typeof body] as object;
    const call: Call = {
      kind,
      data,
      identity,
      payer: schedule.payer,
      signers,
      fee: prices.fee(kind),
      maxCustomFees: [],
    };

    const mark = ledger.mark();
    const probe = { isMissing: false };
    await execute(call, moment, probe);
    ledger.rollback(mark);
    if (probe.isMissing) return null;

    ledger.change('schedules', schedule.id, { state: 'executed' });
    const done = await execute(call, moment);
    const transactionId = scheduledIdentity(schedule);
    const transactionBody: proto.ITransactionBody = {
      transactionID: transactionId,
      transactionFee: body.transactionFee,
      transactionValidDuration: duration(120n),
      memo: body.memo,
      [kind]: data,
    };
    const bodyBytes = encodeTransactionBody(transactionBody);
    return itemsOf(
      {
        kind,
        consensusTimestamp: moment.consensusTimestamp,
        signedTransactionBytes: proto.SignedTransaction.encode({ bodyBytes }).finish(),
        transactionId,
        memo: body.memo,
        scheduleRef: schedule.id,
        rates: prices.rates(),
      },
      done,
    );
  }

  return {
    run: async (submission, moment) => {
      const start = ledger.mark();
      const { kind, data, payer, synthetic } = submission;
      const { body, identity } = buildBody(submission, moment);
      const signers = signingKeysOf(submission);
      const bytes = signedBytes(submission, body, signers);
      const call: Call = {
        kind,
        data,
        identity,
        payer,
        signers,
        fee: synthetic ? 0n : feeOfSubmission(submission),
        maxCustomFees: submission.maxCustomFees ?? [],
        completedBy: synthetic ? undefined : completingKey(ledger, submission),
        trusted: synthetic,
      };
      const done = await execute(call, moment);
      let offset = BigInt(done.outcome.following.length);
      const next = () => {
        offset += 1n;
        return moment.consensusTimestamp + offset;
      };
      const inner = done.status === 'SUCCESS' ? await runInnerTransactions(done, moment, next) : [];
      const scheduled: StreamItem[] = [];
      for (const id of done.outcome.readySchedules) {
        next();
        const at = next();
        const executed = await runSchedule(ledger.tables.schedules.get(id)!, { ...moment, consensusTimestamp: at });
        scheduled.push(...(executed?.all ?? []));
      }
      const main = itemsOf(
        {
          kind,
          consensusTimestamp: moment.consensusTimestamp,
          signedTransactionBytes: bytes,
          transactionId: body.transactionID!,
          memo: body.memo ?? '',
          scheduleRef: null,
          rates: synthetic ? null : prices.rates(),
          highVolumeMultiplier: submission.highVolumeMultiplier,
        },
        done,
      );
      const unit = toStreamUnit(ledger, start, [...main.all, ...inner, ...scheduled], main.item);
      return { status: done.status, receipt: done.outcome.receipt, unit };
    },
    runDueSchedules: async (moment) => {
      const units: StreamUnit[] = [];
      let count = 0;
      for (const schedule of ledger.tables.schedules.values()) {
        if (schedule.state !== 'pending' || schedule.expiration > moment.consensusTimestamp) continue;
        const start = ledger.mark();
        const at = moment.consensusTimestamp + BigInt(count * 10);
        const executed = schedule.waitForExpiry
          ? await runSchedule(schedule, { ...moment, consensusTimestamp: at })
          : null;
        if (!executed) {
          ledger.change('schedules', schedule.id, { state: 'expired' });
          continue;
        }
        units.push(toStreamUnit(ledger, start, executed.all, executed.item));
        count += executed.all.length;
      }
      return units;
    },
    sign: (submission, moment) => {
      const { body } = buildBody(submission, moment);
      return signedBytes(submission, body, signingKeysOf(submission));
    },
  };
}

/** The key that completes a hollow payer, if it is among those that sign. */
function completingKey(ledger: Ledger, { payer, keys = [] }: Submission): proto.IKey | undefined {
  const account = ledger.tables.accounts.get(payer);
  if (!account?.evmAddress || Buffer.compare(account.key, emptyKeyList) !== 0) return undefined;
  return keys
    .map((key) => proto.Key.decode(key))
    .find(({ ECDSASecp256k1 }) => {
      return ECDSASecp256k1?.length && Buffer.compare(evmAddressOfKey(ECDSASecp256k1), account.evmAddress!) === 0;
    });
}

function openSigned(bytes: Uint8Array) {
  const { bodyBytes, sigMap } = proto.SignedTransaction.decode(bytes);
  const { body, type } = decodeTransactionBody(Buffer.from(bodyBytes));
  const kind = findTransactionType(type)!.bodyField as SubmittedKind;
  const payer = toEntityId(body.transactionID?.accountID);
  const start = body.transactionID?.transactionValidStart;
  const validStart = BigInt(start?.seconds?.toString() ?? 0) * nsPerSecond + BigInt(start?.nanos ?? 0);
  return {
    bytes,
    body,
    kind,
    data: body[kind] as object,
    payer,
    identity: { payer, validStart, scheduled: false, nonce: 0 },
    signers: new Set((sigMap?.sigPair ?? []).map(({ pubKeyPrefix }) => Buffer.from(pubKeyPrefix!).toString('hex'))),
    maxCustomFees: body.maxCustomFees ?? [],
  };
}

function encodeChild(
  child: ChildOutcome,
  transactionId: proto.ITransactionID,
  at: bigint,
  parent: bigint | null,
): StreamItem {
  const memo = child.memo ?? '';
  const body: proto.ITransactionBody = { transactionID: transactionId, memo, [child.kind]: child.data };
  const bodyBytes = encodeTransactionBody(body);
  return encodeStreamItem({
    kind: child.kind,
    status: child.status,
    consensusTimestamp: at,
    parentConsensusTimestamp: parent,
    signedTransactionBytes: proto.SignedTransaction.encode({ bodyBytes }).finish(),
    transactionId,
    memo,
    outcome: child.outcome,
    balances: { hbar: [], tokens: [] },
    fee: null,
    rewards: [],
    scheduleRef: null,
    rates: null,
  });
}
