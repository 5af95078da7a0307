// A block node for tests: serves blocks over gRPC, as messages of any cut, and fails in the ways that it is told to, one for
// each subscription.
import { Server, ServerCredentials, type ServerWritableStream, status } from '@grpc/grpc-js';
import { itemKinds, splitBlock, writeBlock, writeItem } from '../../src/protocol/block-stream/block-item.ts';
import { blockMessages } from '../../src/protocol/block-stream/block-messages.ts';
import { readVarint64, visitWireFields } from '../../src/protocol/wire-fields.ts';
import { intField, messageField } from '../../src/protocol/wire-writer.ts';
import { blockNodeMethods } from '../../src/source/block-node/block-node-messages.ts';

/** What goes wrong in a subscription. */
export const blockNodeFaults = [
  'breakOff',
  'breakOffInBlock',
  'stall',
  'stallInBlock',
  'repeat',
  'skip',
  'wrongNumber',
  'changedItem',
  'otherChain',
  'noEnd',
  'garbage',
  'endSuccess',
  'endError',
  'endNotAvailable',
  'endInvalidStart',
  'endUnknownCode',
] as const;
export type BlockNodeFault = (typeof blockNodeFaults)[number];

/** `fault` comes after so many whole blocks. */
export type PlannedFault = { fault: BlockNodeFault; after: number; onFault?(): void };

export type BlockNodeServerOptions = {
  /** Serialized, by number. */
  block(number: bigint): Buffer;
  /** null while it has none. */
  available(): { first: bigint; last: bigint } | null;
  /** Asked at the beginning of a subscription, and after a fault with which it goes on. null: none. */
  nextFault?(): PlannedFault | null;
  /** Most items in one message; whole blocks unless said. */
  itemsPerMessage?: () => number;
  port?: number;
  tls?: { key: Buffer; cert: Buffer };
};

export type BlockNodeServer = {
  address: string;
  /** How often it was subscribed to. */
  subscriptions(): number;
  close(): void;
};

type Call = ServerWritableStream<Buffer, Buffer>;

const maxUint64 = 2n ** 64n - 1n;
const asIs = (bytes: Buffer): Buffer => bytes;
const method = (path: string, responseStream: boolean) => ({
  path,
  requestStream: false,
  responseStream,
  requestSerialize: asIs,
  requestDeserialize: asIs,
  responseSerialize: asIs,
  responseDeserialize: asIs,
});

export async function startBlockNodeServer(options: BlockNodeServerOptions): Promise<BlockNodeServer> {
  const server = new Server({ 'grpc.max_send_message_length': -1 });
  let subscriptions = 0;
  server.addService(
    {
      serverStatus: method(blockNodeMethods.serverStatus, false),
      subscribeBlockStream: method(blockNodeMethods.subscribeBlockStream, true),
    },
    {
      serverStatus(_call: unknown, answer: (error: null, message: Buffer) => void) {
        const { first, last } = options.available() ?? { first: maxUint64, last: maxUint64 };
        answer(null, Buffer.concat([intField(1, first), intField(2, last)].flat()));
      },
      subscribeBlockStream(call: Call) {
        subscriptions += 1;
        void serve(options, call);
      },
    },
  );
  const { tls } = options;
  const serverCredentials = tls
    ? ServerCredentials.createSsl(null, [{ private_key: tls.key, cert_chain: tls.cert }])
    : ServerCredentials.createInsecure();
  const port = await new Promise<number>((done, fail) => {
    server.bindAsync(`127.0.0.1:${options.port ?? 0}`, serverCredentials, (error, bound) =>
      error ? fail(error) : done(bound),
    );
  });
  return {
    address: `${tls ? 'grpcs' : 'grpc'}://127.0.0.1:${port}`,
    subscriptions: () => subscriptions,
    close: () => server.forceShutdown(),
  };
}

/** Numbers of SubscribeStreamResponse.Code. */
const endCodes: Partial<Record<BlockNodeFault, number>> = {
  endSuccess: 1,
  endError: 3,
  endInvalidStart: 4,
  endNotAvailable: 6,
  endUnknownCode: 77,
};

