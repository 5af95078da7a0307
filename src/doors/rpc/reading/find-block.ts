// Which stored block a request means.
import type { ChainBlock } from '../../../ledger/chain/create-chain.ts';
import type { Ledger } from '../../../ledger/ledger.ts';
import { rpcError } from '../terms/rpc-error.ts';
import type { BlockReference } from './kinds.ts';

/** null = there is none. Throws RpcError where nothing is stored yet. */
export async function findBlock({ chain }: Ledger, reference: BlockReference): Promise<ChainBlock | null> {
  if (reference.kind === 'newest') return newestBlock({ chain });
  return chain.block(reference.kind === 'hash' ? { hashPrefix: reference.hash } : { number: reference.number });
}

/** Throws RpcError where nothing is stored yet. */
export async function newestBlock({ chain }: Pick<Ledger, 'chain'>): Promise<ChainBlock> {
  const newest = await chain.newestBlock();
  if (!newest) throw rpcError.noNewestBlock();
  return newest as ChainBlock;
}

/** As it was asked for, for refusals. */
export function textOfBlock(reference: BlockReference): string {
  if (reference.kind === 'newest') return 'latest';
  return reference.kind === 'hash' ? `0x${reference.hash}` : reference.text;
}
