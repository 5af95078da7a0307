// Facts that a transaction and its result both contain: a second check of pairs formed by their order. A contradiction
// is only what no node writes whatever a client sends.
import { tryDecode } from '../../protocol/hapi/decode-message.ts';
import { toEntityIdOrNone } from '../../protocol/hapi/entity-id.ts';
import { proto, toBigInt } from '../../protocol/hapi/hapi.ts';
import { isSuccess } from '../../protocol/hapi/response-codes.ts';
import { toTimestamp } from '../../protocol/hapi/timestamp.ts';
import { findTransactionType, type TransactionFamily, typeNumber } from '../../protocol/hapi/transaction-types.ts';
import { findWireBytes } from '../../protocol/wire-fields.ts';
import type { BlockMessages } from './block-messages.generated.ts';
import type { BlockOutput } from './created-contracts.ts';
import { type NamedAt, type NamedKind, nameOfChanged } from './named-by-changes.ts';
import type { BlockResult } from './read-result.ts';
import { bodyOf, type SignedTransaction } from './signed-transaction.ts';

export type Pair = {
  place: number;
  transaction: SignedTransaction;
  /** Its bytes are only in the body of a batch. */
  isInner: boolean;
  result: BlockResult;
  outputs: readonly BlockOutput[];
};

/** Outputs that only one type of transaction has. Any type may have called a contract. */
const typeOfOutput: Readonly<Partial<Record<keyof BlockMessages['TransactionOutput'], number>>> = {
  utilPrng: typeNumber.utilPrng,
  ethereumCall: typeNumber.ethereumTransaction,
  contractCreate: typeNumber.contractCreateInstance,
  createSchedule: typeNumber.scheduleCreate,
  signSchedule: typeNumber.scheduleSign,
  accountCreate: typeNumber.cryptoCreateAccount,
};

/** Whether the transaction may have that output. */
export function fitsType(output: BlockOutput, type: number): boolean {
  const kinds = Object.keys(output) as (keyof BlockMessages['TransactionOutput'])[];
  return kinds.every((kind) => (typeOfOutput[kind] ?? type) === type);
}

/** The sentence says what contradicts it; null: nothing does. */
export type FindContradiction = (pair: Pair) => string | null;

/** @param pairs all of a block, in block order: a child is compared with its parent */
export function createPairEvidence(pairs: readonly Pair[]): FindContradiction {
  const findParent = createParents(pairs);
  return (pair) => contradictionOfOutputs(pair) ?? contradictionOfId(pair, findParent);
}

/** Finds a transaction by its consensus timestamp; most blocks have no parent to be looked for. */
function createParents(pairs: readonly Pair[]): (timestamp: bigint) => SignedTransaction | null {
  let byTimestamp: Map<bigint, SignedTransaction> | null = null;
  return (timestamp) => {
    byTimestamp ??= new Map(pairs.map((pair) => [pair.result.consensusTimestamp, pair.transaction]));
    return byTimestamp.get(timestamp) ?? null;
  };
}

function contradictionOfOutputs({ transaction: { type }, result, outputs }: Pair): string | null {
  const other = outputs.find((output) => !fitsType(output, type));
  if (other) return `an output of kind ${Object.keys(other).join(', ')} of a transaction of type ${type}`;
  // Between the results of a batch only this distinguishes a child from an inner transaction.
  const isCausedAccount = type === typeNumber.cryptoCreateAccount && result.parentTimestamp !== null;
  if (isCausedAccount && isSuccess(result.status) && !outputs.some(({ accountCreate }) => accountCreate))
    return 'an account that was created, and has no id';
  return null;
}

/** Field of TransactionBody. */
const transactionIdField = 1;

/** null also if it cannot be decoded: that is reported with the body. */
export function readTransactionId(transaction: SignedTransaction): proto.ITransactionID | null {
  const { body } = bodyOf(transaction);
  if (body) return body.transactionID ?? null;
  const bytes = findWireBytes(transaction.bodyBytes, transactionIdField);
  return bytes && tryDecode(proto.TransactionID, bytes);
}

/** Of a transaction that another one made. */
export function isCaused({ nonce, scheduled }: proto.ITransactionID): boolean {
  return (nonce ?? 0) !== 0 || scheduled === true;
}

function contradictionOfId(
  { transaction, isInner, result }: Pair,
  findParent: (timestamp: bigint) => SignedTransaction | null,
): string | null {
  const id = readTransactionId(transaction);
  if (!id || isCaused(id)) return null;
  if (result.parentTimestamp !== null && !isInner) {
    // The transaction that the result names as its cause; null if it is not shown.
    const parent = findParent(result.parentTimestamp);
    const parentId = parent && readTransactionId(parent);
    if (parentId && senderOf(id) !== senderOf(parentId)) return 'a result with a parent, of what a client sent';
  }
  return isTooEarly(id, result) ? 'a consensus timestamp before the valid start, and success' : null;
}

/** Payer and valid start. */
export function senderOf({ accountID, transactionValidStart }: proto.ITransactionID): string {
  return Buffer.from(proto.TransactionID.encode({ accountID, transactionValidStart }).finish()).toString('latin1');
}

