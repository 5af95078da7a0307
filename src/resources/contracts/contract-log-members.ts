// A log as a part of its contract result and, with block and transaction, in lists.

import type { LogOfResult } from '../../../packages/store/read/select-contract-logs.ts';
import type { ReadingContext } from '../../api/reading/query/context.ts';
import { described, type Kind } from '../../api/values/kind.ts';
import { blockHash, entityId, evmWord, hex, int32, int64, timestamp } from '../../api/values/kinds.ts';
import { array, from, members, nullable, part, value } from '../../api/values/members.ts';
import { contractAddress } from './contract-address.ts';
import { decodedOfLog } from './decoded/decoded-members.ts';

const logData: Kind<Uint8Array> = {
  ...described(hex, 'Bytes in hex, of 32 at least; `0x` for none.'),
  write: (bytes) => (bytes.length === 0 ? '"0x"' : evmWord.write(bytes)),
};

const logTable = {
  address: part(contractAddress),
  bloom: hex,
  contract_id: entityId,
  data: logData,
  index: value(int32, 'Position among the logs of the block.'),
  topics: array(evmWord, ({ topic0, topic1, topic2, topic3 }: LogOfResult) =>
    [topic0, topic1, topic2, topic3].filter((topic) => topic !== null),
  ),
};

/** A log as a part of its result. */
export function createContractLogKind({ dialect }: ReadingContext) {
  return members({ ...logTable, ...(dialect.hasOwnEndpoints ? decodedOfLog : {}) }, { name: 'ContractLog' });
}

const listedLogTable = {
  ...logTable,
  block_hash: blockHash,
  block_number: nullable(int64),
  root_contract_id: value(entityId, 'The contract that was called first.'),
  timestamp: from('consensusTimestamp', timestamp),
  transaction_hash: hex,
  transaction_index: nullable(int32),
};

export function createListedLogKind({ dialect }: ReadingContext) {
  return members(
    { ...listedLogTable, ...(dialect.hasOwnEndpoints ? decodedOfLog : {}) },
    { name: 'ListedContractLog' },
  );
}
