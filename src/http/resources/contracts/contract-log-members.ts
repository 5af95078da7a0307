// A log as it stands in its contract result and, with block and transaction, in lists.
import type { ContractLog, ListedContractLog } from '../../../ledger/contracts/contract-log.ts';
import type { ListedLogPage } from '../../../ledger/contracts/create-contract-logs.ts';
import { described, type Kind } from '../../values/kind.ts';
import { blockHash, entityId, evmAddress, evmWord, hex, int32, int64, timestamp } from '../../values/kinds.ts';
import { array, members, nullable, value } from '../../values/members.ts';
import type { Linked } from '../../values/page-of.ts';
import { pageOf } from '../../values/page-of.ts';

const logData: Kind<Uint8Array> = {
  ...described(hex, 'Bytes in hex, of 32 at least; `0x` for none.'),
  write: (bytes) => (bytes.length === 0 ? '"0x"' : evmWord.write(bytes)),
};

const logTable = {
  address: value(evmAddress, ({ contractEvmAddress, contractId }: ContractLog) => ({
    evmAddress: contractEvmAddress,
    id: contractId,
  })),
  bloom: value(hex, (log: ContractLog) => log.bloom),
  contract_id: value(entityId, (log: ContractLog) => log.contractId),
  data: value(logData, (log: ContractLog) => log.data),
  index: value(int32, (log: ContractLog) => log.index, 'Position among the logs of the block.'),
  topics: array(evmWord, (log: ContractLog) => log.topics),
};

export const contractLogKind = members<ContractLog>(logTable, { name: 'ContractLog' });

const listedLogKind = members<ListedContractLog>(
  {
    ...logTable,
    block_hash: value(blockHash, ({ block }) => block?.hash ?? ''),
    block_number: nullable(int64, ({ block }) => (block ? block.number : null)),
    root_contract_id: value(entityId, (log) => log.rootContractId, 'The contract that was called first.'),
    timestamp: value(timestamp, (log) => log.consensusTimestamp),
    transaction_hash: value(hex, (log) => log.transactionHash),
    transaction_index: nullable(int32, (log) => log.transactionIndex),
  },
  { name: 'ListedContractLog' },
);

export const contractLogsKind: Kind<Linked<ListedLogPage>> = pageOf('logs', listedLogKind, 'ContractLogs');
