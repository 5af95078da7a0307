// One block from a node's folder, sidecars with their transactions.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { toTimestamp } from '../../../packages/protocol/hapi/timestamp.ts';
import { decodeTransactionItem } from '../../../packages/streams/record-stream/decode-transaction-item.ts';
import { readRecordFileV6 } from '../../../packages/streams/record-stream/record-file-v6.ts';
import { readSidecarFile } from '../../../packages/streams/record-stream/sidecar-file.ts';
import type { ReadBlock } from './read-stream.ts';

export function readBlock(nodeFolder: string, name: string): ReadBlock {
  const unpack = (path: string): Buffer => gunzipSync(readFileSync(join(nodeFolder, path)));
  const file = readRecordFileV6(unpack(name));
  const prefix = name.slice(0, name.indexOf('Z') + 1);
  const folder = join(nodeFolder, 'sidecar');
  const sidecars = (existsSync(folder) ? readdirSync(folder) : [])
    .filter((sidecar) => sidecar.startsWith(prefix))
    .sort()
    .flatMap((sidecar) => readSidecarFile(unpack(join('sidecar', sidecar))).records);
  const items = file.items.map((raw, index) => {
    const { item } = decodeTransactionItem(raw, index);
    const isOwn = ({ consensusTimestamp: at }: (typeof sidecars)[number]) =>
      toTimestamp(at!) === item.consensusTimestamp;
    return { ...item, sidecars: sidecars.filter(isOwn) };
  });
  return { name, file, items };
}
