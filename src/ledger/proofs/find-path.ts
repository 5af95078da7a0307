// From the root of a block to one that the network has signed: step by step through the blocks between them, or at once
// through the history of the later one, whichever is shorter. Every step is computed, and must lead to the root that is
// stored.

import type { Database } from '../../../packages/postgres/wire/database.ts';
import { sha384Length } from '../../../packages/protocol/sha384.ts';
import {
  type BlockPathRow,
  type StoredUnit,
  selectBlockPaths,
  selectBlockRoots,
  selectHistoryNodes,
} from '../../../packages/store/read/select-proof-parts.ts';
import { historyLevel } from '../../../packages/streams/block-stream/block-history.ts';
import { foldBlockPath } from '../../../packages/streams/block-stream/block-root.ts';
import { hashNode } from '../../../packages/streams/block-stream/hash-tree.ts';
import {
  foldSiblings,
  joinNodes,
  planSiblings,
  type Sibling,
  type TreePlace,
} from '../../../packages/streams/block-stream/tree-siblings.ts';
import type { BlockPath } from '../../../packages/streams/stream/stream-block.ts';
import { toSide } from './make-block-document.ts';
import type { Step } from './proof-document.ts';

/**
 * Blocks between one and the signed one; more only as one step through the history. As many as the check of a state
 * proof allows.
 */
const maxSteps = 1024n;
/** Hashes of a step beside those of the history. */
const hashesOfStep = 5;

/** null = what leads there is not stored. */
export async function findPath(db: Database, from: StoredUnit, to: StoredUnit): Promise<Step[] | null> {
  if (from.number === to.number) return [];
  const steps = to.number - from.number;
  const history = planSiblings(from.number, to.number);
  const isShorter = steps * BigInt(hashesOfStep) > BigInt(history.length + hashesOfStep);
  const ways = [() => findSteps(db, from, to), () => findHistoryStep(db, from, to)];
  for (const way of isShorter ? ways.reverse() : ways) {
    const found = await way();
    if (found) return found;
  }
  return null;
}

async function findSteps(db: Database, from: StoredUnit, to: StoredUnit): Promise<Step[] | null> {
  if (to.number - from.number > maxSteps) return null;
  const rows = await selectBlockPaths(db, from.number + 1n, to.number);
  if (BigInt(rows.length) !== to.number - from.number) return null;
  return orNull(rows.map(toStep));
}

/** Through this block, from the root before it. */
function toStep(row: BlockPathRow): Step | null {
  const form = formOf(row);
  if (form === null) return null;
  const { timeLeaf, siblings } = toBlockPath(row);
  return { from: 'previous', siblings: siblings.slice(0, siblingsOf[form]).map(hex), timeLeaf: hex(timeLeaf) };
}

async function findHistoryStep(db: Database, from: StoredUnit, to: StoredUnit): Promise<Step[] | null> {
  const [row] = await selectBlockPaths(db, to.number, to.number);
  const form = row ? formOf(row) : null;
  const root = rootOf(from);
  if (!row || form === null || root === null) return null;
  const history = await findHistory(db, from.number, to.number);
  const { timeLeaf, siblings } = toBlockPath(row);
  const [allBefore, ...above] = siblings.slice(0, siblingsOf[form]);
  // The tree of a network may begin later than its blocks.
  if (!history || !foldSiblings(root, history).equals(allBefore!)) return null;
  const step: Step = {
    from: 'history',
    history: history.map(toSide),
    siblings: [row.previousHash, ...above.map(hex)],
    timeLeaf: hex(timeLeaf),
  };
  return [step];
}

/** The siblings of a block in the tree over all blocks before another; null = some are not stored. */
async function findHistory(db: Database, number: bigint, count: bigint): Promise<Sibling[] | null> {
  const plan = planSiblings(number, count);
  const parts = plan.flatMap((sibling) => sibling.parts);
  const high = parts.filter(({ level }) => level >= historyLevel);
  const low = parts.filter(({ level }) => level < historyLevel);
  const known = new Map<string, Buffer>();
  if (high.length > 0) {
    for (const { level, place, hash } of await selectHistoryNodes(db, high)) known.set(nameOf({ level, place }), hash);
  }
  // All of them lie beside the block, or after the last complete node.
  for (const [first, end] of spansOf(low)) {
    for (const { number: place, root } of await selectBlockRoots(db, first, end)) {
      if (root) known.set(nameOf({ level: 0, place }), root);
    }
  }
  const nodeAt = (at: TreePlace): Buffer | null => {
    const found = known.get(nameOf(at));
    if (found || at.level === 0 || at.level >= historyLevel) return found ?? null;
    const [left, right] = [0n, 1n].map((side) => nodeAt({ level: at.level - 1, place: at.place * 2n + side }));
    return left && right ? hashNode(left, right) : null;
  };
  const siblings = plan.map(({ side, parts: nodes }): Sibling | null => {
    const hashes = orNull(nodes.map(nodeAt));
    if (!hashes) return null;
    const joined = joinNodes(nodes, (at) => hashes[nodes.indexOf(at)]!);
    return side === 'left' ? { left: joined } : { right: joined };
  });
  return orNull(siblings);
}

/** Blocks below these nodes, as few spans as there are of neighbours in 2^level. */
function spansOf(nodes: readonly TreePlace[]): [bigint, bigint][] {
  const spans = new Map<bigint, [bigint, bigint]>();
  for (const { level, place } of nodes) {
    const [first, end] = [place << BigInt(level), (place + 1n) << BigInt(level)];
    const group = first >> BigInt(historyLevel);
    const known = spans.get(group) ?? [first, end];
    spans.set(group, [first < known[0] ? first : known[0], end > known[1] ? end : known[1]]);
  }
  return [...spans.values()];
}

const nameOf = ({ level, place }: TreePlace): string => `${level}/${place}`;

/** null: it is not known. */
export function rootOf({ version, hash, wrappedRoot }: StoredUnit): Buffer | null {
  return version >= blockStreamVersion ? Buffer.from(hash, 'hex') : wrappedRoot;
}

export const blockStreamVersion = 7;

const siblingsOf = { sixteen: 4, eight: 3 } as const;

/** null: neither leads to the root that is stored. */
function formOf(row: BlockPathRow): 'sixteen' | 'eight' | null {
  const { sixteen, eight } = foldBlockPath(Buffer.from(row.previousHash, 'hex'), toBlockPath(row));
  if (hex(sixteen) === row.hash) return 'sixteen';
  return hex(eight) === row.hash ? 'eight' : null;
}

function toBlockPath({ timeLeaf, siblings }: BlockPathRow): BlockPath {
  const count = siblings.length / sha384Length;
  return {
    timeLeaf,
    siblings: Array.from({ length: count }, (_, at) => siblings.subarray(at * sha384Length, (at + 1) * sha384Length)),
  };
}

const hex = (bytes: Buffer): string => bytes.toString('hex');

function orNull<T>(values: readonly (T | null)[]): T[] | null {
  return values.includes(null) ? null : (values as T[]);
}
