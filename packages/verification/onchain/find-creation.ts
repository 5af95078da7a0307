// The transaction that created a contract, from the history of its chain: the first block with code at the address,
// then the transaction of that block that created it. Needs a node with old states; others give null or an error.
import { isJsonObject } from '../../kit/is-json-object.ts';
import { isTransactionHash } from '../terms/hex.ts';

type Call = (method: string, params: unknown[]) => Promise<unknown>;

/** For the whole search: some 25 requests for the code, one for the block, one per creation in it. */
const maxMs = 60_000;
const maxCreations = 200;

/** null = not found; also if a contract created it. Throws what `call` throws. */
export async function findCreation(call: Call, address: string): Promise<string | null> {
  const deadline = Date.now() + maxMs;
  const hasCode = async (block: number) => {
    const code = await call('eth_getCode', [address, toQuantity(block)]);
    return typeof code === 'string' && code.length > 2;
  };
  let first = 0;
  let last = toNumber(await call('eth_blockNumber', []));
  // A contract that no longer exists, or a node without old states.
  if (last === null || !(await hasCode(last))) return null;
  while (first < last) {
    if (Date.now() > deadline) return null;
    const middle = Math.floor((first + last) / 2);
    if (await hasCode(middle)) last = middle;
    else first = middle + 1;
  }
  const block = await call('eth_getBlockByNumber', [toQuantity(first), true]);
  if (!isJsonObject(block) || !Array.isArray(block.transactions)) return null;
  const creating = block.transactions.filter(isJsonObject).filter(({ to }) => to === null || to === undefined);
  for (const { hash } of creating.slice(0, maxCreations)) {
    if (Date.now() > deadline) return null;
    if (!isTransactionHash(hash)) continue;
    const receipt = await call('eth_getTransactionReceipt', [hash]);
    if (!isJsonObject(receipt) || typeof receipt.contractAddress !== 'string') continue;
    if (receipt.contractAddress.toLowerCase() === address) return hash.toLowerCase();
  }
  return null;
}

/** Block numbers stay far below 2^53. */
function toNumber(value: unknown): number | null {
  return typeof value === 'string' && /^0x[0-9a-f]{1,12}$/i.test(value) ? Number(value) : null;
}

function toQuantity(block: number): string {
  return `0x${block.toString(16)}`;
}
