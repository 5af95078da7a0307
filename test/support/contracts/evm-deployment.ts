// A fresh EVM that deploys contracts, so that their code is what the constructor returned.
import { Common, Hardfork, Mainnet } from '@ethereumjs/common';
import { createEVM } from '@ethereumjs/evm';
import { Address } from '@ethereumjs/util';

export type Evm = {
  /** Runs creation code; returns the address and its code. */
  deploy(creation: Buffer): Promise<{ address: string; code: Buffer }>;
  /** Calls a contract that returns an address; returns that address and its code. */
  create(factory: string, data: Buffer): Promise<{ address: string; code: Buffer }>;
  /** null = the call failed. */
  call(to: string, data: Buffer): Promise<Buffer | null>;
  codeOf(address: string): Promise<Buffer>;
  /** 32 bytes. */
  slotOf(address: string, slot: Buffer): Promise<Buffer>;
  /** Slots that were written so far, by contract: 32 bytes each, as 0x and hex. */
  written(address: string): string[];
};

export async function createEvm(): Promise<Evm> {
  const evm = await createEVM({ common: new Common({ chain: Mainnet, hardfork: Hardfork.Cancun }) });
  const caller = new Address(Buffer.alloc(20, 0x11));
  const gasLimit = 30_000_000n;
  const written = new Map<string, Set<string>>();
  evm.events.on('step', ({ opcode, stack, address }, resume) => {
    if (opcode.name === 'SSTORE') {
      const slots = written.get(address.toString()) ?? new Set();
      written.set(address.toString(), slots.add(`0x${stack.at(-1)!.toString(16).padStart(64, '0')}`));
    }
    resume?.();
  });
  const toAddress = (text: string) => new Address(Buffer.from(text.slice(2), 'hex'));

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
      const to = toAddress(factory);
      const { execResult } = await evm.runCall({ caller, to, data, gasLimit });
      if (execResult.exceptionError) throw new Error(`not created: ${execResult.exceptionError.error}`);
      return codeAt(new Address(execResult.returnValue.subarray(12, 32)));
    },
    async call(to, data) {
      const { execResult } = await evm.runCall({ caller, to: toAddress(to), data, gasLimit });
      return execResult.exceptionError ? null : Buffer.from(execResult.returnValue);
    },
    codeOf: async (address) => (await codeAt(toAddress(address))).code,
    async slotOf(address, slot) {
      const value = Buffer.from(await evm.stateManager.getStorage(toAddress(address), slot));
      return Buffer.concat([Buffer.alloc(32 - value.length), value]);
    },
    written: (address) => [...(written.get(address) ?? [])],
  };
}
