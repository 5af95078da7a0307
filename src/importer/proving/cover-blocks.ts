// Lets a block of a block stream through when the network's signature is known to cover it: its own, or that of a later
// block, to which the chain of roots leads. Nothing is stored before. At the head of the stream every signature is
// checked at once; behind it blocks are collected and one signature is checked for all of them, while the next ones are
// opened.
import { failureOf, StreamCheckError, withoutProof } from '../open/stream-check-error.ts';
import type { ProofChecker } from './check-proofs.ts';
import type { CheckedProofs, Halt } from './checked-proofs.ts';
import { type BlockToCover, coverAll, type Entry, toBlockToCheck, withReason } from './covered-block.ts';
import { findPublications } from './find-publications.ts';
import { followTrust } from './follow-trust.ts';
import type { KnownLedger, LedgerChange } from './ledger-change.ts';
import type { GivenTrust, Handover } from './trust-holder.ts';

/** `change`: of what is known of the ledger since this block, to be stored with it; null: none. */
export type CoveredBlock<Opened> = { opened: Opened; change: LedgerChange | null };

export type CoverageOptions = {
  checker: ProofChecker;
  given: GivenTrust;
  /** The signature of every block is checked. */
  everyBlock?: boolean;
  /** Blocks that cannot be checked because the ledger's publication is not known are let through, and say so. */
  passesUnchecked?: boolean;
  /** Blocks that one signature is checked for; for tests. */
  maxCollected?: number;
  /** Blocks without a good proof that wait for one that covers them; for tests. */
  maxWaiting?: number;
  /** A block begins to wait; `reason`: what is wrong with its own proof. */
  onUncovered?(block: { number: bigint; reason: string | null }): void;
  /** A ledger id took the place of another one. */
  onHandover?(handover: Handover): void;
  /** A ledger id was published that is not trusted. Default: it becomes a problem in the report of the block. */
  onBadPublication?(found: { file: string; problem: string }): void;
};

export type Coverage<Opened extends BlockToCover> = {
  /** Throws LedgerIdError if what the operator gave is not what is trusted already. */
  begin(): Promise<void>;
  /**
   * Yields, in order, what is covered now. Then throws StreamCheckError if the next block must not be imported.
   * @param isUrgent readers wait for this block
   */
  add(opened: Opened, isUrgent: boolean): AsyncGenerator<CoveredBlock<Opened>>;
  /** Also what was collected. */
  flush(): AsyncGenerator<CoveredBlock<Opened>>;
  /** Nothing follows. Throws StreamCheckError if blocks are not covered. */
  end(): AsyncGenerator<CoveredBlock<Opened>>;
  /** Blocks wait for more to come, and need not. */
  isCollecting(): boolean;
  isEmpty(): boolean;
};

/** One signature, 57 ms, for as many small blocks as import in one or two seconds. */
const defaultMaxCollected = 256;
/** Bytes, uncompressed: opened blocks take some ten times as much. */
const maxCollectedBytes = 8 * 1024 * 1024;
/** Two minutes of a network with blocks of two seconds: nodes gather the signatures of a block within seconds. */
const defaultMaxWaiting = 64;
/** Of all that wait, uncompressed, besides the first. */
const maxWaitingBytes = 64 * 1024 * 1024;

