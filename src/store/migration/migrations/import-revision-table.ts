// Statements of the migration "import revisions". Frozen, as all migrations are.

const firstWithHooks = `(select extract(epoch from installed_at) from ledger_mirror_schema where name = 'hooks and registrations')`;

export const importRevisionTable: readonly string[] = [
  `create table import_revision (
  after int8 primary key,
  revision int4 not null,
  blocks_revision int4
)`,
  // What is stored was imported by earlier versions: some of it, perhaps, before they knew hooks.
  `insert into import_revision (after, revision)
select -1, case when exists (select from record_file where load_end < ${firstWithHooks}) then 0 else 1 end
where exists (select from record_file)`,
  `insert into import_revision (after, revision)
select max(consensus_end), 1 from record_file where load_end < ${firstWithHooks} having count(*) > 0`,
];
