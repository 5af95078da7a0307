// System contracts that the machine does not simulate: a call of one is an answer that says so.
import { NotSupported } from '../../evm/base/halt.ts';
import type { SystemContract } from '../../evm/frame/system-contract.ts';

const addresses = [0x167n, 0x168n, 0x169n, 0x16an, 0x16bn, 0x16cn];

const unserved: SystemContract = {
  takesValue: () => true,
  run({ address, data, caller }) {
    const selector = Buffer.from(data.subarray(0, 4)).toString('hex');
    throw new NotSupported(`0x${selector} of 0x${address.toString(16)}`, caller);
  },
};

export const unservedContracts: ReadonlyMap<bigint, SystemContract> = new Map(
  addresses.map((address) => [address, unserved]),
);
