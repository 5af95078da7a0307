// Gas that a transaction really burnt, as opposed to what it was charged for. From HAPI 0.69.0 on the network reports
// it; before that it follows from the sidecar's top action and the intrinsic costs of Ethereum.

const transactionGas = 21_000n;
const creationGas = 32_000n;
const zeroByteGas = 4n;
const otherByteGas = 16n;

export type TopAction = {
  /** Gas used by the action of call depth 0. */
  gasUsed: bigint;
  isCreation: boolean;
};

/** @param payload initcode of a creation, call parameters otherwise. */
export function gasConsumed(action: TopAction, payload: Uint8Array): bigint {
  return action.gasUsed + transactionGas + payloadGas(payload) + (action.isCreation ? creationGas : 0n);
}

function payloadGas(payload: Uint8Array): bigint {
  let zeros = 0;
  for (const byte of payload) if (byte === 0) zeros += 1;
  return BigInt(zeros) * zeroByteGas + BigInt(payload.length - zeros) * otherByteGas;
}
