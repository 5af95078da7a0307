// Ethereum transactions: the sender is recovered from the signature, its nonce must match, it pays the gas; the HAPI
// payer relays.
import type { proto } from '../../protocol/hapi/hapi.ts';
import { openEthereumTransaction, type SignedEthereumTransaction } from '../evm/ethereum-signer.ts';
import { chainId, type EvmOutput, evmAddressOf, intrinsicGas, weibarPerTinybar } from '../evm/run-evm.ts';
import { emptyKeyList } from '../ledger/blank-account.ts';
import { accountId, contractId, toLong } from '../ledger/hapi-values.ts';
import type { Account } from '../ledger/ledger.ts';
import { addChildren, functionResult, refusedResult, sidecarsOf } from './contract-result.ts';
import { assertAffordable, decodeHexFile, momentOf } from './contracts.ts';
import { type Execution, reject, resolveAccount, type Status } from './execution.ts';
import { readLivingFile } from './files.ts';

export async function runEthereumTransaction(x: Execution, data: proto.IEthereumTransactionBody): Promise<void> {
  const callData = data.callData ? decodeHexFile(readLivingFile(x, data.callData).contents) : undefined;
  const signed = openEthereumTransaction(data.ethereumData ?? new Uint8Array(), callData);
  x.outcome.record.ethereumHash = signed.hash;
  const senderId = x.ledger.tables.names.get(Buffer.from(signed.sender).toString('hex'));
  const sender = senderId === undefined ? undefined : x.ledger.tables.accounts.get(senderId);
  if (!sender) reject('INVALID_ACCOUNT_ID', x.outcome);
  if (signed.chainId !== null && signed.chainId !== BigInt(chainId)) reject('WRONG_CHAIN_ID', x.outcome);
  if (signed.nonce !== sender.ethereumNonce) refuse(x, signed, sender, 'WRONG_NONCE');
  const gasPrice = x.prices.gas();
  if (signed.gasPrice / weibarPerTinybar < gasPrice) refuse(x, signed, sender, 'INSUFFICIENT_TX_FEE');
  const creates = signed.to.length === 0;
  const { accessList, authorizations } = signed;
  const input = { data: signed.data, to: creates ? null : signed.to, accessList, authorizations };
  if (signed.gasLimit < intrinsicGas(input)) refuse(x, signed, sender, 'INSUFFICIENT_GAS');
  const value = signed.value / weibarPerTinybar;
  assertAffordable(x, sender.id, signed.gasLimit, gasPrice, value);

  if (Buffer.compare(sender.key, emptyKeyList) === 0) {
    throw new Error('A hollow account is completed before it sends Ethereum transactions');
  }
  const output = x.runEvm({
    ...input,
    sender: sender.id,
    value,
    gasLimit: signed.gasLimit,
    gasPrice,
    countNonce: true,
    ...momentOf(x),
  });
  const created = creates && !output.failure ? output.created[0] : undefined;
  const target = creates ? (created?.id ?? 0n) : resolveAccount(x, { evmAddress: signed.to });
  const ofSender = output.delegations.find(({ id }) => id === sender.id);
  const nextNonce = ofSender?.nonce ?? signed.nonce + 1n;
  x.outcome.usedNonce = { account: sender.id, next: nextNonce };
  x.outcome.delegations = output.delegations;
  x.outcome.gas = { payer: sender.id, amount: output.gasUsed * gasPrice };
  x.outcome.sidecars = sidecarsOf(output, creates && !created ? { initcode: signed.data } : null);
  recordResult(x, output, { signed, sender, target, nextNonce, created });
  if (target !== 0n) x.outcome.receipt.contractID = contractId(target);
  if (output.failure) reject(output.failure, x.outcome);
  addChildren(x, output, 0n);
}

type Run = {
  signed: SignedEthereumTransaction;
  sender: Account;
  target: bigint;
  nextNonce: bigint;
  created: Account | undefined;
};

function recordResult(x: Execution, output: EvmOutput, { signed, sender, target, nextNonce, created }: Run): void {
  const result: proto.IContractFunctionResult = {
    ...functionResult(output, target),
    gas: toLong(signed.gasLimit),
    amount: toLong(signed.value / weibarPerTinybar),
    functionParameters: signed.data,
    senderId: accountId(sender.id),
    signerNonce: { value: toLong(nextNonce) },
  };
  if (created) {
    x.outcome.record.contractCreateResult = {
      ...result,
      contractCallResult: created.code,
      evmAddress: { value: evmAddressOf(created) },
    };
  } else if (signed.to.length === 0) x.outcome.record.contractCreateResult = result;
  else x.outcome.record.contractCallResult = result;
}

/** Refused before the EVM runs: no gas is used, the nonce stays. The record still has the request. */
function refuse(x: Execution, signed: SignedEthereumTransaction, sender: Account, status: Status): never {
  x.outcome.record.contractCallResult = {
    ...refusedResult(status, signed.to.length > 0 ? { evmAddress: signed.to } : undefined),
    gas: toLong(signed.gasLimit),
    functionParameters: signed.data,
    senderId: accountId(sender.id),
    signerNonce: { value: toLong(sender.ethereumNonce) },
  };
  reject(status, x.outcome);
}
