/**
 * Columns and tables that say how a run went, not what the ledger holds. Which signature covers a block depends on
 * where a run begins (docs/reference/block-proofs.md), and behind the head one is checked for several blocks.
 */
export const ofTheRun = {
  record_file: ['load_start', 'load_end'],
  block_verification: ['*'],
  block_proof: ['verified', 'reason'],
  // The first signature that was checked of a key.
  ledger_key: ['signs_from'],
  // Written by the command, before it imports.
  mirror_extent: ['*'],
  import_revision: ['*'],
  importer_state: ['*'],
  ledger_mirror_schema: ['*'],
  bootstrap_run: ['*'],
  bootstrap_file: ['*'],
  bootstrap_check: ['*'],
};

/** And those that say how blocks came: two mirrors of one ledger may differ there. */
export const ofTheWay = { ...ofTheRun, record_file: [...ofTheRun.record_file, 'size', 'name'] };
