// What can go wrong with a block node, as a table: what gRPC or the node says, in words, and what an operator can do about it.
import { status } from '@grpc/grpc-js';
import { describeLimit } from '../../protocol/block-stream/block-limits.ts';
import { StreamSourceError } from '../stream-source.ts';
import type { BlockNodeAddress } from './block-node-address.ts';
import type { StreamEndCode } from './block-node-messages.ts';

type Told = { found: string; advice: string };

const checkAddress = 'Check host, port and that the node runs; the port of block nodes is 40840 unless changed';
const askOperator = 'Ask the operator of the node, or name another one';

/** By gRPC status code. */
const grpcProblems: Readonly<Partial<Record<number, Told>>> = {
  [status.UNAVAILABLE]: { found: 'cannot be reached, or broke off', advice: checkAddress },
  [status.DEADLINE_EXCEEDED]: { found: 'does not answer in time', advice: checkAddress },
  [status.UNIMPLEMENTED]: {
    found: 'answers, but is no block node',
    advice: 'Name the port on which the block node serves its blocks and its status (40840 unless changed)',
  },
  [status.RESOURCE_EXHAUSTED]: {
    found: 'has too many subscribers',
    advice: askOperator,
  },
  [status.UNAUTHENTICATED]: { found: 'wants to know who asks', advice: askOperator },
  [status.PERMISSION_DENIED]: { found: 'refuses', advice: askOperator },
  [status.INTERNAL]: {
    found: 'answers with something else than gRPC, or failed',
    advice: 'Check that the address leads to a block node, and whether it wants TLS (grpcs://)',
  },
};

/** By the code that ends a stream. */
const endProblems: Readonly<Partial<Record<StreamEndCode, Told>>> = {
  INVALID_REQUEST: { found: 'says that the request is invalid', advice: askOperator },
  ERROR: { found: 'says that it failed', advice: askOperator },
  INVALID_START_BLOCK_NUMBER: {
    found: 'does not begin at the block that is due',
    advice: 'Name a node, or a folder, that has this block',
  },
  INVALID_END_BLOCK_NUMBER: { found: 'refuses the end that was asked for', advice: askOperator },
  NOT_AVAILABLE: {
    found: 'has not the block that is due',
    advice: 'Wait until it has, or name a node or a folder that has this block',
  },
};

/** As grpc-js says it of a message that is refused before it is read. */
const tooLarge = /^Received message (?:larger than max|that decompresses to a size larger)/;

/** What gRPC itself says about one call. */
export function grpcFailed(
  address: BlockNodeAddress,
  { code, details }: { code: number; details: string },
  maxMessageBytes: number,
) {
  if (code === status.RESOURCE_EXHAUSTED && tooLarge.test(details)) {
    const most = describeLimit(maxMessageBytes, 'max-message-size');
    return blockNodeFailed(
      address,
      `sends a message of more than ${most} (${details})`,
      'Raise that, or name another one',
    );
  }
  const { found, advice } = grpcProblems[code] ?? { found: 'failed', advice: askOperator };
  return blockNodeFailed(address, `${found} (${status[code] ?? code}: ${details})`, advice);
}

export function streamEnded(address: BlockNodeAddress, code: StreamEndCode, due: bigint): StreamSourceError {
  const { found, advice } = endProblems[code] ?? { found: 'ended the stream', advice: askOperator };
  return blockNodeFailed(address, `${found} (${code}, block ${due})`, advice);
}

export function blockNodeFailed(address: BlockNodeAddress, found: string, advice = askOperator): StreamSourceError {
  return new StreamSourceError('unavailable', address.name, `${address.name} ${found}. ${advice}`);
}
