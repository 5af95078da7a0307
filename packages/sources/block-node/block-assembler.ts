// Assembles blocks from the messages of a stream. A message may hold a part of a block, a whole one, or the end of one
// and the beginning of the next; a block is whole when the node says so or when the next one begins. The node is not
// trusted: a block must have the number that is due and a bounded size.

import { toBigInt } from '../../protocol/hapi/hapi.ts';
import { StreamFileError } from '../../protocol/stream-file-error.ts';
import { visitWireFields, wireBytes } from '../../protocol/wire-fields.ts';
import { itemKinds } from '../../streams/block-stream/block-item.ts';
import { type BlockLimits, describeLimit } from '../../streams/block-stream/block-limits.ts';
import { blockMessages } from '../../streams/block-stream/block-messages.ts';

/** `parts`: as they came, each with whole items; joined they would be in memory twice. */
export type AssembledBlock = { number: bigint; parts: Buffer[] };

export type BlockAssembler = ReturnType<typeof createBlockAssembler>;

/** With more in a row, the node does not send what was asked for. */
const maxPassedOver = 100;

type Open = { number: bigint; parts: Buffer[]; sizeBytes: number; hasProof: boolean };

/** Blocks below `from` are skipped: a node may begin earlier, or repeat one. */
export function createBlockAssembler(from: bigint, limits: BlockLimits) {
  const { maxBlockBytes } = limits;
  let due = from;
  let open: Open | null = null;
  let passedOver = 0;

  function begin(header: Buffer): void {
    const number = BigInt.asUintN(64, toBigInt(blockMessages.header.decode(header).number));
    passedOver = number < due ? passedOver + 1 : 0;
    if (number > due || passedOver > maxPassedOver) {
      throw new StreamFileError('malformed', 'stream of blocks', `block ${due}`, `block ${number}`);
    }
    open = { number, parts: [], sizeBytes: 0, hasProof: false };
  }

  function append(part: Buffer): void {
    if (!open || part.length === 0) return;
    open.sizeBytes += part.length;
    if (open.sizeBytes > maxBlockBytes) {
      const expected = `at most ${describeLimit(maxBlockBytes, 'max-block-size')}`;
      throw new StreamFileError('tooLarge', `block ${open.number}`, expected, `${open.sizeBytes} bytes and more`);
    }
    // Nothing is kept of a skipped block.
    if (open.number === due) open.parts.push(part);
  }

  function end(): AssembledBlock | null {
    const ended = open;
    open = null;
    if (!ended || ended.number !== due) return null;
    if (!ended.hasProof)
      throw new StreamFileError('truncated', `block ${due}`, 'a block proof', 'the end of the block');
    due += 1n;
    return { number: ended.number, parts: ended.parts };
  }

  return {
    /** Number of the block that is due. */
    due: () => due,
    /** Blocks that these items complete. Throws StreamFileError if they cannot belong to the block that is due. */
    addItems(items: Buffer): AssembledBlock[] {
      const whole: AssembledBlock[] = [];
      let partStart = 0;
      let fieldStart = 0;
      visitWireFields(items, (field, wireType, start, fieldEnd) => {
        if (field !== 1 || wireType !== wireBytes) {
          throw new StreamFileError('malformed', 'set of block items', 'only block items', `field ${field}`);
        }
        const { kind, content } = firstField(items.subarray(start, fieldEnd));
        if (kind === itemKinds.blockHeader) {
          append(items.subarray(partStart, fieldStart));
          const ended = end();
          if (ended) whole.push(ended);
          begin(content);
          partStart = fieldStart;
        } else if (!open) {
          throw new StreamFileError('malformed', 'stream of blocks', 'a block header', `an item of kind ${kind}`);
        }
        if (kind === itemKinds.blockProof && open) open.hasProof = true;
        fieldStart = fieldEnd;
      });
      append(items.subarray(partStart));
      return whole;
    },
    /** The block that ends here; null for a skipped one. Throws StreamFileError. */
    endBlock(number: bigint): AssembledBlock | null {
      const current = open;
      if (!current && number < due) return null;
      if (current?.number !== number) {
        const found = current ? `of block ${current.number}` : 'no block';
        throw new StreamFileError('malformed', 'stream of blocks', `items of block ${number} before its end`, found);
      }
      return end();
    },
    /** At the end of the stream: the last block, if only the end-of-block message is missing. */
    endStream: () => (open?.hasProof ? end() : null),
  };
}

function firstField(item: Buffer): { kind: number; content: Buffer } {
  let kind = 0;
  let content = item.subarray(0, 0);
  visitWireFields(item, (number, wireType, start, end) => {
    if (kind !== 0) return;
    kind = number;
    if (wireType === wireBytes) content = item.subarray(start, end);
  });
  return { kind, content };
}
