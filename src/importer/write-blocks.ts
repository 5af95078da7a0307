// Writes blocks; if the database refuses one, the error names the file, the block and the next step.
import type { WritableChanges } from '../../packages/store/write/block-changes.ts';
import type { BlockWriter } from '../../packages/store/write/block-writer.ts';
import { isDatabaseOutage } from './database-outage.ts';
import { mergeBlockChanges } from './rows/merge-block-changes.ts';
import { dropRepeatedRows } from './rows/unique-rows.ts';

export type WrittenBlock = { name: string; number: bigint };

export type BlockToWrite = { block: WrittenBlock; changes: WritableChanges };

/** The cause keeps the database's own error. */
class BlockWriteError extends Error {
  /** @param subject what could not be written */
  constructor(subject: string, cause: Error) {
    const { code, table } = cause as Error & { code?: string; table?: string };
    const where = table && !cause.message.includes(table) ? ` (table ${table})` : '';
    super(`${subject} could not be written: ${cause.message.replace(/\.$/, '')}${where}. ${nextStep(cause, code)}`, {
      cause,
    });
    this.name = 'BlockWriteError';
  }
}

const subjectOf = ({ name, number }: WrittenBlock): string => `${name}: block ${number}`;

/**
 * In one database transaction, or, if it is refused for its content, in one each. Throws BlockWriteError.
 * @param onWritten once for each block in order, with what was left out of it
 */
export async function writeBlocks<Block extends BlockToWrite>(
  writer: Pick<BlockWriter, 'writeBlock'>,
  blocks: readonly Block[],
  onWritten: (block: Block, leftOut: string[]) => void,
): Promise<void> {
  if (blocks.length > 1 && (await areWrittenAtOnce(writer, blocks))) for (const block of blocks) onWritten(block, []);
  else for (const block of blocks) onWritten(block, await writeBlock(writer, block));
}

/** Resolves with whether there is more to do between blocks; throws BlockWriteError. */
export async function advanceScans(writer: BlockWriter): Promise<boolean> {
  try {
    return await writer.advanceScans();
  } catch (error) {
    throw new BlockWriteError('Balances or rewards as of an earlier block', error as Error);
  }
}

async function areWrittenAtOnce(
  writer: Pick<BlockWriter, 'writeBlock'>,
  blocks: readonly BlockToWrite[],
): Promise<boolean> {
  try {
    await writer.writeBlock(mergeBlockChanges(blocks.map(({ changes }) => changes)));
    return true;
  } catch (error) {
    if (isDatabaseOutage(error)) throw new BlockWriteError(subjectOf(blocks[0]!.block), error as Error);
    return false;
  }
}

/** Resolves with what was left out of the block; throws BlockWriteError. */
async function writeBlock(
  writer: Pick<BlockWriter, 'writeBlock'>,
  { block, changes }: BlockToWrite,
): Promise<string[]> {
  try {
    await writer.writeBlock(changes);
    return [];
  } catch (error) {
    if ((error as { code?: string }).code !== uniqueViolation)
      throw new BlockWriteError(subjectOf(block), error as Error);
    const unique = dropRepeatedRows(changes);
    if (unique.dropped.size === 0) throw new BlockWriteError(subjectOf(block), error as Error);
    await writer.writeBlock(unique.changes).catch((again: Error) => {
      throw new BlockWriteError(subjectOf(block), again);
    });
    return [...unique.dropped].map(
      ([table, count]) =>
        `${count} ${count === 1 ? 'row' : 'rows'} of ${table} repeated a key of the block; the last one of each was kept`,
    );
  }
}

const uniqueViolation = '23505';

/** By SQLSTATE or its class: what an operator can do. */
const nextSteps: readonly (readonly [RegExp, string])[] = [
  [/^53100$|^ENOSPC$/, 'Free space on the disk of the database; the import goes on with this block.'],
  [
    /^23505$/,
    'The database holds rows of this moment that are not from this file: it was filled from another network or by another program. Import into an empty database.',
  ],
  [/^(42501|28)/, 'Give the role of --database-url the right to write to these tables, and start again.'],
  [
    /^42/,
    'The tables differ from those that this version makes. Run "ledger-mirror migrate", or import into an empty database.',
  ],
  [/^25006$/, 'This server only reads (a standby?). Name the primary in --database-url, and start again.'],
];

const defectStep =
  'This is a defect of this program: please report it with this line. Everything before this block is stored.';

const outageStep = 'Check that PostgreSQL runs and has room; the import goes on with this block.';

function nextStep(cause: Error, code: string | undefined): string {
  const known = nextSteps.find(([codes]) => code !== undefined && codes.test(code))?.[1];
  return known ?? (isDatabaseOutage(cause) ? outageStep : defectStep);
}
