// The newest block, as a mark of the moment that a statement saw: each block is one commit, so two statements with the
// same mark saw the same ledger.
import { expression } from './statement/columns.ts';

/** consensus_end of the newest block, ns; null before the first. */
export const lastBlockEnd = expression(
  'last_block_end',
  'int8',
  '(select consensus_end from record_file order by consensus_end desc limit 1)',
).nullable();
