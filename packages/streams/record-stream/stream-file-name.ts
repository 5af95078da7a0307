// Names of stream files: which instant, which kind. `2022-07-13T08_46_11.304284003Z.rcd.gz` and everything named after
// it. A name and its compressed form are the same file.
import { findInstant, formatInstant } from '../../protocol/hapi/timestamp.ts';

export type StreamFileName = {
  kind: 'record' | 'signature' | 'sidecar';
  /** The instant as in the name: files of one moment share it. */
  instant: string;
  /** ns. */
  timestamp: bigint;
  compressed: boolean;
  /** 1, 2, … for sidecars, else null. */
  sidecarId: number | null;
};

/** After the instant. */
const ending = /^(?:_(\d\d))?\.rcd(_sig)?(\.gz)?$/;

/** null for names of anything else. */
export function parseStreamFileName(name: string): StreamFileName | null {
  const end = name.indexOf('Z') + 1;
  const match = ending.exec(name.slice(end));
  if (!match || (match[1] && match[2])) return null;
  const instant = name.slice(0, end);
  const timestamp = findInstant(instant);
  if (timestamp === null) return null;
  return {
    kind: match[2] ? 'signature' : match[1] ? 'sidecar' : 'record',
    instant,
    timestamp,
    compressed: match[3] !== undefined,
    sidecarId: match[1] ? Number(match[1]) : null,
  };
}

/**
 * Name of the record file that a block wraps: the shortest of 0, 3, 6 and 9 decimals, uncompressed as the rebuilt file.
 */
export function wrappedRecordFileName(creationTime: bigint): string {
  const instant = formatInstant(creationTime)
    .replace(/(?:000)+Z$/, 'Z')
    .replace(/\.Z$/, 'Z');
  return `${instant}.rcd`;
}

/** Name of the n-th sidecar (1, 2, …) of a record file. */
export function sidecarFileName(recordName: string, id: number): string {
  return `${recordName.replace(/\.rcd(\.gz)?$/, '')}_${String(id).padStart(2, '0')}.rcd.gz`;
}
