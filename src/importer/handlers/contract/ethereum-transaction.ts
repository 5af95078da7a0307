// EthereumTransaction: the signed transaction of an Ethereum wallet, stored field by field whether it succeeded or not,
// and its sender's new nonce. Prices and values are weibar bytes, as signed.

import { toEntityId } from '../../../../packages/protocol/hapi/entity-id.ts';
import {
  decodeEthereumTransaction,
  type EthereumTransaction,
} from '../../../../packages/protocol/hapi/ethereum-transaction.ts';
import { toBigInt } from '../../../../packages/protocol/hapi/hapi.ts';
import { responseCode } from '../../../../packages/protocol/hapi/response-codes.ts';
import type { BlockItem } from '../../block/block-item.ts';
import { type ItemContext, isHapiAtLeast } from '../../block/item-context.ts';
import type { TransactionHandler } from '../../block/transaction-handler.ts';
import { emptyBytes } from '../../columns/stored-values.ts';
import { contractFunctionResult, evmSender } from '../../evm/block-evm.ts';
import { evmTransactionHash } from '../../evm/ethereum-data.ts';

export const ethereumTransaction: TransactionHandler<'ethereumTransaction'> = {
  entityId: (_body, { record }, { lookup }) => lookup.contract(contractFunctionResult(record)?.contractID),
  always: (body, item, context) => {
    const { consensusTimestamp, payerAccountId } = item;
    const data = body.ethereumData ?? emptyBytes;
    const decoded = decodeEthereumTransaction(data); // Throws on bad data: reported, and no row.
    const hash = evmTransactionHash(item, context.files);
    context.rows.insert('ethereum_transaction', {
      access_list: decoded.accessList,
      authorization_list: decoded.authorizationList,
      call_data: decoded.callData,
      call_data_id: toEntityId(body.callData) || null,
      chain_id: decoded.chainId,
      consensus_timestamp: consensusTimestamp,
      data,
      gas_limit: decoded.gasLimit,
      gas_price: decoded.gasPrice,
      hash,
      max_fee_per_gas: decoded.maxFeePerGas,
      max_gas_allowance: toBigInt(body.maxGasAllowance),
      max_priority_fee_per_gas: decoded.maxPriorityFeePerGas,
      nonce: decoded.nonce,
      payer_account_id: payerAccountId,
      recovery_id: decoded.recoveryId,
      signature_r: decoded.signatureR,
      signature_s: decoded.signatureS,
      signature_v: decoded.signatureV,
      to_address: decoded.toAddress,
      type: decoded.type,
      value: decoded.value,
    });
    const ofHash = { consensus_timestamp: consensusTimestamp, hash, payer_account_id: payerAccountId };
    context.rows.insert('transaction_hash', ofHash);
    adjustSenderNonce(item, context, decoded);
  },
};

/** Nonces have no history: they only adjust the newest version of the account. */
function adjustSenderNonce(item: BlockItem, context: ItemContext, decoded: EthereumTransaction): void {
  const result = contractFunctionResult(item.record);
  const senderId = evmSender(item, context);
  if (senderId === 0n) return;
  if (result?.signerNonce) {
    context.rows.version('entity', { id: senderId, ethereum_nonce: toBigInt(result.signerNonce.value) });
  } else if (!isHapiAtLeast(context.block, 0, 47, 0) && usedItsNonce(item)) {
    context.rows.version('entity', { id: senderId, ethereum_nonce: decoded.nonce + 1n });
  }
}

/** Before HAPI 0.47.0 records did not have it; these statuses mean that the EVM ran. */
function usedItsNonce({ successful, status }: BlockItem): boolean {
  return (
    successful || status === responseCode.CONTRACT_REVERT_EXECUTED || status === responseCode.MAX_CHILD_RECORDS_EXCEEDED
  );
}
