// The call of a contract as eth_call and eth_estimateGas describe it, in the units of the ledger.
import type { ContractCall } from '../machine/machine.ts';
import { weibarPerTinybar } from '../terms/hex.ts';
import { type RpcError, rpcError } from '../terms/rpc-error.ts';
import { type Kind, objectOf, optional } from './kind.ts';
import { address, bytes, hexAmount } from './kinds.ts';
import { accessList, authorizationList, noBlobs, toNumber, transactionType } from './transaction-kinds.ts';

const maxValue = 2n ** 63n - 1n;

const members = objectOf(
  'TransactionObject',
  {
    from: address,
    to: optional({ error: address.error, read: (value: unknown) => (typeof value === 'string' ? value : undefined) }),
    gas: hexAmount,
    gasPrice: hexAmount,
    maxFeePerGas: hexAmount,
    value: hexAmount,
    data: optional(bytes),
    input: bytes,
    type: transactionType,
    accessList: optional(accessList),
    authorizationList: optional(authorizationList),
    blobVersionedHashes: optional(noBlobs),
  },
  { error: 'Expected TransactionObject' },
);

export const contractCall: Kind<ContractCall> = {
  error: members.error,
  read(value) {
    const given = members.read(value);
    if (!given) return undefined;
    const { from, to, gas, value: weibar, data, input, accessList: listed, authorizationList: signed } = given;
    const receiver = to === undefined ? undefined : address.read(to);
    if (to !== undefined && receiver === undefined) throw refuseReceiver(to);
    if (receiver === undefined && signed?.length) throw refuseCreation();
    return {
      from: from ? toNumber(from) : null,
      // Without a receiver it is a creation.
      to: receiver ? toNumber(receiver) : null,
      data: input ?? data ?? Buffer.alloc(0),
      gas: gas ?? null,
      value: toTinybar(weibar ?? 0n),
      ...(listed ? { accessList: listed } : {}),
      ...(signed ? { signed } : {}),
    };
  },
};

function refuseReceiver(to: string): RpcError {
  const shown = to.slice(0, 200);
  if (to.length !== addressLength) return rpcError.invalidContractAddress(shown, to.length);
  return rpcError.invalidParameter(`'to' for TransactionObject`, `${address.error}, value: ${shown}`);
}

function refuseCreation(): RpcError {
  return rpcError.invalidParameter(
    `'authorizationList' for TransactionObject`,
    'A transaction with authorizations has a receiver (EIP-7702)',
  );
}

const addressLength = 42;

/** Anything above nothing is at least one tinybar. Throws RpcError for more than there can be. */
function toTinybar(weibar: bigint): bigint {
  const tinybar = weibar > 0n && weibar < weibarPerTinybar ? 1n : weibar / weibarPerTinybar;
  if (tinybar > maxValue) throw rpcError.failedSimulation(`value must be less than or equal to ${maxValue} tinybar`);
  return tinybar;
}
