// What can go wrong with a block node, as a table: what gRPC or the node reports, in words, and what an operator can
// do.
import { status } from '@grpc/grpc-js';
import { describeLimit } from '../../streams/block-stream/block-limits.ts';
import type { BlockNodeAddress } from '../source-places.ts';
import { StreamSourceError } from '../stream-source.ts';
import { type AvailableBlocks, describeRanges } from './available-blocks.ts';
import type { StreamEnd } from './block-node-messages.ts';

type Explained = { found: string; advice: string };

const checkAddress = 'Check host, port and that the node runs; the port of block nodes is 40840 unless changed';
const askOperator = 'Ask the operator of the node, or name another one';

/** By gRPC status code. */
const grpcProblems: Readonly<Partial<Record<number, Explained>>> = {
  [status.UNAVAILABLE]: tell('cannot be reached, or broke off', checkAddress),
  [status.DEADLINE_EXCEEDED]: tell('does not answer in time', checkAddress),
  [status.UNIMPLEMENTED]: tell(
    'answers, but is no block node',
    'Name the port on which the block node serves its blocks and its status (40840 unless changed), or both where they are two: grpc://<host>:40980?status=40982',
  ),
  [status.RESOURCE_EXHAUSTED]: tell('has too many subscribers'),
  [status.UNAUTHENTICATED]: tell('requires authentication'),
  [status.PERMISSION_DENIED]: tell('refuses'),
  [status.INTERNAL]: tell(
    'answers with something other than gRPC, or failed',
    'Check that the address leads to a block node, and whether it requires TLS (grpcs://)',
  ),
};

/** By the reason why a stream ended before the block that is due. */
const endProblems: Readonly<Partial<Record<StreamEnd, Explained>>> = {
  'no status': tell('ended the stream before the block that is due'),
  // Set by a defective node.
  UNKNOWN: tell('ended the stream without saying why'),
  SUCCESS: tell('ended the stream before the block that is due'),
  INVALID_REQUEST: tell('says that the request is invalid'),
  ERROR: tell('says that it failed'),
  INVALID_START_BLOCK_NUMBER: tell(
    'does not begin at the block that is due',
    'Name a node, or a folder, that has this block',
  ),
  INVALID_END_BLOCK_NUMBER: tell('refuses the end that was asked for'),
  NOT_AVAILABLE: tell(
    'does not have the block that is due',
    'Wait until it has, or name a node or a folder that has this block',
  ),
};
/** After these the node is asked again. */
const passingEnds: readonly StreamEnd[] = ['no status', 'UNKNOWN', 'SUCCESS', 'ERROR', 'NOT_AVAILABLE'];

function tell(found: string, advice = askOperator): Explained {
  return { found, advice };
}

/** There is no connection, or it was lost. */
export class BlockNodeAwayError extends StreamSourceError {}

/** grpc-js's text for a message that is refused before it is read. */
const tooLarge = /^Received message (?:larger than max|that decompresses to a size larger)/;

/** What gRPC itself reports about one call. */
export function grpcFailed(
  address: BlockNodeAddress,
  { code, details }: { code: number; details: string },
  maxMessageBytes: number,
): StreamSourceError {
  if (code === status.RESOURCE_EXHAUSTED && tooLarge.test(details)) {
    const max = describeLimit(maxMessageBytes, 'max-message-size');
    return blockNodeFailed(
      address,
      `sends a message of more than ${max} (${details})`,
      'Raise that, or name another one',
    );
  }
  const { found, advice } = grpcProblems[code] ?? tell('failed');
  const failure = blockNodeFailed(address, `${found} (${status[code] ?? code}: ${details})`, advice);
  return code === status.UNAVAILABLE
    ? new BlockNodeAwayError(failure.code, failure.location, failure.message)
    : failure;
}

/** Whether the same request may succeed after a pause. */
export function isAskedAgain(end: StreamEnd | BlockNodeAwayError): boolean {
  return end instanceof BlockNodeAwayError || passingEnds.includes(end);
}

/** @param endsInRow how many streams ended so, one after the other, without a block */
export function streamEnded(
  address: BlockNodeAddress,
  end: StreamEnd,
  due: bigint,
  endsInRow: number,
): StreamSourceError {
  const { found, advice } = endProblems[end] ?? tell('ended the stream');
  const often = endsInRow > 1 ? `, ${endsInRow} times in a row` : '';
  return blockNodeFailed(address, `${found} (${end}, block ${due})${often}`, advice);
}

/** @param due null: any block would do */
export function blockNodeLacks(
  address: BlockNodeAddress,
  due: bigint | null,
  { ranges, nextExpected }: AvailableBlocks,
): StreamSourceError {
  const last = ranges.at(-1)?.last;
  const expects =
    nextExpected === null || nextExpected === (last ?? -1n) + 1n ? '' : `, expects block ${nextExpected} next`;
  const wanted = due === null ? '' : `, and block ${due} is due`;
  if (last === undefined) {
    return blockNodeFailed(address, `has no blocks yet${expects}${wanted}`, 'Wait until it has, or name another one');
  }
  const advice =
    due !== null && due < last
      ? 'Name a node, or a folder, that has this block'
      : 'Wait until it has, or name another one';
  return blockNodeFailed(address, `has ${describeRanges(ranges)}${expects}${wanted}`, advice);
}

export function blockNodeFailed(address: BlockNodeAddress, found: string, advice = askOperator): StreamSourceError {
  return new StreamSourceError('unavailable', address.name, `${address.name} ${found}. ${advice}`);
}
