// Finds where in a source an import has to begin: at the first unit at or after a moment or a block. Sources list
// record files by time and blocks by number; the other of the two is found by bisection, with one file read per step.

import { gunzip } from '../../../packages/protocol/gunzip.ts';
import { StreamFileError } from '../../../packages/protocol/stream-file-error.ts';
import { readStoredBlock } from '../../../packages/sources/read-stored-block.ts';
import {
  type StreamFileGroup,
  type StreamPosition,
  type StreamSource,
  StreamSourceError,
  type StreamUnit,
} from '../../../packages/sources/stream-source.ts';
import { toBlock } from '../../../packages/streams/block-stream/block.ts';
import { readRecordFile } from '../../../packages/streams/record-stream/record-file.ts';
import type { StartPoint } from './stream-point.ts';

/**
 * null = at the first unit. Throws StreamSourceError if the block is not there yet, or record files carry no numbers.
 */
export async function findStart(source: StreamSource, start: StartPoint): Promise<StreamPosition | null> {
  if (start.kind === 'genesis') return null;
  if (start.kind === 'block') return findNumber(source, start.number);
  const timestamp = start.kind === 'now' ? await source.newestInstant() : start.timestamp;
  return timestamp === null ? null : findMoment(source, timestamp);
}

async function findMoment(source: StreamSource, timestamp: bigint): Promise<StreamPosition> {
  const position = positionBefore(timestamp);
  const unit = await firstUnit(source, position);
  if (unit?.kind !== 'block') return position;
  const first = unit.block.number;
  const isEarlier = async (number: bigint): Promise<boolean> => {
    const instant = await readBlockInstant(source, number);
    return instant !== null && instant < timestamp;
  };
  if (!(await isEarlier(first))) return { ...position, nextBlock: first };
  // Doubles the step until a block is late enough or missing.
  let step = 1n;
  while (await isEarlier(first + step)) step *= 2n;
  let [before, after] = [first + step / 2n, first + step];
  while (after - before > 1n) {
    const middle = (before + after) / 2n;
    if (await isEarlier(middle)) before = middle;
    else after = middle;
  }
  return { ...position, nextBlock: after };
}

async function findNumber(source: StreamSource, number: bigint): Promise<StreamPosition> {
  const unit = await firstUnit(source, null);
  if (unit === null) throw notThereYet(source, number);
  if (unit.kind === 'block') {
    const first = unit.block.number;
    return { timestamp: 0n, nextBlock: number > first ? number : first, onlyBlocks: false };
  }
  if ((await readRecordNumber(source, unit.group)) >= number) return positionBefore(unit.group.timestamp);
  const newest = await source.newestInstant();
  if (newest === null) throw notThereYet(source, number);
  let [before, after] = [unit.group.timestamp, newest + 1n];
  while (after - before > 1n) {
    const middle = (before + after) / 2n;
    const found = await firstUnit(source, positionBefore(middle));
    const foundNumber = found?.kind === 'record' ? await readRecordNumber(source, found.group) : null;
    if (found?.kind === 'record' && foundNumber === number) return positionBefore(found.group.timestamp);
    if (found?.kind === 'record' && foundNumber! < number) before = found.group.timestamp;
    else after = middle;
  }
  const position = positionBefore(after);
  if ((await firstUnit(source, position))?.kind === 'record') return position;
  if (await source.findBlock(number)) return { ...position, nextBlock: number };
  throw notThereYet(source, number);
}

function positionBefore(timestamp: bigint): StreamPosition {
  return { timestamp: timestamp - 1n, nextBlock: null, onlyBlocks: false };
}

async function firstUnit(source: StreamSource, position: StreamPosition | null): Promise<StreamUnit | null> {
  for await (const unit of source.units({ position: () => position, live: false, isEnough: () => true })) return unit;
  return null;
}

/** ns; null if the block is not there. */
async function readBlockInstant(source: StreamSource, number: bigint): Promise<bigint | null> {
  const file = await source.findBlock(number);
  if (!file) return null;
  return readable(file.name, async () => toBlock((await readStoredBlock(source, file)).items).timestamp);
}

/** Of the first copy that exists: the file's claim, which the import proves later. */
async function readRecordNumber(source: StreamSource, group: StreamFileGroup): Promise<bigint> {
  const copy = group.copies.find(({ recordName }) => recordName !== null);
  if (!copy) throw missing(source, `No node has a record file of ${group.instant}`);
  const name = copy.recordName!;
  const bytes = await source.read(copy, { kind: 'record' });
  const { blockNumber, version } = await readable(name, async () =>
    readRecordFile(name.endsWith('.gz') ? gunzip(bytes, 'record file') : bytes),
  );
  if (blockNumber !== null) return blockNumber;
  throw missing(
    source,
    `${name} is a record file of version ${version}, which does not carry its number. Name a moment in --from in place of a block, and the number of its first file in --start-block`,
  );
}

async function readable<T>(name: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof StreamFileError)) throw error;
    throw new StreamSourceError('unreadable', name, `${name} cannot be read: ${error.message}`);
  }
}

function notThereYet(source: StreamSource, number: bigint): StreamSourceError {
  return missing(source, `${source.description} does not have block ${number} yet`);
}

function missing(source: StreamSource, message: string): StreamSourceError {
  return new StreamSourceError('missing', source.description, message);
}
