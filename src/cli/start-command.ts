import type { Command } from './command.ts';

export const startCommand: Command = {
  name: 'start',
  summary: 'Runs everything in one process: database, import, and answers on one port.',
  description: `
Without --source it runs and mirrors a small simulated network, so that every endpoint has data at
once. With --source it imports those files, follows new ones, and answers queries meanwhile.

  ledger-mirror start

With stream files of your own, here of a simulated network:

  ledger-mirror network --output ./streams --blocks 100 --block-interval 0
  ledger-mirror start --source ./streams --address-book ./streams/addressbook.bin --data-dir ./mirror`,
  run: async (context) => (await import('./run-start-command.ts')).runStartCommand(context),
};
