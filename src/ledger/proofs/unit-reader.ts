// The files of stored blocks again: what `--keep-proofs` kept, else those of the source. Few are read at once, and what was opened is
// kept for the next proof.
import { LRUCache } from 'lru-cache';
import { createInFlight } from '../../kit/share-in-flight.ts';
import { unpackUnit } from '../../protocol/block-stream/pack-unit.ts';
import type { UnitFiles } from '../../protocol/block-stream/unit-files.ts';
import { type CoveredUnit, type StoredUnit, selectKeptFiles } from '../../store/read/select-proof-parts.ts';
import type { Database } from '../../store/wire/database.ts';
import type { FoundProof } from './find-network-proof.ts';
import { blockStreamVersion } from './find-path.ts';
import { openProvedBlock, type ProvedBlock } from './open-proved-block.ts';
import { ProofUnavailable } from './proof-unavailable.ts';

/** The files of a block from where they came from. null = they are not there. Throws ProofUnavailable if that can be temporary. */
export type ReadAgain = (unit: StoredUnit) => Promise<UnitFiles | null>;

export type UnitReaderOptions = {
  /** null = no source is known. */
  readAgain: ReadAgain | null;
  /** Of opened blocks. */
  maxBytes?: number;
};

/** An opened unit with its row. `proofs`: what covers it, by the root that is known. */
export type OpenedUnit = { unit: CoveredUnit } & (
  | { block: ProvedBlock; proofs: LRUCache<string, FoundProof> }
  | { files: UnitFiles }
);

export type UnitReader = {
  /** One in memory that this consensus timestamp lies in. */
  findOpen(timestamp: bigint): OpenedUnit | null;
  /** The same of this unit. */
  peek(unit: StoredUnit): OpenedUnit | null;
  /** Throws ProofUnavailable. */
  open(db: Database, unit: CoveredUnit): Promise<OpenedUnit>;
  /** The same without keeping it in memory. */
  read(db: Database, unit: StoredUnit): Promise<UnitFiles>;
};

/** Of one block. */
const maxProofs = 4;
/** Of these, at most. */
const bytesOfProofs = 64 * 1024;
const defaultMaxBytes = 64 * 1024 * 1024;
/** Files that are read at the same time, and those that wait for that. */
const maxReading = 2;
const maxWaiting = 16;

export function createUnitReader({ readAgain, maxBytes = defaultMaxBytes }: UnitReaderOptions): UnitReader {
  const opened = new LRUCache<string, OpenedUnit>({ maxSize: maxBytes, sizeCalculation: sizeOf });
  const flights = createInFlight<OpenedUnit>();
  const turns = createTurns();

  async function read(db: Database, unit: StoredUnit): Promise<UnitFiles> {
    const kept = await readKept(db, unit);
    if (kept) return kept;
    if (!readAgain) {
      throw new ProofUnavailable(
        `The files of block ${unit.number} are not here: neither were they kept (--keep-proofs), nor does this mirror know their source (--source)`,
      );
    }
    const found = await turns.take(() => readAgain(unit));
    if (found) return found;
    throw new ProofUnavailable(`The source does not have the files of block ${unit.number} any more`);
  }

  return {
    findOpen(timestamp) {
      for (const found of opened.values()) {
        const { consensusStart, consensusEnd } = found.unit;
        if (consensusStart <= timestamp && timestamp <= consensusEnd) return opened.get(keyOf(found.unit))!;
      }
      return null;
    },
    peek: (unit) => opened.get(keyOf(unit)) ?? null,
    open(db, unit) {
      const known = opened.get(keyOf(unit));
      if (known) return Promise.resolve(known);
      return flights.share(keyOf(unit), async () => {
        const files = await read(db, unit);
        const found: OpenedUnit =
          unit.version >= blockStreamVersion
            ? { unit, block: toProvedBlock(files, unit), proofs: new LRUCache({ max: maxProofs }) }
            : { unit, files };
        // A signature may still come.
        if (unit.version < blockStreamVersion || unit.coverKind !== null) opened.set(keyOf(unit), found);
        return found;
      });
    },
    read,
  };
}

const keyOf = ({ hash, consensusEnd }: StoredUnit): string => `${consensusEnd} ${hash}`;

function toProvedBlock(files: UnitFiles, { hash, number }: StoredUnit): ProvedBlock {
  if (files.kind === 'block') return openProvedBlock(files.items, hash);
  throw new ProofUnavailable(`The source has no block ${number}, but a record file of its time`);
}

async function readKept(db: Database, { consensusEnd }: StoredUnit): Promise<UnitFiles | null> {
  const files = await selectKeptFiles(db, consensusEnd);
  return files.length === 0 ? null : unpackUnit(files.map(({ bytes }) => bytes));
}

function sizeOf(opened: OpenedUnit): number {
  if ('block' in opened) return opened.block.sizeBytes + bytesOfProofs;
  const { files } = opened;
  const parts = files.kind === 'record' ? [files.record] : files.items.map(({ bytes }) => bytes);
  // Items and hashes that are made of it take about twice as much.
  return parts.reduce((sum, { length }) => sum + 3 * length, 1);
}

function createTurns() {
  let running = 0;
  const waiting: (() => void)[] = [];
  return {
    /** Throws ProofUnavailable if too many wait. */
    async take<T>(work: () => Promise<T>): Promise<T> {
      if (running >= maxReading) {
        if (waiting.length >= maxWaiting) {
          throw new ProofUnavailable('Too many files of the source are being read for proofs', true);
        }
        await new Promise<void>((resolve) => waiting.push(resolve));
      } else running += 1;
      try {
        return await work();
      } finally {
        const next = waiting.shift();
        if (next) next();
        else running -= 1;
      }
    },
  };
}