async function serve(options: BlockNodeServerOptions, call: Call): Promise<void> {
  const { from, to } = readRequest(call.request);
  const planned = (): PlannedFault | null => options.nextFault?.() ?? null;
  let fault = planned();
  let whole = 0;
  let next = from;
  let wake = (): void => {};
  call.once('cancelled', () => wake());
  call.on('drain', () => wake());

  while (!call.cancelled && (to === null || next <= to)) {
    const isNewest = next >= (options.available()?.last ?? 0n);
    // Not at the newest block: no successor would tell that it is not what the network made.
    if (fault && whole >= fault.after && !isNewest) {
      if ((await fail(fault)) === 'over') return;
      fault = planned();
      whole = 0;
      continue;
    }
    const available = options.available();
    if (!available || next > available.last) {
      // It waits for the next block.
      await new Promise((done) => setTimeout(done, 5));
      continue;
    }
    if (next < available.first) return end(4);
    await sendBlock(options.block(next), next);
    next += 1n;
  }
  if (!call.cancelled) end(1);

  async function fail({ fault, onFault }: PlannedFault): Promise<'over' | 'goesOn'> {
    const good = options.block(next);
    onFault?.();
    const number = next;
    const code = endCodes[fault];
    if (code !== undefined) end(code);
    if (fault === 'breakOffInBlock' || fault === 'stallInBlock') {
      await write(messageField(2, [[writeBlock(splitBlock(good).slice(0, -1))]]));
    }
    if (fault === 'breakOff' || fault === 'breakOffInBlock') {
      call.emit('error', { code: status.UNAVAILABLE, details: 'the node goes down' });
    }
    if (code !== undefined || ['breakOff', 'breakOffInBlock', 'stall', 'stallInBlock'].includes(fault)) return 'over';
    if (fault === 'garbage') await write(messageField(2, [[Buffer.from('ffffffffffff', 'hex')]]));
    if (fault === 'repeat') {
      for (let again = number > 3n ? number - 3n : 0n; again < number; again++)
        await sendBlock(options.block(again), again);
      return 'goesOn';
    }
    next = number + 1n;
    if (fault === 'wrongNumber') await sendBlock(withNumber(good, number + 7n), number + 7n);
    if (fault === 'changedItem') await sendBlock(withChangedItem(good), number);
    if (fault === 'otherChain') await sendBlock(withPreviousRoot(good), number);
    if (fault === 'noEnd') await write(messageField(2, [[good]]));
    return 'goesOn';
  }

  async function sendBlock(block: Buffer, number: bigint): Promise<void> {
    const items = splitBlock(block);
    for (let start = 0; start < items.length; ) {
      const count = options.itemsPerMessage?.() ?? items.length;
      await write(messageField(2, [[writeBlock(items.slice(start, start + count))]]));
      start += count;
    }
    await write(messageField(3, [intField(1, number)]));
    whole += 1;
  }

  async function write(message: Buffer[]): Promise<void> {
    if (call.cancelled) return;
    if (call.write(Buffer.concat(message))) return;
    await new Promise<void>((done) => {
      wake = done;
    });
  }

  function end(code: number): void {
    call.write(Buffer.concat(intField(1, code)));
    call.end();
  }
}

function readRequest(request: Buffer): { from: bigint; to: bigint | null } {
  const range = { from: 0n, to: 0n };
  visitWireFields(request, (number, _wireType, start) => {
    const value = BigInt.asUintN(64, readVarint64(request, start));
    if (number === 1) range.from = value;
    if (number === 2) range.to = value;
  });
  return { from: range.from, to: range.to === maxUint64 ? null : range.to };
}

/** A lie that only the next block's footer shows. */
export function withChangedItem(block: Buffer): Buffer {
  return rewrite(block, itemKinds.transactionResult, (content) => Buffer.concat([content, ...intField(11, 7n)]));
}

/** A block of a chain that does not go through the one before. */
export function withPreviousRoot(block: Buffer): Buffer {
  return rewrite(block, itemKinds.blockFooter, (content) =>
    blockMessages.footer.encode({
      ...blockMessages.footer.decode(content),
      previousBlockRootHash: Buffer.alloc(48, 7),
    }),
  );
}

/** Says that it is another block. */
export function withNumber(block: Buffer, number: bigint): Buffer {
  return rewrite(block, itemKinds.blockHeader, (content) =>
    // The last one of a repeated field counts.
    Buffer.concat([content, ...intField(3, number)]),
  );
}

function rewrite(block: Buffer, kind: number, change: (content: Buffer) => Buffer): Buffer {
  return writeBlock(
    splitBlock(block).map((item) => (item.kind === kind ? writeItem(kind, change(item.content)) : item)),
  );
}
