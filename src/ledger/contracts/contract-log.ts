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
    consensusTimestamp: row.consensusTimestamp,
    contractId: row.contractId,
    contractEvmAddress: row.evmAddress,
    data: row.data,
    index: row.index,
    rootContractId: row.rootContractId,
    topics: [row.topic0, row.topic1, row.topic2, row.topic3].filter((topic) => topic !== null),
    transactionHash: row.transactionHash,
    transactionIndex: row.transactionIndex,
  };
}

export function toListedLog(row: ListedLogRow): ListedContractLog {
  const block = row.blockHash === null ? null : { hash: row.blockHash, number: row.blockNumber };
  return { ...toContractLog(row), block };
}
