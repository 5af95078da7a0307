// A log that a contract emitted, or that stands for what a token did.
import type { ContractLogRow, ListedLogRow } from '../../store/read/select-contract-logs.ts';

export type ContractLog = {
  bloom: Buffer;
  consensusTimestamp: bigint;
  contractId: bigint;
  contractEvmAddress: Buffer | null;
  data: Buffer;
  index: number;
  rootContractId: bigint | null;
  /** Without leading zeros. */
  topics: Buffer[];
  transactionHash: Buffer | null;
  transactionIndex: number | null;
};

export type ListedContractLog = ContractLog & {
  /** Hash as hex. */
  block: { hash: string; number: bigint } | null;
};

export function toContractLog(row: ContractLogRow): ContractLog {
  return {
    bloom: row.bloom,
    consensusTimestamp: row.consensus_timestamp,
    contractId: row.contract_id,
    contractEvmAddress: row.evm_address,
    data: row.data,
    index: row.index,
    rootContractId: row.root_contract_id,
    topics: [row.topic0, row.topic1, row.topic2, row.topic3].filter((topic) => topic !== null),
    transactionHash: row.transaction_hash,
    transactionIndex: row.transaction_index,
  };
}

export function toListedLog(row: ListedLogRow): ListedContractLog {
  const block = row.block_hash === null ? null : { hash: row.block_hash, number: row.block_number };
  return { ...toContractLog(row), block };
}
