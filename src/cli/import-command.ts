import type { Command } from './command.ts';

export const importCommand: Command = {
  name: 'import',
  summary: 'Imports stream files into the database and follows new ones.',
  description: `
Every file is proved before a row of it is written: signatures of at least a third of the stake, hashes, hash chain,
sidecars. At a file that does not pass, the import says why and waits until the file is replaced; with --once it ends there.
It can be stopped or killed at any time and goes on from the last whole block. --health-port opens a port that tells
operators how it is doing.

  ledger-mirror network --output ./streams --blocks 100 --block-interval 0
  ledger-mirror import --once --source ./streams --address-book ./streams/addressbook.bin --data-dir ./mirror`,
  run: async (context) => (await import('./run-import-command.ts')).runImportCommand(context),
};
