// EthereumTransaction: the signed transaction of an Ethereum wallet, kept field by field whatever became of it, and the
// nonce that its sender has now. Prices and values are weibar bytes, as signed.

import { toEntityId } from '../../../protocol/hapi/entity-id.ts';
import { decodeEthereumTransaction, type EthereumTransaction } from '../../../protocol/hapi/ethereum-transaction.ts';
import { toBigInt } from '../../../protocol/hapi/hapi.ts';
import { responseCode } from '../../../protocol/hapi/response-codes.ts';
import { contractFunctionResult, emptyBytes } from '../../evm/contract-facts.ts';
import { evmTransactionHash } from '../../evm/ethereum-hash.ts';
import { isHapiAtLeast } from '../../block/hapi-version.ts';
import type { BlockItem, HandlerContext, TransactionHandler } from '../../block/item-context.ts';

export const ethereumTransaction: TransactionHandler = {
  bodyField: 'ethereumTransaction',
  entityId: (item, context) => context.lookup.contract(contractFunctionResult(item.record)?.contractID),
  always(item, context) {
    const body = item.body.ethereumTransaction;
    if (!body) return;
    const data = body.ethereumData ?? emptyBytes;
    const decoded = decodeEthereumTransaction(data); // Throws on bad data: reported, and no row.
    const hash = evmTransactionHash(item, context.files);
    context.rows.insert('ethereum_transaction', {
      access_list: decoded.accessList,
      authorization_list: decoded.authorizationList,
      call_data: decoded.callData,
      call_data_id: toEntityId(body.callData) || null,
      chain_id: decoded.chainId,
      consensus_timestamp: item.consensusTimestamp,
      data,
      gas_limit: decoded.gasLimit,
      gas_price: decoded.gasPrice,
      hash,
      max_fee_per_gas: decoded.maxFeePerGas,
      max_gas_allowance: toBigInt(body.maxGasAllowance),
      max_priority_fee_per_gas: decoded.maxPriorityFeePerGas,
      nonce: decoded.nonce,
      payer_account_id: item.payerAccountId,
      recovery_id: decoded.recoveryId,
      signature_r: decoded.signatureR,
      signature_s: decoded.signatureS,
      signature_v: decoded.signatureV,
      to_address: decoded.toAddress,
      type: decoded.type,
      value: decoded.value,
    });
    context.rows.insert('transaction_hash', {
      consensus_timestamp: item.consensusTimestamp,
      hash,
      payer_account_id: item.payerAccountId,
    });
    adjustSenderNonce(item, context, decoded);
  },
};

/** Nonces are facts without history: they only adjust the newest version of the account. */
function adjustSenderNonce(item: BlockItem, context: HandlerContext, decoded: EthereumTransaction): void {
  const result = contractFunctionResult(item.record);
  const senderId = result?.senderId ? context.lookup.account(result.senderId) : 0n;
  if (senderId === 0n) return;
  if (result?.signerNonce) {
    context.rows.version('entity', { id: senderId, ethereum_nonce: toBigInt(result.signerNonce.value) });
  } else if (!isHapiAtLeast(context.block, 0, 47, 0) && usedItsNonce(item)) {
    context.rows.version('entity', { id: senderId, ethereum_nonce: decoded.nonce + 1n });
  }
}

/** Before HAPI 0.47.0 records did not say; these statuses mean that the EVM ran. */
function usedItsNonce({ successful, status }: BlockItem): boolean {
  return (
    successful || status === responseCode.CONTRACT_REVERT_EXECUTED || status === responseCode.MAX_CHILD_RECORDS_EXCEEDED
  );
}
