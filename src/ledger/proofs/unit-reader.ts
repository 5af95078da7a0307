// The files of stored blocks again: what `--keep-proofs` kept, else those of the source. Few are read at once, and what
// was opened is kept for the next proof.
import { LRUCache } from 'lru-cache';
import { createClientLine, LineFull } from '../../../packages/kit/shares/client-line.ts';
import { currentClient } from '../../../packages/kit/shares/current-client.ts';
import { doorShares } from '../../../packages/kit/shares/door-shares.ts';
import { createSharedTurns } from '../../../packages/kit/shares/shared-turns.ts';
import type { Database } from '../../../packages/postgres/wire/database.ts';
import { type CoveredUnit, type StoredUnit, selectKeptFiles } from '../../../packages/store/read/select-proof-parts.ts';
import { unpackUnit } from '../../../packages/streams/block-stream/pack-unit.ts';
import type { UnitFiles } from '../../../packages/streams/block-stream/unit-files.ts';
import { maxWholeBytes } from './choose-items.ts';
import { type FoundProof, findNetworkProof } from './find-network-proof.ts';
import { blockStreamVersion } from './find-path.ts';
import { createKeptNamings, type KeptNamings } from './kept-namings.ts';
import { createKeptProofs } from './kept-proofs.ts';
import { openProvedBlock, type ProvedBlock } from './open-proved-block.ts';
import { ProofUnavailable } from './proof-unavailable.ts';

/**
 * The files of a block from where they came from. null = they are not there. Throws ProofUnavailable if that can be
 * temporary.
 */
export type ReadAgain = (unit: StoredUnit) => Promise<UnitFiles | null>;

export type UnitReaderOptions = {
  /** null = no source is known. */
  readAgain: ReadAgain | null;
  /** Of what is kept. */
  maxBytes?: number;
  /** Of the items of a block. */
  maxBlockBytes?: number;
};

/** An opened unit with its row. */
export type OpenedUnit = { unit: CoveredUnit } & ({ block: ProvedBlock } | { files: UnitFiles });

export type UnitReader = {
  /** One in memory that this consensus timestamp lies in. */
  findOpen(timestamp: bigint): OpenedUnit | null;
  /** What covers it, found once for all proofs of the unit. Throws ProofUnavailable. */
  findProof(db: Database, unit: CoveredUnit, known: string | null): Promise<FoundProof>;
  /** Throws ProofUnavailable. */
  open(db: Database, unit: CoveredUnit): Promise<OpenedUnit>;
  /** The same without keeping it in memory. */
  read(db: Database, unit: StoredUnit): Promise<UnitFiles>;
  /** What names keys of the ledger, by the hash of the key: made once for all proofs. */
  namings: KeptNamings;
  /** What it keeps beside a large one, as it counts that. */
  sizeBytes(): number;
};

const defaultMaxBytes = 32 * 1024 * 1024;
/** Of `maxBytes`: for what covers blocks; and what is larger than this would evict too many others. */
const shareOfProofs = 1 / 4;
const shareOfNamings = 1 / 16;
const shareOfLarge = 1 / 8;
/** A large one stays, alone, for as long as proofs of it are asked for. */
const largeForMs = 30_000;
const defaultMaxBlockBytes = 128 * 1024 * 1024;
/** Compressed; a larger one is opened in its turn. */
const maxSmallKept = 256 * 1024;
const maxKept = 2 ** 31 - 1;
/** Files that come from the source or are large and wait for their turn; clients take turns. */
const maxWaiting = 16;

