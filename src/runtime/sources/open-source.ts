// From the setting to a source: the only place that makes one.

import { readFileSync } from 'node:fs';
import type { Logger } from '../../../packages/kit/process/log.ts';
import { readSigningBook } from '../../../packages/protocol/hapi/address-book.ts';
import { blockNodeLimits } from '../../../packages/sources/block-node/block-node-limits.ts';
import { createBlockNodeSource } from '../../../packages/sources/block-node/block-node-source.ts';
import { askAgain } from '../../../packages/sources/bucket/ask-again.ts';
import { createBucketSource } from '../../../packages/sources/bucket/bucket-source.ts';
import { createGcsStore } from '../../../packages/sources/bucket/gcs-store.ts';
import type { ObjectStore } from '../../../packages/sources/bucket/object-store.ts';
import { createS3Store } from '../../../packages/sources/bucket/s3-store.ts';
import { createFolderSource, type FolderSourceOptions } from '../../../packages/sources/folder-source.ts';
import type { TellPassedOver } from '../../../packages/sources/passed-over.ts';
import {
  createPreferredSource,
  type PreferredSourceOptions,
  type SourceEvent,
} from '../../../packages/sources/preferred-source.ts';
import { type BucketPlace, parseSourcePlaces, type SourcePlace } from '../../../packages/sources/source-places.ts';
import type { StreamSource } from '../../../packages/sources/stream-source.ts';
import type { Settings } from '../settings/load-settings.ts';
import { UsageError } from '../settings/usage-error.ts';

export type OpenSourceOptions = {
  /** As in the setting. */
  text: string;
  options: SourceOptions;
  log: Logger;
  onEvent?(event: SourceEvent): void;
  /** Sources behind those of the setting, see `createPreferredSource`. */
  findFurther?: PreferredSourceOptions['findFurther'];
  /** Logged if absent. */
  onPassedOver?: TellPassedOver;
};

const bytesOfMiB = 1024 * 1024;

/** For folders also whether the process may wait for a disk. */
export type SourceOptions = ReturnType<typeof readSourceOptions> & Pick<FolderSourceOptions, 'mayBlock'>;

/** For block nodes and buckets. */
export function readSourceOptions({ get, find }: Settings) {
  return {
    timeoutMs: 1000 * get('source-timeout'),
    endpoint: find('source-endpoint')?.replace(/\/+$/, ''),
    region: find('source-region'),
    requesterPays: get('source-requester-pays'),
    project: find('source-project'),
    pollMs: 1000 * get('source-poll'),
    aheadBytes: 1_000_000 * get('source-ahead'),
    blockLimits: {
      maxBlockBytes: bytesOfMiB * get('max-block-size'),
      maxMessageBytes: bytesOfMiB * get('max-message-size'),
    },
  };
}

/** Throws UsageError. */
export function readSourcePlaces(text: string): SourcePlace[] {
  try {
    return parseSourcePlaces(text);
  } catch (error) {
    throw new UsageError(`--source: ${(error as Error).message}.`);
  }
}

/** Throws UsageError. */
export function openSource(asked: OpenSourceOptions): StreamSource {
  const { text, options, log, onEvent, onPassedOver, findFurther } = asked;
  const places = readSourcePlaces(text);
  const tellPassedOver: TellPassedOver = ({ path, reason }) =>
    log.warn({ file: path }, `Passed over in the source: ${reason}`);
  const sources = places.map((place) => openPlace(place, options, onPassedOver ?? tellPassedOver));
  if (places.length === 1 && places[0]!.kind !== 'blockNode' && !findFurther) return sources[0]!;
  const tell = createSourceTeller(log);
  return createPreferredSource(sources, {
    quietMs: options.timeoutMs,
    findFurther,
    onEvent(event) {
      tell(event);
      onEvent?.(event);
    },
  });
}

export function openPlace(place: SourcePlace, options: SourceOptions, onPassedOver?: TellPassedOver): StreamSource {
  const { mayBlock, blockLimits } = options;
  if (place.kind === 'folder') return createFolderSource({ path: place.path, mayBlock, blockLimits, onPassedOver });
  if (place.kind === 'blockNode') {
    return createBlockNodeSource(place.address, blockNodeLimits(options.timeoutMs, blockLimits));
  }
  return createBucketSource({
    ...options,
    onPassedOver,
    prefix: place.prefix,
    store: askAgain(openBucket(place, options), options),
  });
}

export function openBucket({ store, bucket }: BucketPlace, options: SourceOptions): ObjectStore {
  return store === 's3' ? createS3Store({ ...options, bucket }) : createGcsStore({ ...options, bucket });
}

/** A repeated failure of the same kind is logged once a minute. */
const sayAgainMs = 60_000;

function createSourceTeller(log: Logger, clock = () => performance.now()) {
  const saidAtMs = new Map<string, number>();
  return ({ source, ...event }: SourceEvent): void => {
    if (event.kind === 'followed') {
      log.info({ source }, 'The stream comes from this source');
      return;
    }
    if (clock() - (saidAtMs.get(source) ?? Number.NEGATIVE_INFINITY) < sayAgainMs) return;
    saidAtMs.set(source, clock());
    log.warn({ source }, event.reason);
  };
}

/** The bytes as they are, if they can be read as a book with at least one readable key. Throws UsageError. */
export function readAddressBookFile(path: string): Uint8Array {
  try {
    const bytes = readFileSync(path);
    readSigningBook(bytes);
    return bytes;
  } catch (error) {
    throw new UsageError(
      `The address book ${path} cannot be read: ${(error as Error).message}. It is the content of the network's file 102, as stored.`,
    );
  }
}
