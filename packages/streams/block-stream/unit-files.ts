import type { RecordSignatures } from '../record-stream/record-signatures.ts';
import type { BlockStreamItem } from './block-item.ts';

/** The files of a unit of the stream, as a proof needs them. */
export type UnitFiles =
  /** Of a block of a block stream, and of a block around a record file: its items. */
  | { kind: 'block'; items: readonly BlockStreamItem[] }
  /** `record`: the record file, decompressed. `signatures`: of any nodes; some may be bad. */
  | { kind: 'record'; record: Buffer; signatures: RecordSignatures };
