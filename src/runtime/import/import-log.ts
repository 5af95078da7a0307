// What an import logs: copies that did not pass, proofs that were not verified, the file that it is stopped at.

import type { Logger } from '../../../packages/kit/process/log.ts';
import { formatSecond, formatTimestamp } from '../../../packages/protocol/hapi/timestamp.ts';
import { transactionTypeName } from '../../../packages/protocol/hapi/transaction-types.ts';
import { StreamSourceError } from '../../../packages/sources/stream-source.ts';
import type { NewestBlock } from '../../../packages/store/read/select-newest-block.ts';
import type { ItemProblem } from '../../importer/block/item-problems.ts';
import type { CompactionOptions } from '../../importer/extent/compaction.ts';
import type { RetentionOptions } from '../../importer/extent/retention.ts';
import type { ImportProgress } from '../../importer/import-progress.ts';
import type { ImportStreamOptions } from '../../importer/import-stream.ts';
import {
  describeKey,
  describeLedger,
  describeProof,
  isKeyUnproved,
  isProved,
  type NetworkCover,
} from '../../importer/open/block-verification.ts';
import { StreamCheckError } from '../../importer/open/stream-check-error.ts';
import type { UnreadPublication } from '../../importer/proving/ledger-change.ts';
import type { ReimportSummary } from '../../importer/reimport-blocks.ts';
import { createWaitTeller } from './tell-waiting.ts';

export type ImportLog = Required<
  Pick<
    ImportStreamOptions,
    'onDoubt' | 'onDefect' | 'onCutover' | 'onRetry' | 'onUncovered' | 'onHandover' | 'onBadPublication'
  >
> &
  Pick<RetentionOptions, 'onDropped' | 'onFailed'> &
  Pick<CompactionOptions, 'onCompacted'> & {
    onCompactionFailed: CompactionOptions['onFailed'];
    /** The newest block in the database before the import. */
    onStored(block: NewestBlock | null): void;
    /** A publication of a ledger id cannot be read. */
    onUnread(unread: UnreadPublication): void;
    onProgress(progress: ImportProgress): void;
    onReimported(first: bigint, summary: ReimportSummary): void;
    close(): void;
  };

const unreadSentence =
  'This block publishes a ledger id that this version cannot read. Blocks are verified as before, as long as keys sign them that are trusted. Use a later version: it reads what was kept of the publication';

