// A fresh EVM that deploys contracts, so that their code is what the constructor returned.
import { Common, Hardfork, Mainnet } from '@ethereumjs/common';
import { createEVM } from '@ethereumjs/evm';
import { Address } from '@ethereumjs/util';

export type Evm = {
  /** Runs creation code; returns the address and its code. */
  deploy(creation: Buffer): Promise<{ address: string; code: Buffer }>;
  /** Calls a contract that returns an address; returns that address and its code. */
  create(factory: string, data: Buffer): Promise<{ address: string; code: Buffer }>;
};

export async function createEvm(): Promise<Evm> {
  const evm = await createEVM({ common: new Common({ chain: Mainnet, hardfork: Hardfork.Cancun }) });
  const caller = new Address(Buffer.alloc(20, 0x11));
  const gasLimit = 30_000_000n;

  async function codeAt(address: Address): Promise<{ address: string; code: Buffer }> {
    return { address: address.toString(), code: Buffer.from(await evm.stateManager.getCode(address)) };
  }

  return {
    async deploy(creation) {
      const { execResult, createdAddress } = await evm.runCall({ caller, data: creation, gasLimit });
      if (execResult.exceptionError || !createdAddress)
        throw new Error(`not deployed: ${execResult.exceptionError?.error}`);
      return codeAt(createdAddress);
    },
    async create(factory, data) {
      const to = new Address(Buffer.from(factory.slice(2), 'hex'));
      const { execResult } = await evm.runCall({ caller, to, data, gasLimit });
      if (execResult.exceptionError) throw new Error(`not created: ${execResult.exceptionError.error}`);
      return codeAt(new Address(execResult.returnValue.subarray(12, 32)));
    },
  };
}
