// The contract results of a block, from the stream: which transactions have one, their indexes, and the sums of the
// block.

import { toEntityId } from '../../../packages/protocol/hapi/entity-id.ts';
import { proto, toBigInt } from '../../../packages/protocol/hapi/hapi.ts';
import type { TransactionItem } from '../../../packages/streams/stream/stream-block.ts';
import { type ReadEthereum, readEthereum } from './read-ethereum.ts';
import { successes } from './read-ledger.ts';
import type { ReadBlock } from './read-stream.ts';

export type ReadResult = {
  block: ReadBlock;
  /** Σ gas of the block. */
  blockGas: bigint;
  item: TransactionItem;
  index: number | null;
  contract: bigint;
  sender: bigint;
  result: proto.IContractFunctionResult | null;
  /** Gas that the EVM consumed; null if unknown. */
  gasConsumed: bigint | null;
  ethereum: ReadEthereum | null;
  hash: Buffer;
};

const evmTypes = new Set([7, 8, 50]);
const wrongNonce = 312;

export function readResults(block: ReadBlock, findByAddress: (address: Buffer) => bigint): ReadResult[] {
  const indexes = new Map<TransactionItem, number>();
  const found: Omit<ReadResult, 'blockGas'>[] = [];
  let next = 0;
  let blockGas = 0n;
  const resultOf = ({ record }: TransactionItem) => record.contractCreateResult ?? record.contractCallResult ?? null;
  for (const item of block.items) {
    const { body, record, status, type } = item;
    const parent = block.items.find(({ consensusTimestamp }) => consensusTimestamp === item.parentConsensusTimestamp);
    const cause = parent && resultOf(parent) ? parent : undefined;
    const result = resultOf(item);
    if (evmTypes.has(type) && status !== wrongNonce) {
      const inherited = cause && indexes.get(cause);
      if (inherited !== undefined) indexes.set(item, inherited);
      else if (result) indexes.set(item, next++);
    } else if (!result && !cause && logsByTokens(item)) indexes.set(item, next++);

    const raw = body.ethereumTransaction?.ethereumData;
    const ethereum = raw ? readEthereum(raw) : null;
    const refused = type === 50 && !result && ethereum && ![11, wrongNonce].includes(status) && !successes.has(status);
    if (!result && type !== 7 && type !== 8 && !refused) continue;
    if (result && (!item.parentConsensusTimestamp || !body.transactionID?.nonce)) blockGas += toBigInt(result.gasUsed);
    const named =
      type === 7 ? (record.receipt?.contractID ?? body.contractCall?.contractID) : record.receipt?.contractID;
    const contractId = type === 7 || type === 8 ? named : result?.contractID;
    found.push({
      block,
      item,
      index: indexes.get(item) ?? null,
      contract: contractId?.evmAddress?.length
        ? findByAddress(Buffer.from(contractId.evmAddress))
        : toEntityId(contractId),
      sender: toEntityId(result?.senderId) || toEntityId(body.transactionID?.accountID),
      result,
      gasConsumed: readGasConsumed(block, item, result),
      ethereum,
      hash: Buffer.from(record.ethereumHash?.length ? record.ethereumHash : record.transactionHash!.subarray(0, 32)),
    });
  }
  return found.map((one) => ({ ...one, blockGas }));
}

/** Token transfers and approvals outside of contracts have logs, and thus an index. */
function logsByTokens({ body, record, status, type }: TransactionItem): boolean {
  if (!successes.has(status)) return false;
  const { cryptoApproveAllowance: approve, cryptoDeleteAllowance: remove } = body;
  if (approve) return !!approve.tokenAllowances?.length || !!approve.nftAllowances?.length;
  if (remove) return !!remove.nftAllowances?.length;
  return (
    type !== 41 &&
    !!record.tokenTransferLists?.some(
      ({ transfers, nftTransfers }) =>
        transfers?.length || nftTransfers?.some(({ serialNumber }) => toBigInt(serialNumber) >= 0n),
    )
  );
}

/** Computed before HAPI 0.69: gas of the outermost call and intrinsic gas. */
function readGasConsumed(
  { file }: ReadBlock,
  { body, sidecars }: TransactionItem,
  result: proto.IContractFunctionResult | null,
): bigint | null {
  const { major, minor } = file.hapiVersion!;
  if (major > 0 || minor >= 69) return result ? toBigInt(result.gasUsed) : null;
  const outermost = sidecars
    .flatMap(({ actions }) => actions?.contractActions ?? [])
    .find(({ callDepth }) => !callDepth);
  if (!outermost) return null;
  const creates = outermost.callType === proto.ContractActionType.CREATE;
  const initcode = sidecars.find(({ bytecode }) => bytecode?.initcode?.length)?.bytecode?.initcode;
  const { contractCall: call, contractCreateInstance: create } = body;
  const input = creates
    ? (initcode ?? create?.initcode)
    : call
      ? call.functionParameters
      : (create?.constructorParameters ?? result?.functionParameters);
  const cost = [...(input ?? [])].reduce((sum, byte) => sum + (byte === 0 ? 4n : 16n), 21_000n);
  return toBigInt(outermost.gasUsed) + cost + (creates ? 32_000n : 0n);
}
