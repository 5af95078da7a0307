// Names of the files that the network publishes.
import { formatInstant } from '../../protocol/hapi/timestamp.ts';

/** Name of the v6 record file that begins at this consensus timestamp. */
export function recordFileName(consensusStart: bigint): string {
  return `${formatInstant(consensusStart)}.rcd.gz`;
}

/** Name of the signature file of a record file. */
export function signatureFileName(recordName: string): string {
  return `${recordName.replace(/\.gz$/, '')}_sig`;
}
