// The calls of a block node, over gRPC. A message is read only when it is asked for; until then it waits in the node's
// buffers, however fast the node sends. Every failure is a StreamSourceError.
import { createSecureContext } from 'node:tls';
import { Channel, credentials, Metadata, type StatusObject, status } from '@grpc/grpc-js';
import type { BlockNodeAddress, BlockNodeEndpoint } from '../source-places.ts';
import { type AvailableBlocks, mergeRanges } from './available-blocks.ts';
import { blockNodeFailed, grpcFailed } from './block-node-error.ts';
import {
  blockNodeMethods,
  decodeStatusDetailResponse,
  decodeStatusResponse,
  decodeSubscribeResponse,
  encodeSubscribeRequest,
  type SubscribeResponse,
  serverStatusRequest,
} from './block-node-messages.ts';

export type BlockNodeClient = ReturnType<typeof createBlockNodeClient>;

/** Flow-control window, bytes; the default of HTTP/2, 64 KiB, gives 0.6 MB/s over 100 ms. */
const windowSize = 4 * 1024 * 1024;

/** @param maxMessageBytes nodes send sets of items of a few MiB, and a large item alone */
export function createBlockNodeClient(address: BlockNodeAddress, maxMessageBytes: number) {
  const channel = openChannel(address.subscription, maxMessageBytes);
  const statusChannel =
    address.status === address.subscription ? channel : openChannel(address.status, maxMessageBytes);
  const underWay = new Set<{ cancel(): void }>();

  function start(from: Channel, method: string, request: Buffer, deadline: number) {
    const call = startCall(from, method, request, deadline);
    const cancel = (): void => {
      underWay.delete(call);
      call.cancel();
    };
    underWay.add(call);
    return { read: call.read, cancel };
  }

  async function ask<T>(method: string, decode: (answer: Buffer) => T, deadline: number): Promise<T> {
    const call = start(statusChannel, method, serverStatusRequest, deadline);
    const answer = await mapErrors(call.read()).finally(call.cancel);
    if (!answer) throw blockNodeFailed(address, 'gives no status');
    return decoded(() => decode(answer));
  }

  return {
    /** Connects if needed. */
    async available(timeoutMs: number): Promise<AvailableBlocks> {
      const deadline = Date.now() + timeoutMs;
      const { first, last, nextExpected } = await ask(blockNodeMethods.serverStatus, decodeStatusResponse, deadline);
      if (first === null && last === null) return { ranges: [], nextExpected };
      const ranges =
        first !== null && last !== null
          ? [{ first, last }]
          : await ask(blockNodeMethods.serverStatusDetail, decodeStatusDetailResponse, deadline);
      // No other number can be stored.
      const odd = ranges.find((range) => range.first > range.last || range.last >= 2n ** 63n);
      if (odd) throw blockNodeFailed(address, `says that it has the blocks ${odd.first} to ${odd.last}`);
      return { ranges: mergeRanges(ranges), nextExpected };
    },
    /** `to` null: without end. */
    subscribe(range: { from: bigint; to: bigint | null }) {
      const call = start(
        channel,
        blockNodeMethods.subscribeBlockStream,
        encodeSubscribeRequest(range),
        Number.POSITIVE_INFINITY,
      );
      let reading: Promise<Buffer | null> | null = null;
      return {
        /** 'nothing' when no message came within this time; null at the end. The wait can be resumed. */
        async next(timeoutMs: number): Promise<SubscribeResponse | 'nothing' | null> {
          reading ??= call.read();
          const message = await within(reading, timeoutMs);
          if (message === 'nothing') return message;
          reading = null;
          if (message === null) return message;
          return decoded(() => decodeSubscribeResponse(message));
        },
        cancel: call.cancel,
      };
    },
    /** Ends running calls. */
    close(): void {
      // Closing a channel does not end its calls.
      for (const call of underWay) call.cancel();
      channel.close();
      if (statusChannel !== channel) statusChannel.close();
    },
  };

  async function mapErrors<T>(answer: Promise<T>): Promise<T> {
    return answer.catch((failure: CallFailure) => {
      throw grpcFailed(address, failure, maxMessageBytes);
    });
  }

  async function within(reading: Promise<Buffer | null>, timeoutMs: number): Promise<Buffer | 'nothing' | null> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<'nothing'>((done) => {
      timer = setTimeout(done, timeoutMs, 'nothing');
    });
    try {
      return await mapErrors(Promise.race([reading, late]));
    } finally {
      clearTimeout(timer);
    }
  }

  function decoded<T>(decode: () => T): T {
    try {
      return decode();
    } catch (error) {
      throw blockNodeFailed(address, `sends a message that cannot be decoded (${(error as Error).message})`);
    }
  }
}

function openChannel({ target, isSecure, authority }: BlockNodeEndpoint, maxMessageBytes: number): Channel {
  return new Channel(
    target,
    // Trusts what Node trusts, NODE_EXTRA_CA_CERTS included; gRPC alone would use only Node's built-in authorities.
    isSecure ? credentials.createFromSecureContext(createSecureContext()) : credentials.createInsecure(),
    {
      ...(authority === undefined ? {} : authorityOptions(authority)),
      'grpc.max_receive_message_length': maxMessageBytes,
      'grpc-node.flow_control_window': windowSize,
      'grpc.primary_user_agent': 'ledger-mirror',
      // The caller decides what to do after a failure; a new client is a new connection.
      'grpc.enable_retries': 0,
      'grpc.use_local_subchannel_pool': 1,
      'grpc.service_config_disable_resolution': 1,
    },
  );
}

function authorityOptions(authority: string) {
  const host = authority.replace(/:\d+$/, '');
  return { 'grpc.default_authority': authority, 'grpc.ssl_target_name_override': host };
}

type CallFailure = { code: number; details: string };

// Not with `Client`: its streams read 16 messages ahead, of up to 160 MiB each.
function startCall(channel: Channel, method: string, request: Buffer, deadline: number) {
  const call = channel.createCall(method, deadline, null, null, null);
  let waiting: PromiseWithResolvers<Buffer | null> | null = null;
  let ended: CallFailure | null = null;

  function settle(): void {
    if (!ended || !waiting) return;
    if (ended.code === status.OK) waiting.resolve(null);
    else waiting.reject(ended);
    waiting = null;
  }

  call.start(new Metadata(), {
    onReceiveMetadata() {},
    onReceiveMessage(message: Buffer) {
      waiting?.resolve(message);
      waiting = null;
    },
    onReceiveStatus({ code, details }: StatusObject) {
      ended = { code, details };
      settle();
    },
  });
  call.sendMessageWithContext({}, request);
  call.halfClose();
  return {
    /** The next message, null at the end; rejects with a CallFailure. One at a time. */
    read(): Promise<Buffer | null> {
      const reading = Promise.withResolvers<Buffer | null>();
      waiting = reading;
      // A rejection after the last wait has no receiver.
      reading.promise.catch(() => {});
      if (ended) settle();
      else call.startRead();
      return reading.promise;
    },
    cancel: () => call.cancelWithStatus(status.CANCELLED, 'no longer needed'),
  };
}
