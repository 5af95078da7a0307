// A fresh EVM in which contracts are really deployed, so that their code is what a constructor left behind.
import { Common, Hardfork, Mainnet } from '@ethereumjs/common';
import { createEVM } from '@ethereumjs/evm';
import { Address } from '@ethereumjs/util';

export type Evm = {
  /** Runs creation code; gives the address and the code that is there now. */
  deploy(creation: Buffer): Promise<{ address: string; code: Buffer }>;
  /** Calls a contract that gives back an address; gives that address and the code there. */
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
