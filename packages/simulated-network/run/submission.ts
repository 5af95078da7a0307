// What a client submits, and the signed transaction that it becomes.

import { toEntityId } from '../../protocol/hapi/entity-id.ts';
import { proto } from '../../protocol/hapi/hapi.ts';
import { decodeTransactionBody } from '../../protocol/hapi/transaction-body.ts';
import { findTransactionType } from '../../protocol/hapi/transaction-types.ts';
import { encodeTransactionBody } from '../formats/encode-transaction.ts';
import { emptyKeyList } from '../ledger/blank-account.ts';
import { accountId, duration, nsPerSecond, timestamp, toLong } from '../ledger/hapi-values.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Prices } from '../ledger/prices.ts';
import { evmAddressOfKey, keysThatSatisfy, type SigningKeys } from '../ledger/signing-keys.ts';
import type { Moment } from '../transactions/execution.ts';
import type { Bodies, SubmittedKind } from '../transactions/handlers.ts';
import type { Call } from './call.ts';
import { asksForOlderHash } from './transaction-hash.ts';

export type Submission<K extends SubmittedKind = SubmittedKind> = {
  kind: K;
  data: Bodies[K];
  payer: bigint;
  /** Accounts that sign besides the payer. */
  signers?: readonly bigint[];
  /** Further keys that sign. */
  keys?: readonly Uint8Array[];
  memo?: string;
  /** tinybar; twice the fee if not given, null to leave it out (the network's own transactions). */
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

export type SignedTransaction = {
  bytes: Uint8Array;
  body: proto.ITransactionBody;
  call: Omit<Call, 'fee'>;
};

export type Submissions = {
  fee(submission: Submission): bigint;
  sign(submission: Submission, moment: Moment): SignedTransaction;
};

/** How long before consensus a transaction starts to be valid. */
const submissionDelayNs = 4_217_000_113n;

type Parts = { ledger: Ledger; keys: SigningKeys; prices: Prices };

export function createSubmissions({ ledger, keys, prices }: Parts): Submissions {
  function feeOf({ kind, highVolumeMultiplier = 1000n }: Submission): bigint {
    return (prices.fee(kind) * highVolumeMultiplier) / 1000n;
  }

  function buildBody(submission: Submission, validStart: bigint, { nodeAccount }: Moment): proto.ITransactionBody {
    const { kind, data, payer, synthetic, batchKey, validDurationSeconds = 120n } = submission;
    const { maxFee = feeOf(submission) * 2n, highVolumeMultiplier } = submission;
    return {
      transactionID: { accountID: accountId(payer), transactionValidStart: timestamp(validStart) },
      nodeAccountID: synthetic ? undefined : accountId(batchKey ? 0n : nodeAccount),
      transactionFee: maxFee === null || synthetic ? undefined : toLong(maxFee),
      transactionValidDuration: validDurationSeconds === null || synthetic ? undefined : duration(validDurationSeconds),
      memo: submission.memo ?? '',
      maxCustomFees: submission.maxCustomFees,
      batchKey,
      [kind]: data,
      ...(highVolumeMultiplier === undefined ? {} : { highVolume: true }),
    };
  }

  function signersOf({ payer, signers = [], keys: further = [], synthetic }: Submission): Set<string> {
    if (synthetic) return new Set();
    const accountKeys = [payer, ...signers].map((id) => ledger.tables.accounts.get(id)?.key ?? emptyKeyList);
    return new Set([...accountKeys, ...further].flatMap(keysThatSatisfy));
  }

  return {
    fee: (submission) => (submission.synthetic ? 0n : feeOf(submission)),
    sign: (submission, moment) => {
      const { kind, data, payer, synthetic, maxCustomFees = [] } = submission;
      const validStart = moment.consensusTimestamp - submissionDelayNs - BigInt(submission.batchPosition ?? 0);
      const body = buildBody(submission, validStart, moment);
      const bodyBytes = encodeTransactionBody(body);
      const signers = signersOf(submission);
      const sigPair = keys.sign(signers, bodyBytes);
      const bytes = proto.SignedTransaction.encode({
        bodyBytes,
        sigMap: synthetic ? undefined : { sigPair },
        useSerializedTxMessageHashAlgorithm: !synthetic && asksForOlderHash(bodyBytes),
      }).finish();
      const identity = { payer, validStart, scheduled: false, nonce: 0 };
      const completedBy = synthetic ? undefined : completingKey(ledger, submission);
      return {
        bytes,
        body,
        call: { kind, data, identity, payer, signers, maxCustomFees, completedBy, trusted: synthetic },
      };
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

/** A signed transaction. */
export function openSigned(bytes: Uint8Array): SignedTransaction {
  const { bodyBytes, sigMap } = proto.SignedTransaction.decode(bytes);
  const { body, type } = decodeTransactionBody(Buffer.from(bodyBytes));
  const kind = findTransactionType(type)!.bodyField as SubmittedKind;
  const payer = toEntityId(body.transactionID?.accountID);
  const start = body.transactionID?.transactionValidStart;
  const validStart = BigInt(start?.seconds?.toString() ?? 0) * nsPerSecond + BigInt(start?.nanos ?? 0);
  return {
    bytes,
    body,
    call: {
      kind,
      data: body[kind] as object,
      payer,
      identity: { payer, validStart, scheduled: false, nonce: 0 },
      signers: new Set((sigMap?.sigPair ?? []).map(({ pubKeyPrefix }) => Buffer.from(pubKeyPrefix!).toString('hex'))),
      maxCustomFees: body.maxCustomFees ?? [],
    },
  };
}
