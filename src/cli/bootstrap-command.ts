import type { Command } from './command.ts';

export const bootstrapCommand: Command = {
  name: 'bootstrap',
  summary: 'Fills an empty database from an export, so that the import goes on from its last block.',
  description: `
Loads how a network is without its past (--state), the past from a day on with it (--since), or everything (--minimal,
--full), from an export of a Hiero mirror node or of this program. Every file is checked against the manifest and loaded whole or
not at all. It can be killed at any time; the same command goes on. See docs/guides/bootstrap.md.

  ledger-mirror bootstrap --from gs://mirrornode-db-export/TESTNET/0.163.1 --network testnet --source-requester-pays --dry-run
  ledger-mirror bootstrap --from ./export --full --data-dir ./mirror`,
  flags: {
    from: {
      placeholder: '<folder|s3://...|gs://...>',
      description: 'Folder, or bucket with a prefix, that holds the export.',
    },
  },
  run: async (context) => (await import('./run-bootstrap-command.ts')).runBootstrapCommand(context),
};
