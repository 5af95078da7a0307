// Lets a block of a block stream through when the network's signature is known to cover it: its own, or that of a later block, to
// which the chain of roots leads. Nothing is stored before. At the head of the stream every signature is checked at once; behind
// it blocks are collected and one signature is checked for all of them, while the next ones are opened.
import type { StoredTrust } from '../../proof/trust.ts';
import type { Verified } from '../../proof/verify-block-proof.ts';
import type { StreamBlock } from '../../protocol/stream/stream-block.ts';
import {
  type BlockVerification,
  describeLedger,
  type NetworkCover,
  notVerified,
  provedByNetwork,
} from '../open/block-verification.ts';
import { failureOf, StreamCheckError, withoutProof } from '../open/stream-check-error.ts';
import type { BlockToCheck, CheckedProofs, GivenTrust, Halt, ProofChecker } from './check-proofs.ts';
import { findPublications } from './find-publications.ts';

/** A block whose content and place in the chain were checked. */
export type BlockToCover = { block: StreamBlock; verification: BlockVerification; unpackedBytes: number };

/** `trust`: what is trusted since this block, to be stored with it; null: as before. */
export type CoveredBlock<Opened> = { opened: Opened; trust: StoredTrust | null };

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

/** One signature, 57 ms, for as many small blocks as import in a second. */
const defaultMaxCollected = 128;
/** Bytes, uncompressed: opened blocks take some ten times as much. */
const maxCollectedBytes = 8 * 1024 * 1024;
/** Two minutes of a network with blocks of two seconds: nodes gather the signatures of a block within seconds. */
const defaultMaxWaiting = 64;
/** Of all that wait, uncompressed, besides the first. */
const maxWaitingBytes = 64 * 1024 * 1024;

type Entry<Opened> = { opened: Opened; publications: Uint8Array[]; reason: string | null };

