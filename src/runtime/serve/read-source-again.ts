// The source of the stream for those who answer: files of stored blocks are read again for proofs.

import type { Logger } from '../../../packages/kit/process/log.ts';
import { StreamFileError } from '../../../packages/protocol/stream-file-error.ts';
import { createReadAgain } from '../../../packages/sources/read-again.ts';
import { StreamSourceError } from '../../../packages/sources/stream-source.ts';
import { ProofUnavailable } from '../../ledger/proofs/proof-unavailable.ts';
import type { ReadAgain } from '../../ledger/proofs/unit-reader.ts';
import type { Settings } from '../settings/load-settings.ts';
import { openSource, readSourceOptions } from '../sources/open-source.ts';

/** A client waits for it. */
const maxReadMs = 20_000;

/** @param text as in the setting; undefined: no source is known. Throws UsageError. */
export function readSourceAgain(text: string | undefined, settings: Settings, log: Logger): ReadAgain | null {
  if (text === undefined) return null;
  // The import reports what it passes over.
  const source = openSource({ text, options: readSourceOptions(settings), log, onPassedOver() {} });
  const read = createReadAgain(source);
  return async (unit) => {
    const late = AbortSignal.timeout(maxReadMs);
    const ended = new Promise<never>((_, reject) => {
      late.addEventListener('abort', () => reject(new ProofUnavailable('The source does not answer in time', true)));
    });
    try {
      return await Promise.race([read(unit, late), ended]);
    } catch (error) {
      if (error instanceof StreamSourceError) {
        log.warn({ err: error }, 'the source cannot be read for a proof');
        throw new ProofUnavailable('The source cannot be read now', true);
      }
      if (!(error instanceof StreamFileError)) throw error;
      log.warn({ err: error, file: unit.name }, 'a file of the source cannot be read for a proof');
      throw new ProofUnavailable(`The file ${unit.name} of the source cannot be read`);
    }
  };
}
