// A test double of Citus: functions and views with its names, in a separate schema, that record the calls and refuse
// the tables that Citus refuses. Rows are not distributed: it shows which statements are run, and that a database with
// the changed keys works, not that a cluster does. Machines can be lost, with the errors of Citus at a commit.
import { runOn } from '../../../packages/test-support/postgres/scratch-server.ts';

export type CitusStandInOptions = { workers?: number };

export async function addCitusStandIn(
  connectionString: string,
  { workers = 1 }: CitusStandInOptions = {},
): Promise<void> {
  const database = new URL(connectionString.replace('@/', '@localhost/')).pathname.slice(1);
  for (const statement of statements) await runOn(connectionString, statement);
  await runOn(
    connectionString,
    `insert into citus_stand_in.pg_dist_node select i, true, true from generate_series(1, ${workers}) i`,
  );
  await runOn(connectionString, `alter database "${database}" set search_path = public, citus_stand_in`);
}

/**
 * `away`: commits fail, and so do queries to the machine. `commit`: it misses the next commit, which is valid all the
 * same, and keeps its part prepared until recovery. `stuck`: as `commit`, and recovery is not allowed.
 */
export async function loseMachine(connectionString: string, lost: 'none' | 'away' | 'commit' | 'stuck'): Promise<void> {
  await runOn(connectionString, watchCommits);
  await runOn(connectionString, `update citus_stand_in.lost set what = '${lost}'`);
}

/** Every block has a row of this table. */
const watchCommits = `do $$ begin
  if not exists (select from pg_trigger where tgname = 'at_commit') then
    create constraint trigger at_commit after insert on record_file deferrable initially deferred
      for each row execute function citus_stand_in.at_commit();
  end if;
end $$`;

/** What Citus itself does once a minute. */
export const recoverMachine = `update citus_stand_in.lost set prepared = 0`;

const statements = [
  'create schema citus_stand_in',
  'create table citus_stand_in.pg_dist_node (nodeid int, isactive bool, shouldhaveshards bool)',
  `create table citus_stand_in.lost (what text, prepared int, asked int)`,
  `insert into citus_stand_in.lost values ('none', 0, 0)`,
  `create function citus_stand_in.run_command_on_workers(
  command text, parallel bool default true, out nodename text, out nodeport int, out success bool, out result text)
returns setof record language sql as $$
  select 'worker-' || nodeid, 5432, l.what <> 'away' or nodeid > 1, case
    when l.what = 'away' and nodeid = 1 then 'connection to the remote node worker-1:5432 failed'
    when command like '%pg_prepared_xacts%' then case when nodeid = 1 then l.prepared else 0 end::text
    else '1' end
  from citus_stand_in.pg_dist_node, citus_stand_in.lost l order by nodeid $$`,
  `create function citus_stand_in.recover_prepared_transactions() returns int language plpgsql as $$
begin
  if exists (select from citus_stand_in.lost where what = 'stuck') then
    raise 'permission denied for function recover_prepared_transactions' using errcode = '42501';
  end if;
  update citus_stand_in.lost set prepared = 0, asked = asked + 1;
  return 1;
end $$`,
  `create function citus_stand_in.at_commit() returns trigger language plpgsql as $$
declare
  its_way text;
begin
  select what into its_way from citus_stand_in.lost;
  if its_way = 'away' then
    raise 'failure on connection marked as essential: worker-1:5432' using errcode = 'XX000';
  elsif its_way = 'commit' or its_way = 'stuck' then
    raise warning 'failed to commit transaction on worker-1:5432';
    update citus_stand_in.lost set prepared = 1, what = case what when 'commit' then 'none' else what end;
  end if;
  return null;
end $$`,
  `create table citus_stand_in.placed (
  place serial, table_name regclass primary key, citus_table_type text, distribution_column text, colocation_id int)`,
  'create view citus_stand_in.citus_tables as select table_name, citus_table_type, distribution_column from citus_stand_in.placed',
  'create view citus_stand_in.pg_dist_partition as select table_name as logicalrelid, colocation_id as colocationid from citus_stand_in.placed',
  `create function citus_stand_in.create_distributed_table(
  table_name regclass, distribution_column text, distribution_type text default 'hash',
  colocate_with text default 'default', shard_count int default null) returns void language plpgsql as $$
declare
  its_group int;
  key_name text;
  is_null bool;
begin
  select i.indexrelid::regclass::text into key_name from pg_index i where i.indrelid = table_name and i.indisunique
    and not exists (select 1 from pg_attribute a where a.attrelid = table_name and a.attname = distribution_column and a.attnum = any(i.indkey));
  if key_name is not null then
    raise 'cannot create constraint on "%"', table_name using detail = format(
      'Distributed relations cannot have UNIQUE, EXCLUDE, or PRIMARY KEY constraints that do not include the partition column (%s)', key_name);
  end if;
  execute format('select exists (select 1 from %s where %I is null)', table_name, distribution_column) into is_null;
  if is_null then raise 'the partition column of table "%" cannot be NULL', table_name; end if;
  if colocate_with = 'none' then
    select coalesce(max(colocation_id), 0) + 1 into its_group from citus_stand_in.placed;
  else
    select p.colocation_id into its_group from citus_stand_in.placed p
      join pg_attribute a on a.attrelid = p.table_name and a.attname = p.distribution_column
      join pg_attribute b on b.attrelid = create_distributed_table.table_name and b.attname = create_distributed_table.distribution_column
        and b.atttypid = a.atttypid
      where p.table_name = colocate_with::regclass;
    if its_group is null then raise 'cannot colocate tables % and %', colocate_with, table_name; end if;
  end if;
  insert into citus_stand_in.placed (table_name, citus_table_type, distribution_column, colocation_id)
    values (table_name, 'distributed', distribution_column, its_group);
end $$`,
  `create function citus_stand_in.create_reference_table(table_name regclass) returns void language sql as $$
  insert into citus_stand_in.placed (table_name, citus_table_type) values ($1, 'reference') $$`,
  `create function citus_stand_in.citus_add_local_table_to_metadata(table_name regclass, cascade_via_foreign_keys bool default false)
returns void language sql as $$ insert into citus_stand_in.placed (table_name, citus_table_type) values ($1, 'local') $$`,
];