export function createCoverage<Opened extends BlockToCover>(options: CoverageOptions): Coverage<Opened> {
  const { checker, given, everyBlock = false, passesUnchecked = false, onUncovered } = options;
  const { maxCollected = defaultMaxCollected, maxWaiting = defaultMaxWaiting } = options;
  let trusted = given.stored;
  let isTrusting = Boolean(given.stored ?? given.ledgerId ?? given.publication);
  let hasBegun = false;
  let collected: Entry<Opened>[] = [];
  let asked: { entries: Entry<Opened>[]; answer: Promise<CheckedProofs> } | null = null;
  /** Checked, and without a good proof. */
  const waiting: Entry<Opened>[] = [];

  async function begin(): Promise<void> {
    if (hasBegun) return;
    const refusal = await checker.begin(given);
    if (refusal) throw new LedgerIdError(refusal);
    hasBegun = true;
  }

  function ask(): void {
    if (collected.length === 0) return;
    const entries = collected;
    collected = [];
    const answer = begin().then(() => checker.check(entries.map(toBlockToCheck)));
    // It is awaited later.
    answer.catch(() => {});
    asked = { entries, answer };
  }

  /** What has changed since it was stored. */
  function takeTrust(after: StoredTrust | null): StoredTrust | null {
    if (after === null || isSameTrust(trusted, after)) return null;
    trusted = after;
    return after;
  }

  async function* settle(): AsyncGenerator<CoveredBlock<Opened>> {
    if (!asked) return;
    const { entries, answer } = asked;
    const checked = await answer;
    asked = null;
    isTrusting = checked.trust !== null || given.ledgerId !== null;
    const { halt, verified, problems } = checked;
    entries.at(-1)!.opened.verification.problems.push(...problems);
    const last = Math.max(-1, ...verified.keys());
    if (last >= 0) yield* cover([...waiting.splice(0), ...entries.slice(0, last + 1)], last, checked);
    for (const [index, entry] of entries.slice(0, halt?.index).entries()) {
      if (index <= last) continue;
      const why = checked.reasons.get(index);
      if (!isTrusting || (passesUnchecked && why?.lacksTrust)) {
        yield unproved(withReason(entry.opened, why?.reason));
        continue;
      }
      const reason = why?.reason ?? null;
      waiting.push({ ...entry, reason });
      onUncovered?.({ number: entry.opened.block.blockNumber ?? 0n, reason });
    }
    if (halt) throw refused(entries[halt.index]!.opened, halt);
    if (isTooMuch(waiting, maxWaiting)) throw uncovered(waiting, `within ${waiting.length} blocks`);
  }

  /** `last`: index of the last of them in what was checked. */
  function* cover(covered: readonly Entry<Opened>[], last: number, { verified, reasons, trust }: CheckedProofs) {
    const changed = takeTrust(trust);
    const first = last + 1 - covered.length;
    let [nearest, verdict] = [first - 1, verified.get(last)!];
    for (const [place, { opened, reason }] of covered.entries()) {
      const index = first + place;
      if (index > nearest) [nearest, verdict] = findNearest(verified, index);
      const own = index === nearest ? verdict : null;
      yield {
        opened: withCover(opened, verdict, own, reason ?? reasons.get(index)?.reason),
        trust: index === last ? changed : null,
      };
    }
  }

  async function* addSigned(opened: Opened): AsyncGenerator<CoveredBlock<Opened>> {
    yield* end();
    const { publications, problem } = findPublications(opened.block);
    const { problems, proofs } = opened.verification;
    if (problem) problems.push(problem);
    if (publications.length === 0 || !proofs.every(({ isVerified }) => isVerified)) {
      yield { opened, trust: null };
      return;
    }
    await begin();
    const taken = await checker.takeSigned(publications);
    problems.push(...taken.problems);
    if (taken.halt) throw refused(opened, taken.halt);
    isTrusting ||= taken.trust !== null;
    yield { opened, trust: takeTrust(taken.trust) };
  }

  async function* flush(): AsyncGenerator<CoveredBlock<Opened>> {
    yield* settle();
    ask();
    yield* settle();
  }

  async function* end(): AsyncGenerator<CoveredBlock<Opened>> {
    yield* flush();
    if (waiting.length > 0) throw uncovered(waiting, 'before the blocks end');
  }

  function uncovered(entries: readonly Entry<Opened>[], until: string): StreamCheckError {
    const [{ opened, reason }] = entries as [Entry<Opened>];
    const ledgerId = trusted?.ledgerId ?? given.ledgerId;
    const ledger = ledgerId ? describeLedger({ ledgerId, origin: trusted?.origin ?? 'pinned' }) : 'its ledger';
    const expected = `a good proof of ${ledger}, of it or of one that follows it, ${until}`;
    const { block } = opened;
    return new StreamCheckError([
      failureOf('unproved', block.name, expected, reason ?? 'none', { transient: entries.length < maxWaiting }),
    ]);
  }

  return {
    begin,
    async *add(opened, isUrgent) {
      if (opened.block.version !== blockStreamVersion) return yield* addSigned(opened);
      const { publications, problem } = findPublications(opened.block);
      if (problem) opened.verification.problems.push(problem);
      if (!isTrusting && publications.length === 0) return yield unproved(opened);
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

export class LedgerIdError extends Error {
  override name = 'LedgerIdError';

  constructor({ check, expected, found }: { check: string; expected: string; found: string }) {
    super(
      `What was given as the ledger's id or publication cannot be trusted: ${check}: expected ${expected}, found ${found}. ` +
        'Leave --ledger-id and --ledger-publication out if the database is right, or import the other network into an empty database.',
    );
  }
}

/** Copies: parts of a block would take the whole block along to another thread. */
function toBlockToCheck({ opened, publications }: Entry<BlockToCover>): BlockToCheck {
  const { blockNumber, hash, rootForms } = opened.block;
  const proofs = opened.verification.proofs.flatMap(({ bytes }) => (bytes ? [new Uint8Array(bytes)] : []));
  const [sixteen, eight] = rootForms ? [rootForms.newer, new Uint8Array(rootForms.older)] : [hash, null];
  return { number: blockNumber ?? 0n, roots: { sixteen: new Uint8Array(sixteen), eight }, proofs, publications };
}

function findNearest(verified: CheckedProofs['verified'], index: number): [number, Verified] {
  const nearest = Math.min(...[...verified.keys()].filter((one) => one >= index));
  return [nearest, verified.get(nearest)!];
}

function withCover<Opened extends BlockToCover>(
  opened: Opened,
  verdict: Verified,
  own: Verified | null,
  reason = `not checked: block ${verdict.restsOn} covers it`,
): Opened {
  const { restsOn, weight, totalWeight, rotations, ledgerId, origin } = verdict;
  const cover: NetworkCover = {
    kind: own?.kind ?? 'chain',
    restsOn,
    weight,
    totalWeight,
    rotations,
    ledgerId,
    origin,
  };
  const proofs = opened.verification.proofs.map((proof) => {
    const { kind, bytes } = proof;
    if (kind !== 'signedBlock' && kind !== 'stateProof') return proof;
    // Where there are several, all are good, and the verdict is that of the one that proves the block by itself.
    return own ? provedByNetwork(own, bytes) : notVerified(kind, reason, bytes);
  });
  return { ...opened, verification: { ...opened.verification, proofs, cover } };
}

function withReason<Opened extends BlockToCover>(opened: Opened, reason: string | undefined): Opened {
  if (reason === undefined) return opened;
  const proofs = opened.verification.proofs.map((proof) =>
    proof.kind === 'signedBlock' || proof.kind === 'stateProof' ? notVerified(proof.kind, reason, proof.bytes) : proof,
  );
  return { ...opened, verification: { ...opened.verification, proofs } };
}

/** Throws StreamCheckError for a block without a proof: nothing says that it is whole. */
function unproved<Opened extends BlockToCover>(opened: Opened): CoveredBlock<Opened> {
  const { block, verification } = opened;
  if (verification.proofs.length === 0) throw new StreamCheckError([withoutProof(block.name)]);
  return { opened, trust: null };
}

function refused({ block }: BlockToCover, { refusal: { check, expected, found } }: Halt): StreamCheckError {
  return new StreamCheckError([failureOf('networkProof', block.name, `${check}: ${expected}`, found)]);
}

function isTooMuch(waiting: readonly Entry<BlockToCover>[], maxWaiting: number): boolean {
  return waiting.length >= maxWaiting || sumBytes(waiting.slice(1)) >= maxWaitingBytes;
}

function sumBytes(entries: readonly Entry<BlockToCover>[]): number {
  return entries.reduce((sum, { opened }) => sum + opened.unpackedBytes, 0);
}

function isSameTrust(one: StoredTrust | null, other: StoredTrust): boolean {
  return (
    one !== null &&
    one.origin === other.origin &&
    one.rotation?.steps === other.rotation?.steps &&
    Buffer.compare(one.wrapsKey ?? none, other.wrapsKey ?? none) === 0 &&
    Buffer.compare(one.publication ?? none, other.publication ?? none) === 0
  );
}

const none = new Uint8Array();
