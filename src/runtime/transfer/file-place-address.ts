import type { FilePlaceAddress } from '../../../packages/sources/places/file-place.ts';
import { parseSourcePlaces } from '../../../packages/sources/source-places.ts';
import type { Settings } from '../settings/load-settings.ts';
import { UsageError } from '../settings/usage-error.ts';

/**
 * Of a folder, or of a bucket with the credentials and settings of sources. `flag`: for messages. Throws UsageError.
 */
export function readFilePlaceAddress(text: string, flag: string, { get, find }: Settings): FilePlaceAddress {
  const [place, ...others] = readPlaces(text, flag);
  if (!place || others.length > 0 || place.kind === 'blockNode') {
    throw new UsageError(`${flag} must be one folder or bucket (s3://<bucket>/<prefix>, gs://…), not "${text}"`);
  }
  if (place.kind === 'folder') return place;
  return {
    ...place,
    endpoint: find('source-endpoint')?.replace(/\/+$/, ''),
    region: find('source-region'),
    requesterPays: get('source-requester-pays'),
    project: find('source-project'),
    timeoutMs: 1000 * get('source-timeout'),
  };
}

function readPlaces(text: string, flag: string) {
  try {
    return parseSourcePlaces(text);
  } catch (error) {
    throw new UsageError(`${flag}: ${(error as Error).message}.`);
  }
}