export function createCoverage<Opened extends BlockToCover>(options: CoverageOptions): Coverage<Opened> {
  const { checker, given, everyBlock = false, passesUnchecked = false, onUncovered, onHandover } = options;
  const { maxCollected = defaultMaxCollected, maxWaiting = defaultMaxWaiting } = options;
  const trust = followTrust(checker, given);
  const tell = createTeller(options);
  let collected: Entry<Opened>[] = [];
  let asked: { entries: Entry<Opened>[]; answer: Promise<CheckedProofs> } | null = null;
  /** Checked, and without a good proof. */
  const waiting: Entry<Opened>[] = [];

  function ask(): void {
    if (collected.length === 0) return;
    const entries = collected;
    collected = [];
    const answer = trust.begin().then(() => checker.check(entries.map(toBlockToCheck)));
    // It is awaited later.
    answer.catch(() => {});
    asked = { entries, answer };
  }

  async function* settle(): AsyncGenerator<CoveredBlock<Opened>> {
    if (!asked) return;
    const { entries, answer } = asked;
    const checked = await answer;
    asked = null;
    trust.note(checked);
    const { halt, verified, problems, handovers } = checked;
    tell(entries.at(-1)!.opened, problems);
    for (const handover of handovers) onHandover?.(handover);
    const last = Math.max(-1, ...verified.keys());
    if (last >= 0) {
      const covered = coverAll([...waiting.splice(0), ...entries.slice(0, last + 1)], last, checked);
      yield* withChanges(covered, checked, trust.takeChange);
    }
    for (const [index, entry] of entries.slice(0, halt?.index).entries()) {
      if (index <= last) continue;
      const why = checked.reasons.get(index);
      if (!trust.isKnown() || (passesUnchecked && why?.lacksTrust)) {
        yield unproved(withReason(entry.opened, why?.reason));
        continue;
      }
      const reason = why?.reason ?? null;
      waiting.push({ ...entry, reason });
      onUncovered?.({ number: entry.opened.block.blockNumber ?? 0n, reason });
    }
    if (halt) throw refused(entries[halt.index]!.opened, halt);
    if (isTooMuch(waiting, maxWaiting)) throw uncovered(waiting[0]!, trust.describe(), { within: waiting.length });
  }

  async function* addSigned(opened: Opened): AsyncGenerator<CoveredBlock<Opened>> {
    yield* end();
    const { publications, problems } = findPublications(opened.block);
    tell(opened, problems);
    const { proofs } = opened.verification;
    if (publications.length === 0 || !proofs.every(({ isVerified }) => isVerified)) {
      yield { opened, change: null };
      return;
    }
    await trust.begin();
    const taken = await checker.takeSigned({ number: opened.block.blockNumber ?? 0n, publications });
    tell(opened, taken.problems);
    for (const handover of taken.handovers) onHandover?.(handover);
    if (taken.halt) throw refused(opened, taken.halt);
    trust.note(taken);
    yield { opened, change: trust.takeChange(taken) };
  }

  async function* flush(): AsyncGenerator<CoveredBlock<Opened>> {
    yield* settle();
    ask();
    yield* settle();
  }

  async function* end(): AsyncGenerator<CoveredBlock<Opened>> {
    yield* flush();
    if (waiting.length > 0) throw uncovered(waiting[0]!, trust.describe(), { within: null });
  }

  return {
    begin: trust.begin,
    async *add(opened, isUrgent) {
      if (opened.block.version !== blockStreamVersion) return yield* addSigned(opened);
      const { publications, problems } = findPublications(opened.block);
      tell(opened, problems);
      if (!trust.hasHint() && publications.length === 0) return yield unproved(opened);
      collected.push({ opened, publications, reason: null });
      const isLarge = sumBytes(collected) >= maxCollectedBytes;
      const isDue = isUrgent || everyBlock || isLarge || publications.length > 0;
      if (!isDue && collected.length < maxCollected) return;
      yield* settle();
      ask();
      // Large blocks are not kept beside the next ones.
      if (isDue) yield* settle();
    },
    flush,
    end,
    isCollecting: () => collected.length > 0 || asked !== null,
    isEmpty: () => collected.length === 0 && asked === null && waiting.length === 0,
  };
}

const blockStreamVersion = 7;

function createTeller({ onBadPublication }: CoverageOptions) {
  return ({ block, verification }: BlockToCover, problems: readonly string[]): void => {
    if (!onBadPublication) verification.problems.push(...problems);
    else for (const problem of problems) onBadPublication({ file: block.name, problem });
  };
}

/** What is known of the ledger is stored with the block that shows it: an import may be killed behind any. */
function* withChanges<Opened extends BlockToCover>(
  covered: readonly Opened[],
  checked: CheckedProofs,
  takeChange: (known: KnownLedger) => LedgerChange | null,
): Generator<CoveredBlock<Opened>> {
  for (const [place, opened] of covered.entries()) {
    const { blockNumber } = opened.block;
    const isLast = place === covered.length - 1;
    const known = isLast ? checked : checked.changes.findLast(({ block }) => block === blockNumber)?.known;
    yield { opened, change: known ? takeChange(known) : null };
  }
}

/** Throws StreamCheckError for a block without a proof: nothing says that it is whole. */
function unproved<Opened extends BlockToCover>(opened: Opened): CoveredBlock<Opened> {
  const { block, verification } = opened;
  if (verification.proofs.length === 0) throw new StreamCheckError([withoutProof(block.name)]);
  return { opened, change: null };
}

function refused({ block, file }: BlockToCover, { code, refusal: { check, expected, found } }: Halt): StreamCheckError {
  return new StreamCheckError([failureOf(code, block.name, `${check}: ${expected}`, found)], file);
}

/** `within`: so many blocks; null: those that there are, and more may come. */
function uncovered(
  { opened, reason }: Entry<BlockToCover>,
  ledger: string,
  { within }: { within: number | null },
): StreamCheckError {
  const until = within === null ? 'before the blocks end' : `within ${within} blocks`;
  const expected = `a good proof of ${ledger}, of it or of one that follows it, ${until}`;
  const more = { transient: within === null };
  const failure = failureOf('unproved', opened.block.name, expected, reason ?? 'none', more);
  return new StreamCheckError([failure], opened.file);
}

function isTooMuch(waiting: readonly Entry<BlockToCover>[], maxWaiting: number): boolean {
  return waiting.length >= maxWaiting || sumBytes(waiting.slice(1)) >= maxWaitingBytes;
}

function sumBytes(entries: readonly Entry<BlockToCover>[]): number {
  return entries.reduce((sum, { opened }) => sum + opened.unpackedBytes, 0);
}
