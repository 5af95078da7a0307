// From the setting to a source: the only place that makes one.
import { blockNodeLimits, createBlockNodeSource } from '../source/block-node/block-node-source.ts';
import { createFolderSource } from '../source/folder-source.ts';
import { createPreferredSource, type SourceEvent } from '../source/preferred-source.ts';
import { parseSourcePlaces, type SourcePlace } from '../source/source-places.ts';
import type { StreamSource } from '../source/stream-source.ts';
import type { Logger } from './log.ts';
import { UsageError } from './settings/usage-error.ts';

export type OpenSourceOptions = {
  /** As in the setting. */
  text: string;
  /** Of block nodes. */
  timeoutMs: number;
  log: Logger;
  onEvent?(event: SourceEvent): void;
};

/** Throws UsageError. */
export function readSourcePlaces(text: string): SourcePlace[] {
  try {
    return parseSourcePlaces(text);
  } catch (error) {
    throw new UsageError(`--source: ${(error as Error).message}.`);
  }
}

/** Throws UsageError. */
export function openSource({ text, timeoutMs, log, onEvent }: OpenSourceOptions): StreamSource {
  const places = readSourcePlaces(text);
  const sources = places.map((place) => openPlace(place, timeoutMs));
  if (places.every(({ kind }) => kind === 'folder')) return sources[0]!;
  const tell = createSourceTeller(log);
  return createPreferredSource(sources, {
    quietMs: timeoutMs,
    onEvent(event) {
      tell(event);
      onEvent?.(event);
    },
  });
}

export function openPlace(place: SourcePlace, timeoutMs: number): StreamSource {
  return place.kind === 'folder'
    ? createFolderSource({ path: place.path })
    : createBlockNodeSource(place.address, blockNodeLimits(timeoutMs));
}

/** What fails again and again in the same way is said once a minute. */
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
