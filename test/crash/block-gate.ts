// A gate in a database that holds an import up, in the middle of a transaction, at a block: so a test can kill it
// there, or anywhere before, however fast or slow the machine is. How far it is open is stored, and outlasts a kill of
// PostgreSQL.
import { vi } from 'vitest';
import { withClient } from '../../packages/postgres/wire/connect-client.ts';

export type BlockGate = {
  /** Blocks with lower numbers pass. */
  openTo(block: number): Promise<void>;
  /** How many blocks are stored. */
  stored(): Promise<number>;
  /** Waits until an import stands before the gate, or so many blocks are stored. */
  reached(blocks?: number): Promise<void>;
  /**
   * Waits until no import is connected any more: PostgreSQL notices the end of a killed one when it next speaks to it.
   */
  left(): Promise<void>;
  remove(): Promise<void>;
};

const made = `
create schema gate;
create table gate.place (block int8 not null);
insert into gate.place values (0);
create function gate.hold() returns trigger language plpgsql as $$
begin
  while new.index >= (select block from gate.place) loop perform pg_sleep(0.005); end loop;
  return new;
end $$;
create trigger gate before insert on record_file for each row execute function gate.hold()`;

const ofImport = `from pg_stat_activity where datname = current_database() and application_name = 'ledger-mirror writer'`;

const timeoutMs = 240_000;

/**
 * Shut from the first block on. @param address asked each time: a PostgreSQL that was killed may come back elsewhere
 */
export async function makeBlockGate(address: () => Promise<string>): Promise<BlockGate> {
  // A PostgreSQL that was killed is away for a while.
  const run = (statement: string): Promise<Record<string, number>[]> =>
    vi.waitFor(
      async () => withClient(await address(), 'test', async (client) => (await client.query(statement)).rows),
      { timeout: timeoutMs, interval: 20 },
    );
  const count = async (statement: string): Promise<number> =>
    (await run(`select count(*)::int4 as count ${statement}`))[0]!.count!;
  await run(made);
  const gate: BlockGate = {
    openTo: async (block) => void (await run(`update gate.place set block = ${block}`)),
    stored: () => count('from record_file'),
    async reached(blocks = Number.POSITIVE_INFINITY) {
      await vi.waitUntil(
        async () => (await count(`${ofImport} and wait_event = 'PgSleep'`)) > 0 || (await gate.stored()) >= blocks,
        { timeout: timeoutMs, interval: 5 },
      );
    },
    async left() {
      await vi.waitUntil(async () => (await count(ofImport)) === 0, { timeout: timeoutMs, interval: 5 });
    },
    remove: async () => void (await run('drop schema gate cascade')),
  };
  return gate;
}
