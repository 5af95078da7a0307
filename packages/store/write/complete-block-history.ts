// The tree over the roots of all blocks, as far as it is complete: a path from an old block to a newer one then needs
// few rows, however many blocks lie before. Lower nodes are made of the roots in record_file when they are asked for.
import type pg from 'pg';
import { historyLevel } from '../../streams/block-stream/block-history.ts';
import { hashNode } from '../../streams/block-stream/hash-tree.ts';
import { toCompleteNodes } from '../../streams/block-stream/tree-siblings.ts';

/** Of `historyLevel`, made at a time: a database that earlier versions filled gets them bit by bit. 0.6 s. */
const maxNodes = 1024n;

/** @param blocks number of blocks whose roots are settled */
export async function completeBlockHistory(client: pg.Client, blocks: bigint): Promise<void> {
  const end = blocks >> BigInt(historyLevel);
  const first = await findFirst(client);
  if (first === null) return;
  const last = end < first + maxNodes ? end : first + maxNodes;
  for (let place = first; place < last; place++) {
    const roots = await selectRoots(client, place);
    // A gap: nothing above it can be complete.
    if (roots === null) continue;
    await addNode(client, historyLevel, place, toCompleteNodes(roots).at(-1)![0]!);
  }
}

/** The place after the last node, or that of the first block; null = there is none. */
async function findFirst(client: pg.Client): Promise<bigint | null> {
  const { rows } = await client.query<{ first: string | null }>({
    name: 'first-history-node',
    text: `select coalesce(
  (select place + 1 from block_history_node where level = $1 order by place desc limit 1),
  (select (index + (1 << $1::int4) - 1) >> $1::int4 from record_file order by index limit 1))::text as first`,
    values: [historyLevel],
  });
  return rows[0]!.first === null ? null : BigInt(rows[0]!.first);
}

/** Of the blocks below a node; null if one is missing or unknown. */
async function selectRoots(client: pg.Client, place: bigint): Promise<Buffer[] | null> {
  const [from, count] = [place << BigInt(historyLevel), 1 << historyLevel];
  const { rows } = await client.query<{ root: Buffer | null }>({
    name: 'roots-below-history-node',
    text: `select case when version >= 7 then decode(hash, 'hex') else wrapped_record_block_hash end as root
from record_file where index >= $1 and index < $2 order by index`,
    values: [from, from + BigInt(count)],
  });
  const roots = rows.flatMap(({ root }) => (root === null ? [] : [root]));
  return roots.length === count ? roots : null;
}

/** And every node that it completes. */
async function addNode(client: pg.Client, level: number, place: bigint, hash: Buffer): Promise<void> {
  await client.query({
    name: 'add-history-node',
    text: 'insert into block_history_node (level, place, hash) values ($1, $2, $3) on conflict do nothing',
    values: [level, place, hash],
  });
  if (place % 2n === 0n) return;
  const { rows } = await client.query<{ hash: Buffer }>({
    name: 'select-history-node',
    text: 'select hash from block_history_node where level = $1 and place = $2',
    values: [level, place - 1n],
  });
  if (rows[0]) await addNode(client, level + 1, place >> 1n, hashNode(rows[0].hash, hash));
}
