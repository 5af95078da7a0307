// Columns and tables that say how blocks came, not what is in them: two mirrors of one ledger may differ there.
export const ofTheWay = {
  record_file: ['load_start', 'load_end', 'size', 'name'],
  // Behind the head one signature is checked for several blocks.
  block_verification: ['*'],
  block_proof: ['verified', 'reason'],
  // Written by the command, before it imports.
  mirror_extent: ['*'],
  import_revision: ['*'],
  importer_state: ['*'],
  ledger_mirror_schema: ['*'],
};
