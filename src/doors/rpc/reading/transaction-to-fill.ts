// A transaction that lacks what its sender does not know, as eth_fillTransaction gets it.
import type { SimulatedCall } from '../../../calls/simulate/simulation.ts';
import { rpcError } from '../terms/rpc-error.ts';
import { type Kind, objectOf } from './kind.ts';
import { address, hexAmount, hexNumber } from './kinds.ts';
import { simulatedCall } from './simulation.ts';

export type TransactionToFill = {
  call: SimulatedCall;
  sender: Buffer;
  /** What is signed, of which less than a tinybar does not move. */
  weibar: bigint;
  chainId: bigint | undefined;
};

const others = objectOf(
  'TransactionObject',
  { from: address, value: hexAmount, chainId: hexNumber },
  { error: simulatedCall.error },
);

export const transactionToFill: Kind<TransactionToFill> = {
  error: simulatedCall.error,
  read(value) {
    const [call, given] = [simulatedCall.read(value), others.read(value)];
    if (!call || !given) return undefined;
    const { from: sender, value: weibar, chainId } = given;
    if (!sender) throw rpcError.missingParameter(`'from' for TransactionObject`);
    return { call, sender, weibar: weibar ?? 0n, chainId };
  },
};
