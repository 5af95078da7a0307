import type { Command } from './command.ts';

export const exportCommand: Command = {
  name: 'export',
  summary: 'Writes an export of the database, for "bootstrap" of another mirror.',
  description: `
All tables at one block, as compressed CSV with a manifest of sizes and hashes, while the mirror goes on. The format is that of the
exports of Hiero mirror nodes (docs/reference/exports.md). It can be killed at any time; the same command goes on.

  ledger-mirror export --to ./export --data-dir ./mirror
  ledger-mirror export --to s3://our-bucket/ledger/2026-01 --state`,
  run: async (context) => (await import('./run-export-command.ts')).runExportCommand(context),
};
