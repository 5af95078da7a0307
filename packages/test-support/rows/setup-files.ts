// Rows of file contents and of the blocks themselves.

import type { JsonValue } from '../../postgres/wire/values.ts';
import type { Maker } from './setup-row.ts';
import { toBytes, toId } from './setup-values.ts';

const systemHexFiles = ['111', '112'];

export const toFileData: Maker = (item, system) => {
  const { file_data } = item;
  const content = Array.isArray(file_data)
    ? Buffer.from(file_data.map(Number))
    : Buffer.from(String(file_data), systemHexFiles.includes(String(item.entity_id)) ? 'hex' : 'utf8');
  return [
    {
      table: 'file_data',
      row: { transaction_type: 17n, ...item, file_data: content, entity_id: toId(item.entity_id, system) },
    },
  ];
};

export const toRecordFile: Maker = (item) => {
  const bytes = toBytes(item.bytes === undefined ? '0x010102020303' : item.bytes);
  return [
    {
      table: 'record_file',
      row: {
        consensus_end: 1628751573995691000n,
        consensus_start: 1628751572000852000n,
        count: 1200n,
        digest_algorithm: 0n,
        file_hash: 'dee34bdd8bbe32fdb53ce7e3cf764a0495fa5e93b15ca567208cfb384231301bedf821de07b0d8dc3fb55c5b3c90ac61',
        gas_used: 0n,
        hapi_version_major: 0n,
        hapi_version_minor: 11n,
        hapi_version_patch: 0n,
        hash: 'ed55d98d53fd55c9caf5f61affe88cd2978d37128ec54af5dace29b6fd271cbd079ebe487bda5f227087e2638b1100cf',
        index: 123456789n,
        load_end: 1629298236n,
        load_start: 1629298233n,
        name: '2021-08-12T06_59_32.000852000Z.rcd',
        prev_hash: '0'.repeat(96),
        version: 5n,
        ...item,
        bytes,
        logs_bloom: toBloom(item.logs_bloom),
        size: item.size === undefined ? (bytes?.length ?? 6n) : item.size,
      },
    },
  ];
};

/** Hex, with or without `0x`. */
function toBloom(text: JsonValue | undefined): Buffer | null {
  if (text === undefined) return Buffer.alloc(0);
  return text === null ? null : Buffer.from(String(text).replace(/^0x/, ''), 'hex');
}
