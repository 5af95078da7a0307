// A client of block nodes that shares nothing with the mirror: the service as it is defined, written here a second
// time.
import { type Client, credentials, Metadata, makeClientConstructor } from '@grpc/grpc-js';
import protobuf from 'protobufjs';

const { root } = protobuf.parse(
  `syntax = "proto3";
package org.hiero.block.api;
message Empty {}
message Item { bytes header = 1; bytes transaction = 4; bytes result = 5; bytes proof = 9; bytes record = 10; bytes footer = 12; }
message Set { repeated Item block_items = 1; }
message Header { uint64 number = 3; }
message Range { uint64 range_start = 1; uint64 range_end = 2; }
message Status { uint64 first_available_block = 1; uint64 last_available_block = 2; bool only_latest_state = 3; uint64 next_expected_block = 4; }
message Version { int32 major = 1; int32 minor = 2; int32 patch = 3; }
message Versions { Version block_node_version = 2; }
message Detail { Versions version_information = 1; repeated Range available_ranges = 2; repeated Range stored_ranges = 5; }
message Asked { uint64 start_block_number = 1; uint64 end_block_number = 2; }
message End { uint64 block_number = 1; }
message Response { oneof response { int32 status = 1; bytes block_items = 2; End end_of_block = 3; } }
message BlockAsked { oneof block_specifier { uint64 block_number = 1; bool retrieve_latest = 2; } }
message BlockResponse { int32 status = 1; bytes block = 2; }`,
  { keepCase: true },
);

type FollowedBlock = { number: string; bytes: Buffer; messages: number };

const codes = ['UNKNOWN', 'SUCCESS', 'INVALID_REQUEST', 'ERROR', 'INVALID_START', 'INVALID_END', 'NOT_AVAILABLE'];
export const endless = '18446744073709551615';

export function openBlockNodeClient(address: string, certificate?: Buffer) {
  const type = (name: string) => root.lookupType(`org.hiero.block.api.${name}`);
  const method = (path: string, asked: string, answer: string, responseStream = false) => ({
    ...{ path: `/org.hiero.block.api.${path}`, requestStream: false, responseStream },
    requestSerialize: (value: object) => Buffer.from(type(asked).encode(type(asked).fromObject(value)).finish()),
    requestDeserialize: (bytes: Buffer) => bytes,
    responseSerialize: (bytes: Buffer) => bytes,
    responseDeserialize: (bytes: Buffer) => type(answer).decode(bytes),
  });
  const made = new (makeClientConstructor(
    {
      serverStatus: method('BlockNodeService/serverStatus', 'Empty', 'Status'),
      serverStatusDetail: method('BlockNodeService/serverStatusDetail', 'Empty', 'Detail'),
      subscribeBlockStream: method('BlockStreamSubscribeService/subscribeBlockStream', 'Asked', 'Response', true),
      getBlock: method('BlockAccessService/getBlock', 'BlockAsked', 'BlockResponse'),
    },
    'BlockNode',
  ))(address, certificate ? credentials.createSsl(certificate) : credentials.createInsecure(), {
    'grpc.use_local_subchannel_pool': 1,
    'grpc.max_receive_message_length': -1,
  });
  // biome-ignore lint/suspicious/noExplicitAny: grpc-js types methods by their names only where they are generated.
  const client = made as any;

  const ask = (name: string, asked: object): Promise<Record<string, unknown>> =>
    new Promise((done, fail) =>
      client[name](asked, new Metadata(), (error: Error | null, answer: object) =>
        error ? fail(error) : done(answer as Record<string, unknown>),
      ),
    );

  return {
    async status() {
      const answer = await ask('serverStatus', {});
      return [answer.first_available_block, answer.last_available_block, answer.next_expected_block].map(String);
    },
    async ranges() {
      const { available_ranges: ranges, version_information: version } = (await ask('serverStatusDetail', {})) as {
        available_ranges: { range_start: unknown; range_end: unknown }[];
        version_information: { block_node_version: object };
      };
      return {
        ranges: ranges.map((one) => `${one.range_start}-${one.range_end}`),
        version: version.block_node_version,
      };
    },
    async block(asked: object): Promise<{ status: number; block: Buffer }> {
      const { status, block } = await ask('getBlock', asked);
      return { status: status as number, block: Buffer.from(block as Uint8Array) };
    },
    /** `ended`: the status that came last, or the code of gRPC. */
    subscribe(start: string | number, end: string | number) {
      const call = client.subscribeBlockStream({ start_block_number: start, end_block_number: end });
      const blocks: FollowedBlock[] = [];
      let parts: Buffer[] = [];
      let status: string | null = null;
      call.on('data', (message: { status: number; block_items: Buffer; end_of_block?: { block_number: unknown } }) => {
        if (status !== null) throw new Error('something follows the status');
        if (Object.hasOwn(message, 'status')) status = codes[message.status] ?? `${message.status}`;
        else if (message.end_of_block) {
          blocks.push({
            number: `${message.end_of_block.block_number}`,
            bytes: Buffer.concat(parts),
            messages: parts.length,
          });
          parts = [];
        } else parts.push(Buffer.from(message.block_items));
      });
      const ended = new Promise<string>((done) => {
        call.on('error', ({ code }: { code: number }) => done(`gRPC ${code}`));
        call.on('end', () => done(status ?? 'no status'));
      });
      return {
        blocks,
        ended,
        numbers: () => blocks.map(({ number }) => Number(number)),
        /** Of a block that has no end yet. */
        rest: () => parts,
        cancel: () => call.cancel(),
      };
    },
    close: () => (made as Client).close(),
  };
}

type Item = { header: Uint8Array; transaction: Uint8Array; result: Uint8Array; proof: Uint8Array };

export function readItems(block: Buffer): Item[] {
  return (root.lookupType('org.hiero.block.api.Set').decode(block) as unknown as { block_items: Item[] }).block_items;
}

export function readNumber(header: Uint8Array): string {
  return `${(root.lookupType('org.hiero.block.api.Header').decode(header) as unknown as { number: unknown }).number}`;
}
