// A block node for tests: serves blocks over gRPC, cut into messages of any size, with one planned fault for each
// subscription. It serves its status on the same port or on another one, with or without ranges.

import { Server, ServerCredentials, type ServerWritableStream, status } from '@grpc/grpc-js';
import { readVarint64, visitWireFields } from '../../../packages/protocol/wire-fields.ts';
import { intField, messageField } from '../../../packages/protocol/wire-writer.ts';
import { writeBlock } from '../../../packages/simulated-network/formats/block-file.ts';
import { blockNodeMethods } from '../../../packages/sources/block-node/block-node-messages.ts';
import { itemKinds, splitBlock, writeItem } from '../../../packages/streams/block-stream/block-item.ts';
import { blockMessages } from '../../../packages/streams/block-stream/block-messages.ts';

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
  'endUnknown',
  'endSuccess',
  'endInvalidRequest',
  'endError',
  'endInvalidStart',
  'endInvalidEnd',
  'endNotAvailable',
  'endUnknownCode',
  'endWithoutStatus',
] as const;
export type BlockNodeFault = (typeof blockNodeFaults)[number];

/** `fault` occurs after so many whole blocks. */
export type PlannedFault = { fault: BlockNodeFault; after: number; onFault?(): void };

export type BlockNodeServerOptions = {
  /** Serialized, by number. */
  block(number: bigint): Buffer;
  /** null while it has none. */
  available(): { first: bigint; last: bigint } | null;
  /** Available blocks, if the status has only the first one. */
  ranges?(): { first: bigint; last: bigint }[];
  /** In the status; left out by default, as by older nodes. */
  nextExpected?(): bigint;
  /** The status is served on a second port, which serves nothing else. */
  hasStatusPort?: boolean;
  /** Called at the beginning of a subscription, and after a fault that does not end it. null = none. */
  nextFault?(): PlannedFault | null;
  /** Maximum of items in a message; whole blocks by default. */
  itemsPerMessage?: () => number;
  port?: number;
  tls?: { key: Buffer; cert: Buffer };
};

export type BlockNodeServer = {
  address: string;
  port: number;
  /** The same if it has no separate one. */
  statusPort: number;
  /** Requested ranges, in order. `to` null = without end. */
  requests: readonly Subscription[];
  close(): void;
};

type Subscription = { from: bigint; to: bigint | null };
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
  const { tls, port: wantedPort = 0 } = options;
  const requests: Subscription[] = [];
  const server = new Server({ 'grpc.max_send_message_length': -1 });
  const statusServer = options.hasStatusPort ? new Server() : server;
  server.addService(
    { subscribeBlockStream: method(blockNodeMethods.subscribeBlockStream, true) },
    {
      subscribeBlockStream(call: Call) {
        requests.push(readRequest(call.request));
        void serve(options, call);
      },
    },
  );
  type Answer = (error: null, message: Buffer) => void;
  statusServer.addService(
    {
      serverStatus: method(blockNodeMethods.serverStatus, false),
      serverStatusDetail: method(blockNodeMethods.serverStatusDetail, false),
    },
    {
      serverStatus: (_call: unknown, answer: Answer) => answer(null, writeStatus(options)),
      serverStatusDetail: (_call: unknown, answer: Answer) => answer(null, writeStatusDetail(options)),
    },
  );
  const listen = (one: Server, at: number): Promise<number> =>
    new Promise((done, fail) => {
      const serverCredentials = tls
        ? ServerCredentials.createSsl(null, [{ private_key: tls.key, cert_chain: tls.cert }])
        : ServerCredentials.createInsecure();
      one.bindAsync(`127.0.0.1:${at}`, serverCredentials, (error, bound) => (error ? fail(error) : done(bound)));
    });
  const port = await listen(server, wantedPort);
  const statusPort = statusServer === server ? port : await listen(statusServer, 0);
  const address = `${tls ? 'grpcs' : 'grpc'}://127.0.0.1:${port}`;
  return {
    address: statusPort === port ? address : `${address}?status=${statusPort}`,
    port,
    statusPort,
    requests,
    close() {
      for (const one of new Set([server, statusServer])) one.forceShutdown();
    },
  };
}

function writeStatus({ available, ranges, nextExpected }: BlockNodeServerOptions): Buffer {
  const { first, last } = available() ?? { first: maxUint64, last: maxUint64 };
  const fields = [intField(1, first), intField(2, ranges ? maxUint64 : last), intField(3, 1)];
  if (nextExpected) fields.push(intField(4, nextExpected()));
  return Buffer.concat(fields.flat());
}

/** With versions and a field of a later version around the ranges. */
function writeStatusDetail({ ranges }: BlockNodeServerOptions): Buffer {
  const version = messageField(1, [messageField(2, [intField(2, 39)])]);
  const available = (ranges?.() ?? []).map(({ first, last }) =>
    messageField(2, [intField(1, first), intField(2, last)]),
  );
  return Buffer.concat([version, ...available, messageField(77, [intField(1, 1)])].flat());
}

/** Numbers of SubscribeStreamResponse.Code. */
const endCodes: Partial<Record<BlockNodeFault, number>> = {
  endUnknown: 0,
  endSuccess: 1,
  endInvalidRequest: 2,
  endError: 3,
  endInvalidStart: 4,
  endInvalidEnd: 5,
  endNotAvailable: 6,
  endUnknownCode: 77,
};

/** Other faults that end a subscription. */
const endings: BlockNodeFault[] = ['breakOff', 'breakOffInBlock', 'stall', 'stallInBlock', 'endWithoutStatus'];

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
    // Not at the newest block: no successor would show that it is wrong.
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
    if (options.ranges?.().every(({ first, last }) => next < first || next > last)) return end(6);
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
    if (fault === 'endWithoutStatus') call.end();
    if (fault === 'breakOffInBlock' || fault === 'stallInBlock') {
      await write(messageField(2, [[writeBlock(splitBlock(good).slice(0, -1))]]));
    }
    if (fault === 'breakOff' || fault === 'breakOffInBlock') {
      call.emit('error', { code: status.UNAVAILABLE, details: 'the node goes down' });
    }
    if (code !== undefined || endings.includes(fault)) return 'over';
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
    // Also the code 0, which proto3 leaves out of other messages.
    call.write(Buffer.of(8, code));
    call.end();
  }
}

function readRequest(request: Buffer): Subscription {
  const range = { from: 0n, to: 0n };
  visitWireFields(request, (number, _wireType, start) => {
    const value = BigInt.asUintN(64, readVarint64(request, start));
    if (number === 1) range.from = value;
    if (number === 2) range.to = value;
  });
  return { from: range.from, to: range.to === maxUint64 ? null : range.to };
}

/** A change that only the next block's footer shows. */
export function withChangedItem(block: Buffer): Buffer {
  return rewrite(block, itemKinds.transactionResult, (content) => Buffer.concat([content, ...intField(11, 7n)]));
}

/** A block that does not follow the one before. */
export function withPreviousRoot(block: Buffer): Buffer {
  return rewrite(block, itemKinds.blockFooter, (content) =>
    blockMessages.footer.encode({
      ...blockMessages.footer.decode(content),
      previousBlockRootHash: Buffer.alloc(48, 7),
    }),
  );
}

/** With the number of another block. */
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
