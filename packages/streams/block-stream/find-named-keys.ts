// The hinTS keys that a block names: the network's state holds the key that it will sign with before it is used, so
// that a block which is proved vouches for the next key. Read from the bytes of the state changes.

import { StreamFileError } from '../../protocol/stream-file-error.ts';
import { findWireBytes, findWireVarint, readVarint64, visitWireFields, wireBytes } from '../../protocol/wire-fields.ts';
import { type BlockStreamItem, itemKinds } from './block-item.ts';
import { findFault } from './state-value.ts';

export type NamedKeys = {
  /** Verification keys in the order of the block, each once. Copies. */
  keys: Uint8Array[];
  problems: string[];
};

/** Bytes of a verification key. */
const keyLength = 1096;
/** Networks name one or two in a block. */
const maxKeys = 8;

// Field numbers: StateChanges, StateChange, SingletonUpdateChange, HintsConstruction, HintsScheme, PreprocessedKeys.
const stateChanges = 2;
const singletonUpdate = 4;
const hintsConstruction = 14;
const partial = 24;
const clearedFields = 25;
const hintsScheme = 6;
const preprocessedKeys = 1;
const verificationKey = 2;

/** What cannot be read names nothing, and is a problem in the report of the block. */
export function findNamedKeys(items: readonly BlockStreamItem[]): NamedKeys {
  const found: NamedKeys = { keys: [], problems: [] };
  for (const { kind, content } of items) {
    if (kind !== itemKinds.stateChanges || content.length < keyLength) continue;
    try {
      visitWireFields(content, (number, wireType, start, end) => {
        if (number !== stateChanges || wireType !== wireBytes || end - start < keyLength) return;
        const update = findWireBytes(content.subarray(start, end), singletonUpdate);
        if (update) takeKey(update, found);
      });
    } catch (error) {
      if (!(error instanceof StreamFileError)) throw error;
      found.problems.push(`a state change cannot be read, and a key that it may name is not known: ${error.message}`);
    }
  }
  return found;
}

function takeKey(update: Buffer, { keys, problems }: NamedKeys): void {
  const scheme = findScheme(update, problems);
  const preprocessed = scheme && findWireBytes(scheme, preprocessedKeys);
  const key = preprocessed && findWireBytes(preprocessed, verificationKey);
  if (!key || keys.some((known) => Buffer.compare(known, key) === 0)) return;
  if (key.length !== keyLength) {
    problems.push(`a hinTS key of ${key.length} bytes is named; this version knows those of ${keyLength}`);
  } else if (keys.length === maxKeys) {
    problems.push(`more than ${maxKeys} hinTS keys are named: only the first ones are read`);
  } else {
    // A part of a block would take the whole block along to another thread.
    keys.push(new Uint8Array(key));
  }
}

/** Of a whole value, or of the fields of one that have changed: a field that is there is there as a whole. */
function findScheme(update: Buffer, problems: string[]): Buffer | null {
  const value = findWireBytes(update, hintsConstruction);
  const scheme = value && findWireBytes(value, hintsScheme);
  if (!scheme) return null;
  const isPartial = (findWireVarint(update, partial) ?? 0n) !== 0n;
  // Which fields a construction has differs between versions of the library.
  const fault = findFault({ value, isPartial, cleared: readCleared(update) }, null);
  if (fault === null) return scheme;
  problems.push(`a state change that names a hinTS key is not taken: ${fault}`);
  return null;
}

/** Packed, or one by one; in the order of the bytes. */
function readCleared(update: Buffer): number[] {
  const cleared: number[] = [];
  visitWireFields(update, (number, wireType, start, end) => {
    if (number !== clearedFields) return;
    for (let at = start; at < end; at++) {
      const first = at;
      while (wireType === wireBytes && at < end - 1 && update[at]! >= 128) at++;
      cleared.push(Number(readVarint64(update.subarray(0, end), first)));
      if (wireType !== wireBytes) return;
    }
  });
  return cleared;
}