export function createUnitReader(options: UnitReaderOptions): UnitReader {
  const { readAgain, maxBytes = defaultMaxBytes, maxBlockBytes = defaultMaxBlockBytes } = options;
  const proofs = createKeptProofs(maxBytes * shareOfProofs);
  const namings = createKeptNamings(maxBytes * shareOfNamings);
  const opened = new LRUCache<string, OpenedUnit>({
    maxSize: maxBytes * (1 - shareOfProofs - shareOfNamings),
    sizeCalculation: sizeOf,
  });
  const large = new LRUCache<string, OpenedUnit>({ max: 1, ttl: largeForMs, ttlAutopurge: true, updateAgeOnGet: true });
  const flights = createSharedTurns<OpenedUnit>();
  const turns = createClientLine({ concurrent: doorShares.proofFiles.places, waiting: { count: maxWaiting } });

  /** Throws ProofUnavailable if too many wait. */
  async function takeTurn<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    try {
      return await turns.pass(currentClient(), work, signal && { signal });
    } catch (error) {
      if (error instanceof LineFull) throw new ProofUnavailable('Too many files are being read for proofs', true);
      throw error;
    }
  }

  function keep(found: OpenedUnit): void {
    const place = sizeOf(found) > maxBytes * shareOfLarge ? large : opened;
    place.set(keyOf(found.unit), found);
  }

  async function readFromSource(unit: StoredUnit): Promise<UnitFiles> {
    const found = await readAgain!(unit);
    if (found) return found;
    throw new ProofUnavailable(`The source does not have the files of block ${unit.number} any more`);
  }

  /** Throws ProofUnavailable. */
  async function findFiles(db: Database, unit: StoredUnit): Promise<FoundFiles> {
    const kept = await selectKeptFiles(db, unit.consensusEnd, maxSmallKept);
    const whole = kept.map(({ bytes }) => bytes).filter((bytes) => bytes !== null);
    if (whole.length < kept.length) {
      return { inTurn: true, read: async () => unpackUnit(await readKept(db, unit)) };
    }
    if (kept.length > 0) return { inTurn: false, read: async () => unpackUnit(whole) };
    if (readAgain) return { inTurn: true, read: () => readFromSource(unit) };
    throw new ProofUnavailable(
      `The files of block ${unit.number} are not here: neither were they kept (--keep-proofs), nor does this mirror know their source (--source)`,
    );
  }

  function openOnce(db: Database, unit: CoveredUnit): Promise<OpenedUnit> {
    let found: FoundFiles;
    return flights.share(keyOf(unit), currentClient(), {
      async enter(begin, signal) {
        found = await findFiles(db, unit);
        return found.inTurn ? takeTurn(begin, signal) : begin();
      },
      async work() {
        const opened = await openFiles(await found.read(), unit, maxBlockBytes);
        if (isSettled(unit)) keep(opened);
        return opened;
      },
    });
  }

  return {
    findOpen(timestamp) {
      for (const all of [opened, large]) {
        for (const { unit } of all.values()) {
          if (unit.consensusStart <= timestamp && timestamp <= unit.consensusEnd) return all.get(keyOf(unit)) ?? null;
        }
      }
      return null;
    },
    async findProof(db, unit, known) {
      const key = keyOf(unit);
      const kept = proofs.find(key, known);
      if (kept) return kept;
      const found = await findNetworkProof(db, unit, known);
      // A root that is not known yet may be that of the next block.
      if (isSettled(unit)) proofs.keep(key, 'known' in found.proof ? known : null, found);
      return found;
    },
    open(db, unit) {
      const key = keyOf(unit);
      const known = opened.get(key) ?? large.get(key);
      if (known) return Promise.resolve(known);
      return openOnce(db, unit);
    },
    async read(db, unit) {
      const { inTurn, read } = await findFiles(db, unit);
      return inTurn ? takeTurn(read) : read();
    },
    namings,
    sizeBytes: () => opened.calculatedSize + proofs.sizeBytes() + namings.calculatedSize,
  };
}

/** Many small ones are read at a time, few (`inTurn`) that are large or come from the source. */
type FoundFiles = { inTurn: boolean; read(): Promise<UnitFiles> };

const keyOf = ({ hash, consensusEnd }: StoredUnit): string => `${consensusEnd} ${hash}`;

/** Else a signature may still come. */
const isSettled = ({ version, coverKind }: CoveredUnit): boolean => version < blockStreamVersion || coverKind !== null;

async function readKept(db: Database, { consensusEnd }: StoredUnit): Promise<Buffer[]> {
  const files = await selectKeptFiles(db, consensusEnd, maxKept);
  return files.map(({ bytes }) => bytes!);
}

async function openFiles(files: UnitFiles, unit: CoveredUnit, maxBlockBytes: number): Promise<OpenedUnit> {
  if (unit.version < blockStreamVersion) return { unit, files };
  if (files.kind !== 'block') {
    throw new ProofUnavailable(`The source has no block ${unit.number}, but a record file of its time`);
  }
  const bytes = files.items.reduce((sum, item) => sum + item.bytes.length, 0);
  if (bytes <= maxBlockBytes) return { unit, block: await openProvedBlock(files.items, unit.hash) };
  throw new ProofUnavailable(
    `Block ${unit.number} has ${bytes} bytes, and proofs are made of blocks of at most ${maxBlockBytes}`,
  );
}

function sizeOf(opened: OpenedUnit): number {
  if ('block' in opened) {
    const { sizeBytes, wholeBytes } = opened.block;
    // Once as text, for all proofs that show all of it.
    return sizeBytes + (wholeBytes === null || wholeBytes > maxWholeBytes ? 0 : 2 * wholeBytes);
  }
  const { files } = opened;
  const parts = files.kind === 'record' ? [files.record] : files.items.map(({ bytes }) => bytes);
  // Items and hashes that are made of it take about three times as much.
  return parts.reduce((sum, { length }) => sum + 4 * length, 1);
}
