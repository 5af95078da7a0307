// Methods about the price of gas.
import type { RpcContext } from '../reading/context.ts';
import { newestBlock } from '../reading/find-block.ts';
import { optional } from '../reading/kind.ts';
import { type BlockReference, blockNumber, hexNumber, rewardPercentiles } from '../reading/kinds.ts';
import { about, type Method, method, plain } from '../reading/method.ts';
import { quantity, weibarPerTinybar } from '../terms/hex.ts';
import { rpcError } from '../terms/rpc-error.ts';

export async function currentPrice({ ledger }: RpcContext): Promise<string> {
  const price = await ledger.chain.price();
  if (price === null) throw rpcError.internal('Failed to retrieve gas price from network fees');
  return quantity(price * weibarPerTinybar);
}

const maxBlocks = 10n;
/** The price does not depend on how full blocks are. */
const usedRatio = 0.5;

/** The price changes a few times a day at most: every block has the present one, as at the relay. */
async function getFeeHistory(
  context: RpcContext,
  wanted: bigint,
  newest: BlockReference,
  percentiles: readonly number[] = [],
) {
  const { number: head } = await newestBlock(context.ledger);
  const last = newest.kind === 'number' ? newest.number : head;
  if (last > head) throw rpcError.beyondHead(last, head);
  if (wanted === 0n) return { baseFeePerGas: [], gasUsedRatio: [], oldestBlock: '0x0' };
  const asked = wanted > maxBlocks ? maxBlocks : wanted;
  const isBeforeFirst = last - asked + 1n <= 0n;
  const count = isBeforeFirst ? 1 : Number(asked);
  const price = await currentPrice(context);
  return {
    baseFeePerGas: Array.from({ length: count + 1 }, () => price),
    gasUsedRatio: Array.from({ length: count }, () => usedRatio),
    oldestBlock: quantity(isBeforeFirst ? 1n : last - asked + 1n),
    ...(percentiles.length > 0 && { reward: Array.from({ length: count }, () => percentiles.map(() => '0x0')) }),
  };
}

export const feeMethods: Readonly<Record<string, Method>> = {
  eth_gasPrice: about([], 'the price of gas by the system files, in weibar', plain(currentPrice)),
  eth_baseFee: about([], 'the price of gas, as `eth_gasPrice`', plain(currentPrice)),
  eth_maxPriorityFeePerGas: about(
    [],
    '0',
    plain(() => '0x0'),
  ),
  eth_feeHistory: about(
    ['number of blocks, at most 10', 'number or tag of the newest', 'percentiles, optional'],
    'the present price for every block: it changes a few times a day at most; half of each block is said to be used',
    method([hexNumber, blockNumber, optional(rewardPercentiles)], getFeeHistory),
  ),
};