export function createImportLog(log: Logger, live: boolean): ImportLog {
  /** Why the import is stopped at a file, as it was logged. */
  let stays: string | null = null;
  const logProofs = createProofLog(log);
  const waiting = live ? createWaitTeller(log) : null;

  function logUnread({ block, reason }: UnreadPublication): void {
    log.error({ block: block.toString(), reason }, unreadSentence);
  }

  function logItem({ consensusTimestamp, type, defect, problem }: ItemProblem): void {
    const transaction = { transaction: formatTimestamp(consensusTimestamp), type: transactionTypeName(type) };
    const sentence = 'a defect of this program left out a part of a transaction; please report it with this line';
    if (defect) log.error({ ...transaction, err: defect }, sentence);
    else log.warn(transaction, problem);
  }

  return {
    onStored: (block) => waiting?.onBlock(block),
    onProgress(progress) {
      const { block } = progress;
      if (stays !== null) log.info({ block: block.number.toString() }, 'The import goes on');
      stays = null;
      for (const { file, node, code } of block.verification.rejected) {
        log.warn({ file, node, check: code }, 'a copy did not pass and another one was used');
      }
      logProofs(progress);
      if (block.unread) logUnread(block.unread);
      waiting?.onBlock(block);
    },
    onUnread: logUnread,
    onDoubt({ file, kind, place, text }) {
      log.warn({ file, doubt: kind, ...(place === null ? {} : { place }) }, text);
    },
    onDefect: logItem,
    onBadPublication: ({ file, problem }) => log.warn({ file }, problem),
    onCutover({ block, isRootChecked }) {
      const checked = isRootChecked
        ? 'it names the root of the block around the last record file'
        : 'its number follows; the root that it names could not be checked, because it follows from all record files since block 0 and this mirror began later';
      log.info({ block: block.toString() }, `Record files have ended and a block stream goes on: ${checked}`);
    },
    onUncovered({ number, reason }) {
      const sentence = 'This block has no good proof of the network; it waits for a later one that covers it';
      log.warn({ block: number.toString(), reason }, sentence);
    },
    onHandover({ block, from, to }) {
      log.warn(
        { block: block.toString(), from: Buffer.from(from).toString('hex'), to: Buffer.from(to).toString('hex') },
        'The network goes on under another ledger id, which this block publishes and a trusted key has signed, or the nodes have',
      );
    },
    onRetry(error, retryMs) {
      if (!(error instanceof StreamCheckError || error instanceof StreamSourceError)) {
        log.warn({ err: error, retryMs }, 'The import waits for the database and tries again');
        waiting?.onRetry('the database', retryMs);
        return;
      }
      waiting?.onRetry(`the source: ${error.message}`, retryMs);
      if (stays === error.message) return;
      stays = error.message;
      const level = error instanceof StreamCheckError && error.transient ? 'warn' : 'error';
      log[level](`${error.message} The import waits there and looks again every 30 s at the latest.`);
    },
    onReimported(first, { blocks, last, isComplete }) {
      if (isComplete && last !== null) log.info(`Imported again: ${blocks} blocks, from ${first} to ${last}`);
      else if (isComplete) log.info(`Nothing is imported again: --until ends before block ${first}`);
      else
        log.warn(
          `Stopped: ${last === null ? 'no block was' : `blocks ${first} to ${last} were`} imported again. Go on with --reimport-from ${last === null ? first : last + 1n}`,
        );
    },
    onDropped({ before, blocks, rows, seconds }) {
      const facts = { blocks, rows, seconds: Number(seconds.toFixed(1)) };
      log.info(facts, `Dropped what is older than --keep says: the past before ${formatSecond(before)}`);
    },
    onCompacted({ transactions, kept }) {
      const facts = { transactions, ...(kept > 0 ? { kept } : {}) };
      log.info(facts, 'Stored once what transactions of more than a day ago moved');
    },
    onCompactionFailed: (error) =>
      log.warn({ err: error }, 'Rows of the past could not be compacted; it is tried again in an hour'),
    onFailed: (error) => log.warn({ err: error }, 'Older rows could not be dropped; it is tried again later'),
    close: () => waiting?.close(),
  };
}

/** How blocks are proved, once each time that changes. */
function createProofLog(log: Logger): (progress: ImportProgress) => void {
  let unverified: string | null = null;
  let verifiedAs: string | null = null;

  /** Once for each key. */
  function logCover(block: string, cover: NetworkCover, isUnproved: boolean): void {
    const by = `${describeLedger(cover)}, key ${describeKey(cover)}`;
    if (by === verifiedAs) return;
    verifiedAs = by;
    const key = Buffer.from(cover.keyHash).toString('hex');
    if (isUnproved) {
      const sentence = `From this block on the signatures are good, but nothing vouches for their key: ${by}. Blocks are kept as unproved. If the operators of the network confirm this key, name it (--ledger-key ${key})`;
      log.warn({ block, key }, sentence);
    } else log.info({ block, key }, `From this block on the signatures of the network are verified: ${by}`);
  }

  return ({ block: { number, verification } }: ImportProgress): void => {
    const { proofs, cover } = verification;
    const block = number.toString();
    const isUnproved = isKeyUnproved(verification);
    const text = isProved(verification) || isUnproved ? null : proofs.map(describeProof).join('; ');
    if (text !== null && text !== unverified) {
      log.warn({ block }, `From this block on hashes and chain are checked, but not its proof: ${text}`);
    }
    unverified = text;
    if (cover) logCover(block, cover, isUnproved);
  };
}
