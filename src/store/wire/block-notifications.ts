// Tells when a block has become visible, from whichever process wrote it. A listener that lost its connection may have
// missed blocks, so it says so before it listens again: caches must be cleared then.
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { createBackOff } from '../../kit/back-off.ts';
import { blockChannel } from '../write/block-channel.ts';

export type BlockListenerOptions = {
  connectionString: string;
  /** Called with the number of each block, after its commit. */
  onBlock: (blockNumber: bigint) => void;
  /** Called when blocks may have been missed: at every loss and after every new connection. */
  onGap: (reason: string) => void;
};

export type BlockListener = { close(): Promise<void> };

/** Resolves when the first connection listens. */
export async function listenForBlocks({
  connectionString,
  onBlock,
  onGap,
}: BlockListenerOptions): Promise<BlockListener> {
  let client: pg.Client | null = null;
  let closed = false;

  const connect = async (): Promise<void> => {
    const next = new pg.Client({ connectionString, application_name: 'ledger-mirror listener', keepAlive: true });
    next.on('error', (error) => onGap(error.message));
    next.on('notification', ({ payload }) => onBlock(BigInt(payload ?? 0)));
    await next.connect();
    await next.query(`listen ${blockChannel}`);
    next.once('end', () => {
      if (!closed) void reconnect();
    });
    client = next;
  };
  const reconnect = async (): Promise<void> => {
    const delays = createBackOff(50, 5_000);
    while (!closed) {
      await sleep(delays.next());
      try {
        await connect();
        return onGap('the connection that listens for blocks was opened again');
      } catch (error) {
        onGap(`no connection to listen for blocks: ${(error as Error).message}`);
      }
    }
  };

  await connect();
  return {
    async close() {
      closed = true;
      await client?.end();
    },
  };
}
