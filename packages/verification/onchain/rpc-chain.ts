// Contracts of other chains, by JSON-RPC at addresses that the operator configured. Creation code is known only if a
// transaction created the contract itself, not through another contract.
import { isJsonObject } from '../../kit/is-json-object.ts';
import { fromHex, isTransactionHash, toHex } from '../terms/hex.ts';
import { type OnchainContract, type OnchainSource, toOnchainContract } from '../terms/onchain-contract.ts';
import { readBounded } from '../terms/read-bounded.ts';
import { cannotFetch } from '../terms/verification-error.ts';
import { findCreation } from './find-creation.ts';
import { readMinimalProxy } from './minimal-proxy.ts';

export type RpcChainOptions = {
  /** Decimal. */
  chainId: string;
  /** Asked one after another until one answers. */
  urls: readonly string[];
  /** Of one call. */
  timeoutMs: number;
};

export function createRpcChain({ chainId, urls, timeoutMs }: RpcChainOptions): OnchainSource {
  async function call(method: string, params: unknown[], address: string): Promise<unknown> {
    const failures: string[] = [];
    let isRefused = true;
    for (const [index, url] of urls.entries()) {
      try {
        return await callRpc(url, method, params, timeoutMs);
      } catch (error) {
        if (error instanceof Reverted) throw error;
        // Addresses often hold keys: they are not repeated.
        failures.push(`endpoint ${index + 1}: ${(error as Error).message}`);
        isRefused &&= (error as Error).cause === refused;
      }
    }
    throw cannotFetch(chainId, address, `. ${failures.join('; ')}`, isRefused ? refused : undefined);
  }

  async function find(address: string): Promise<OnchainContract> {
    const code = toBytes(await call('eth_getCode', [address, 'latest'], address));
    if (code === null) throw cannotFetch(chainId, address, ': eth_getCode gave no bytes.');
    if (code.length === 0) return toOnchainContract(chainId, address, 'none');
    return { ...toOnchainContract(chainId, address, 'contract'), runtimeCode: code };
  }

  async function readSlot(address: string, slot: Buffer): Promise<Buffer> {
    const value = toBytes(await call('eth_getStorageAt', [address, toHex(slot), 'latest'], address));
    if (value === null || value.length > 32) throw cannotFetch(chainId, address, ': eth_getStorageAt gave no word.');
    return value;
  }

  async function withTransaction(contract: OnchainContract, hash: string): Promise<OnchainContract> {
    const transaction = await call('eth_getTransactionByHash', [hash], contract.address);
    const receipt = await call('eth_getTransactionReceipt', [hash], contract.address);
    return isJsonObject(transaction) && isJsonObject(receipt)
      ? addCreation(contract, hash, transaction, receipt)
      : contract;
  }

  async function withCreation(contract: OnchainContract, named?: string): Promise<OnchainContract> {
    if (contract.runtimeCode === null) return contract;
    const { address } = contract;
    try {
      const known = isTransactionHash(named) ? await withTransaction(contract, named) : contract;
      if (known.creation !== null) return known;
      const found = await findCreation((method, params) => call(method, params, address), address);
      return found === null ? contract : await withTransaction(contract, found);
    } catch (error) {
      const { message, cause } = error as Error;
      return { ...contract, creationProblem: { message, isTemporary: cause !== refused } };
    }
  }

  return {
    async read(address) {
      const contract = await find(address.toLowerCase());
      const target = contract.runtimeCode && readMinimalProxy(contract.runtimeCode);
      return target ? { ...contract, implementation: await find(target) } : contract;
    },
    async withCreation(contract, transactionHash) {
      const { implementation } = contract;
      const deployed = await withCreation(contract, transactionHash);
      return implementation ? { ...deployed, implementation: await withCreation(implementation) } : deployed;
    },
    slots: ({ address }, slots) => Promise.all(slots.map((slot) => readSlot(address, slot))),
    async call(to, data) {
      try {
        return toBytes(await call('eth_call', [{ to, data: toHex(data) }, 'latest'], to));
      } catch (error) {
        if (error instanceof Reverted) return null;
        throw error;
      }
    },
  };
}

/** A transaction that created another contract proves nothing about this one. */
function addCreation(
  contract: OnchainContract,
  hash: string,
  transaction: Record<string, unknown>,
  receipt: Record<string, unknown>,
): OnchainContract {
  const made = typeof receipt.contractAddress === 'string' ? receipt.contractAddress.toLowerCase() : null;
  const input = toBytes(transaction.input);
  if (made !== contract.address || input === null || input.length === 0) return contract;
  return {
    ...contract,
    creationCodes: [input],
    creation: {
      transactionHash: hash.toLowerCase(),
      blockNumber: toInteger(transaction.blockNumber, maxInt64),
      transactionIndex: Number(toInteger(receipt.transactionIndex, maxInt32) ?? 0n),
      deployer: typeof transaction.from === 'string' ? transaction.from.toLowerCase() : null,
      factory: null,
      createdTimestamp: null,
    },
  };
}

/** The cause of errors that another try would not change: every endpoint refuses the question. */
const refused = 'refused';

/** The contract ran and failed: an answer of the chain, which other endpoints would give, too. */
class Reverted extends Error {}

/** 3: geth and its like; -32015: OpenEthereum and Nethermind. Others say -32000 with a sentence. */
const failedCodes: readonly unknown[] = [3, -32015];
const failedWords = /revert|invalid (?:opcode|jump)|out of gas|stack (?:under|over)flow|vm execution error/i;

/** Code is at most 24 KB, creation code twice that; transactions carry it as hex. */
const maxAnswerBytes = 4_000_000;

async function callRpc(url: string, method: string, params: unknown[], timeoutMs: number): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  }).catch((error: Error) => {
    throw new Error(error.name === 'TimeoutError' ? `no answer in ${timeoutMs} ms` : 'it cannot be reached');
  });
  const text = await readBounded(response, maxAnswerBytes).catch(() => {
    throw new Error('its answer broke off');
  });
  if (text === null) throw new Error(`its answer has more than ${maxAnswerBytes} bytes`);
  if (!response.ok) throw new Error(`HTTP status ${response.status}`);
  let answer: unknown;
  try {
    answer = JSON.parse(text.toString());
  } catch {
    throw new Error('its answer is not JSON');
  }
  if (!isJsonObject(answer)) throw new Error('its answer is no JSON-RPC answer');
  if (isJsonObject(answer.error)) {
    // Its message may repeat the address of the request, and the key in it.
    const { code, message } = answer.error;
    if (method === 'eth_call' && (failedCodes.includes(code) || failedWords.test(String(message))))
      throw new Reverted();
    throw new Error(`it refuses ${method} (code ${Number.isSafeInteger(code) ? code : 'none'})`, { cause: refused });
  }
  if (!('result' in answer)) throw new Error('its answer has no result');
  return answer.result;
}

function toBytes(value: unknown): Buffer | null {
  return typeof value === 'string' && /^0x([0-9a-f]{2})*$/i.test(value) ? fromHex(value) : null;
}

/** Of the columns that store the results. */
const maxInt64 = 2n ** 63n - 1n;
const maxInt32 = 2n ** 31n - 1n;

/** null if it is no integer. Throws above `max`: then nothing else about the creation is used. */
function toInteger(value: unknown, max: bigint): bigint | null {
  if (typeof value !== 'string' || !/^0x[0-9a-f]{1,16}$/i.test(value)) return null;
  const integer = BigInt(value);
  if (integer > max) throw new Error(`the number ${value} is too large`);
  return integer;
}