/** What is refused before it is handled may have any valid start: a node with a fast clock sends such transactions. */
function isTooEarly({ transactionValidStart: start }: proto.ITransactionID, result: BlockResult): boolean {
  return !!start && isSuccess(result.status) && toTimestamp(start) > result.consensusTimestamp;
}

/**
 * Whether a result may be that of the transaction: also by payer, amounts and state, which leave no doubt for nearly
 * all pairs. For blocks in which the order does not decide.
 * @param isSharedSender whether another transaction of the block has the same sender
 */
export function mayBelong(
  pair: Pair,
  { namedAt, isSharedSender }: { namedAt: NamedAt; isSharedSender(id: proto.ITransactionID): boolean },
): boolean {
  if (contradictionOfOutputs(pair) !== null) return false;
  const { transaction, result, outputs } = pair;
  const id = readTransactionId(transaction);
  if (!id) return true;
  const isOfClient = !isCaused(id);
  if (isOfClient && isTooEarly(id, result)) return false;
  if (isOfClient && result.parentTimestamp !== null && !isSharedSender(id)) return false;
  if (isOfClient && lacksPayer(pair, id)) return false;
  if (!isSuccess(result.status)) return true;
  const { type } = transaction;
  if (mustCall.includes(type) && !outputs.some(({ contractCall, contractCreate }) => contractCall ?? contractCreate))
    return false;
  if (type === typeNumber.cryptoCreateAccount && !outputs.some(({ accountCreate }) => accountCreate)) return false;
  return fitsState(transaction, namedAt(result.consensusTimestamp));
}

/** `named`: what the state changes of its moment are about; null: it has none. */
function fitsState(transaction: SignedTransaction, named: ReadonlySet<string> | null): boolean {
  if (named === null) return true;
  const own = namedBy(transaction);
  if (own !== null && !named.has(own)) return false;
  const { type } = transaction;
  const isTransfer = type === typeNumber.cryptoTransfer;
  const never = isTransfer ? transferNeverChanges : neverChanges[findTransactionType(type)?.family ?? 'generic'];
  return !never?.some((kind) => named.has(kind));
}

/** Kinds of entities that no transaction of a family changes. A batch, a schedule and a contract may change any. */
const neverChanges: Readonly<Partial<Record<TransactionFamily, readonly NamedKind[]>>> = {
  account: ['topicId', 'fileId'],
  token: ['topicId', 'fileId'],
  topic: ['tokenId', 'fileId'],
  file: ['topicId', 'tokenId'],
};
const transferNeverChanges: readonly NamedKind[] = ['topicId', 'fileId'];

const mustCall: readonly number[] = [typeNumber.contractCall, typeNumber.contractCreateInstance];

/** The payer pays, unless something in the transaction may give it back at least as much. */
function lacksPayer({ transaction, result: { record, status } }: Pair, { accountID }: proto.ITransactionID): boolean {
  const payer = toEntityIdOrNone(accountID);
  if (payer === 0n || toBigInt(record.transactionFee) === 0n) return false;
  const amounts = record.transferList?.accountAmounts ?? [];
  const pays = (account: bigint): boolean =>
    amounts.some(({ accountID: id, amount }) => toBigInt(amount) < 0n && toEntityIdOrNone(id) === account);
  if (pays(payer)) return false;
  const { body } = bodyOf(transaction);
  const node = toEntityIdOrNone(body?.nodeAccountID);
  if (!body || node === payer) return false;
  // The node pays for what it should not have submitted.
  if (!isSuccess(status)) return !pays(node);
  const isPayer = (id: proto.IAccountID | null | undefined): boolean => id != null && toEntityIdOrNone(id) === payer;
  const given = body.cryptoTransfer?.transfers?.accountAmounts ?? [];
  const mayGain =
    [...mustCall, typeNumber.ethereumTransaction].includes(transaction.type) ||
    // Without a number it may be the payer's alias.
    given.some(({ accountID: id, amount }) => toBigInt(amount) > 0n && (isPayer(id) || toEntityIdOrNone(id) === 0n)) ||
    (record.assessedCustomFees ?? []).some(({ feeCollectorAccountId }) => isPayer(feeCollectorAccountId)) ||
    (record.paidStakingRewards ?? []).some(({ accountID: id }) => isPayer(id));
  return !mayGain;
}

/** What a successful transaction of this type always changes in the state; null: nothing that it names by a number. */
function namedBy(transaction: SignedTransaction): string | null {
  const body = bodyOf(transaction).body ?? {};
  const topic = toEntityIdOrNone(body.consensusSubmitMessage?.topicID ?? body.consensusUpdateTopic?.topicID);
  if (topic !== 0n) return nameOfChanged('topicId', topic);
  const { tokenMint, tokenBurn } = body;
  const token = toEntityIdOrNone(tokenMint?.token ?? tokenBurn?.token);
  if (token !== 0n) return nameOfChanged('tokenId', token);
  const file = toEntityIdOrNone(body.fileAppend?.fileID);
  return file === 0n ? null : nameOfChanged('fileId', file);
}
