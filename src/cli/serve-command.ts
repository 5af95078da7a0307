import type { Command } from './command.ts';

export const serveCommand: Command = {
  name: 'serve',
  summary: 'Answers queries from a database that holds a ledger.',
  description: `
Any number of them can run beside one "import" on the same DATABASE_URL. Without DATABASE_URL it starts the embedded
PostgreSQL of the data folder. With --read-only it answers from the database of a Hiero mirror node at
DATABASE_URL; the database user needs nothing but SELECT. With --workers several processes share the port; one that
dies is started again.

  ledger-mirror serve --data-dir ./mirror --dialect hiero`,
  run: async (context) => (await import('./run-serve-command.ts')).runServeCommand(context),
};
