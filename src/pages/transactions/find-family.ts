// A transaction as a path names it, and those that belong to it: what it caused, what caused it, the batch around it.
import { compareBigints } from '../../../packages/kit/compare-bigints.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { DetailedTransaction } from '../../ledger/transactions/create-named-transactions.ts';
import type { LedgerTransaction } from '../../ledger/transactions/transaction.ts';
import { getTransaction } from '../../resources/transactions/get-transaction.ts';
import { askTogether } from '../page/ask-together.ts';
import type { PageContext } from '../page/page-context.ts';
import { findTransactionAt } from './find-transaction-at.ts';

export type Family = {
  /** The one that is meant; null = several are. */
  transaction: DetailedTransaction | null;
  /** All of them, oldest first. */
  members: readonly DetailedTransaction[];
};

const timeForm = /^(\d{1,10})\.(\d{1,9})$/;
/** As the SDKs write ids, and as paths have them. */
const idForm = /^(\d+\.\d+\.\d+)[@-](\d{1,19})[.-](\d{1,9})$/;

/** ns; null = the text is no consensus timestamp. */
export function typedTime(loc: string): bigint | null {
  const [, seconds, nanos = ''] = timeForm.exec(loc) ?? [];
  return seconds === undefined ? null : BigInt(seconds) * 1_000_000_000n + BigInt(nanos.padEnd(9, '0'));
}

/** `loc`: id or hash. Every transaction with this id, and what belongs to them. Throws RequestError. */
export async function findByName(loc: string, { ask }: PageContext): Promise<Family> {
  const transactionIdOrHash = loc.replace(idForm, '$1-$2-$3');
  const { found } = await ask(getTransaction, { params: { transactionIdOrHash } });
  const members = found.transactions;
  // Inner transactions of a batch have other ids and come with it.
  const own = members.filter(({ validStart }) => validStart === members[0]!.validStart);
  const signed = own.filter(({ nonce }) => nonce === 0);
  const meant = own.length === 1 ? own : signed;
  return { transaction: meant.length === 1 ? meant[0]! : null, members };
}

/** `listed`: as a list has it, by its time. */
export async function findFamily(
  listed: LedgerTransaction,
  { ledger }: PageContext,
): Promise<Family & { transaction: DetailedTransaction }> {
  const { consensusTimestamp, parentConsensusTimestamp, nonce } = listed;
  const findParent = () => (parentConsensusTimestamp ? findTransactionAt(parentConsensusTimestamp, ledger) : null);
  // What a transaction caused shares its id; what is inside of a batch has one of its own, and the nonce 0.
  const [own, likelyParent] = await askTogether([findMembers(listed, ledger), nonce === 0 ? findParent() : null]);
  const transaction = own.find((member) => member.consensusTimestamp === consensusTimestamp);
  if (transaction === undefined) {
    // Its id is not of its time, as those of the first block are not: it is shown without what only comes with an id.
    const alone = { ...listed, assessedFees: [] };
    return { transaction: alone, members: [alone] };
  }
  const hasParent = own.some((member) => member.consensusTimestamp === parentConsensusTimestamp);
  if (parentConsensusTimestamp === null || hasParent) return { transaction, members: own };
  const parent = likelyParent ?? (await findParent());
  const around = parent === null ? [] : await findMembers(parent, ledger);
  const all = new Map([...around, ...own].map((member) => [member.consensusTimestamp, member]));
  const inOrder = (one: DetailedTransaction, other: DetailedTransaction): number =>
    compareBigints(one.consensusTimestamp, other.consensusTimestamp);
  return { transaction, members: [...all.values()].sort(inOrder) };
}

type Named = Pick<DetailedTransaction, 'payerAccountId' | 'validStart'>;

function findMembers({ payerAccountId, validStart }: Named, { transactions }: Ledger) {
  return transactions.findById({ payerAccountId, validStart }, { nonce: null, scheduled: null });
}
