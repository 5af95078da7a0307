// The files of a unit that was read before, by its name: a block, or a record file with the signatures of all nodes.
// Where they were found the last time is tried first: to look for a name in a large folder or bucket takes long.

import { gunzip } from '../protocol/gunzip.ts';
import { StreamFileError } from '../protocol/stream-file-error.ts';
import type { UnitFiles } from '../streams/block-stream/unit-files.ts';
import type { RecordFile } from '../streams/record-stream/raw-record-file.ts';
import { readRecordFile } from '../streams/record-stream/record-file.ts';
import { readRecordSignatures } from '../streams/record-stream/record-signatures.ts';
import { parseStreamFileName } from '../streams/record-stream/stream-file-name.ts';
import { readStoredBlock } from './read-stored-block.ts';
import { type StreamFileCopy, type StreamFileGroup, type StreamSource, StreamSourceError } from './stream-source.ts';

/** `hash`: hex, of the record file, where it is one. */
export type ReadUnit = { number: bigint; name: string; version: number; hash: string };

const blockStreamVersion = 7;
/** Nodes join and leave: their folders are looked for again for files of another day. ns. */
const sameNodesWithin = 86_400_000_000_000n;

/** null = it is not there. Throws StreamSourceError, StreamFileError, and the reason of the signal. */
export function createReadAgain(source: StreamSource) {
  let blockLocation: string | null = null;
  let nodes: { timestamp: bigint; copies: readonly StreamFileCopy[] } | null = null;

  async function readBlock(
    { number, name }: ReadUnit,
    isNamed: boolean,
    signal: AbortSignal,
  ): Promise<UnitFiles | null> {
    if (blockLocation !== null && isNamed) {
      const file = { number, name, location: blockLocation };
      const stored = await orNull(readStoredBlock(source, file, undefined, signal));
      if (stored) return { kind: 'block', items: stored.items };
    }
    const found = await source.findBlock(number, signal);
    if (!found) return null;
    blockLocation = found.location;
    return { kind: 'block', items: (await readStoredBlock(source, found, undefined, signal)).items };
  }

  async function readRecord(unit: ReadUnit, signal: AbortSignal): Promise<UnitFiles | null> {
    const timestamp = parseStreamFileName(unit.name)?.timestamp;
    if (timestamp === undefined) return null;
    if (nodes && distance(nodes.timestamp, timestamp) < sameNodesWithin) {
      const copies = nodes.copies.map((copy) => ({ ...copy, ...namesOf(unit.name) }));
      const known = await readCopies(source, { copies, hash: unit.hash, signal });
      // With fewer signatures others may have signed since: nodes that joined, or were late at that moment.
      if (known && 3 * known.signed >= 2 * copies.length) return known.files;
    }
    const group = await findGroup(source, timestamp, signal);
    if (!group) return null;
    nodes = { timestamp, copies: group.copies };
    return (await readCopies(source, { copies: group.copies, hash: unit.hash, signal }))?.files ?? null;
  }

  return async (unit: ReadUnit, signal: AbortSignal): Promise<UnitFiles | null> => {
    if (unit.version >= blockStreamVersion) return readBlock(unit, true, signal);
    // One that came inside a block has the name of its record file.
    return (await readRecord(unit, signal)) ?? readBlock(unit, false, signal);
  };
}

const distance = (one: bigint, other: bigint): bigint => (one < other ? other - one : one - other);

function namesOf(recordName: string): Pick<StreamFileCopy, 'recordName' | 'signatureName'> {
  return { recordName, signatureName: recordName.replace(/[.]rcd([.]gz)?$/, '.rcd_sig') };
}

/** null = the source has no record files of this instant. */
async function findGroup(
  source: StreamSource,
  timestamp: bigint,
  signal: AbortSignal,
): Promise<StreamFileGroup | null> {
  const before = { timestamp: timestamp - 1n, nextBlock: null, onlyBlocks: false };
  const units = source.units({ position: () => before, live: false, isEnough: () => true, signal });
  try {
    for await (const unit of units) {
      return unit.kind === 'record' && unit.group.timestamp === timestamp ? unit.group : null;
    }
  } catch (error) {
    if (!(error instanceof StreamSourceError) || error.code !== 'noStreamFiles') throw error;
  }
  return null;
}

/** The copy with this hash, and how many have a signature; null = there is none. */
async function readCopies(
  source: StreamSource,
  { copies, hash, signal }: { copies: readonly StreamFileCopy[]; hash: string; signal: AbortSignal },
): Promise<{ files: UnitFiles; signed: number } | null> {
  const signed = copies.filter(({ signatureName }) => signatureName !== null);
  const signatures = await Promise.all(signed.map((copy) => orNull(source.read(copy, { kind: 'signature' }, signal))));
  const present = signatures.filter((file) => file !== null);
  if (present.length === 0) return null;
  for (const copy of copies) {
    if (copy.recordName === null) continue;
    const stored = await orNull(source.read(copy, { kind: 'record' }, signal));
    const record = stored && unpackRecord(stored, copy.recordName);
    if (record?.file.hash.toString('hex') !== hash) continue;
    const signatures = readRecordSignatures(record.file, present);
    return { files: { kind: 'record', record: record.bytes, signatures }, signed: present.length };
  }
  return null;
}

/** null: it cannot be read. */
function unpackRecord(stored: Buffer, name: string): { file: RecordFile; bytes: Buffer } | null {
  try {
    const bytes = name.endsWith('.gz') ? gunzip(stored, 'record file') : stored;
    return { file: readRecordFile(bytes), bytes };
  } catch (error) {
    if (error instanceof StreamFileError) return null;
    throw error;
  }
}

/** null where the file is missing. */
async function orNull<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof StreamSourceError && error.code === 'missing') return null;
    throw error;
  }
}
