// The source of the stream for those who follow this mirror: its blocks are sent on.

import type { Logger } from '../../../packages/kit/process/log.ts';
import { createBlockReader } from '../../../packages/sources/read-block-again.ts';
import { StreamSourceError } from '../../../packages/sources/stream-source.ts';
import { defaultBlockLimits } from '../../../packages/streams/block-stream/block-limits.ts';
import type { BlockSource } from '../../doors/block-node/block-source.ts';
import { BlockMissingError } from '../../doors/block-node/block-source.ts';
import type { Settings } from '../settings/load-settings.ts';
import { openSource, readSourceOptions } from '../sources/open-source.ts';

/** @param text as in the setting; undefined: no source is known. Throws UsageError. */
export function readSourceBlocks(text: string | undefined, settings: Settings, log: Logger): BlockSource | null {
  if (text === undefined) return null;
  // The import reports what it passes over.
  const source = openSource({ text, options: readSourceOptions(settings), log, onPassedOver() {} });
  const reader = createBlockReader(source);
  return {
    limits: source.blockLimits ?? defaultBlockLimits,
    has: reader.has,
    async *parts(number, signal) {
      try {
        yield* reader.parts(number, signal);
      } catch (error) {
        if (!(error instanceof StreamSourceError) || error.code !== 'missing') throw error;
        throw new BlockMissingError(number);
      }
    },
  };
}
