// Names whoever has a log among those that took part in a contract's transaction: tokens get logs under a transaction from items
// that come after it in the block, and a mirror node's REST server shows the logs of those only that took part.
import type { Row } from '../../store/schema/tables.ts';
import type { BlockRows } from './block-rows.ts';

type Participation = Row<'contract_transaction'>;

/** To be called when all rows of the block are there. */
export function nameLogEmitters(rows: BlockRows): void {
  const logs = rows.inserted('contract_log');
  if (logs.length === 0) return;
  const byTime = new Map<bigint, Participation[]>();
  for (const row of rows.inserted('contract_transaction')) {
    const others = byTime.get(row.consensus_timestamp!);
    if (others) others.push(row);
    else byTime.set(row.consensus_timestamp!, [row]);
  }
  for (const { consensus_timestamp: time, contract_id: emitter } of logs) {
    const all = byTime.get(time!);
    // A log without a contract's transaction: the transfer of a token alone.
    if (!all || all.some(({ entity_id }) => entity_id === emitter)) continue;
    const [first] = all;
    all.push({ ...first!, entity_id: emitter! });
    const contractIds = all.map(({ entity_id }) => entity_id!);
    rows.insert('contract_transaction', all.at(-1)!);
    for (const row of all) Object.assign(row, { contract_ids: contractIds });
  }
}
