import { limitHeapGrowth } from '../runtime/limit-heap-growth.ts';
import { openStore } from '../runtime/open-store.ts';
import { runImport } from '../runtime/run-import.ts';
import type { Command } from './command.ts';
import { countText } from './count-text.ts';
import { createImportProgressText } from './import-progress-text.ts';
import { createProgressLine } from './progress-line.ts';

export const importCommand: Command = {
  name: 'import',
  summary: 'Imports stream files into the database, and goes on with new ones as they come.',
  description: `
Every file is proved before a row of it is written: signatures of at least a third of the stake, hashes, hash chain,
sidecars. At a file that does not pass the import stops and says why. It can be stopped or killed at any time and goes on
from the last whole block.

  ledger-mirror import --once --source ./streams --address-book ./0.0.102.bin --data-dir ./mirror`,
  async run({ settings, log, shutdown, print }) {
    // A backlog makes much that lives as long as its block: collecting more often would cost a tenth of the speed.
    limitHeapGrowth(100);
    const sourcePath = settings.get('source');
    const store = await openStore({ settings, log, signal: shutdown.signal });
    const line = createProgressLine({ stream: process.stderr });
    const format = createImportProgressText();
    try {
      const { blocks, transactions, problems } = await runImport({
        connectionString: store.connectionString,
        sourcePath,
        addressBookPath: settings.find('address-book'),
        live: !settings.get('once'),
        startBlockNumber: settings.get('start-block'),
        log,
        signal: shutdown.signal,
        onProgress: (progress) => line.update(format(progress)),
      });
      line.end();
      print(
        `Imported ${countText(blocks, 'block')} with ${countText(transactions, 'transaction')}${problems > 0 ? `; ${countText(problems, 'problem')}` : ''}.`,
      );
      return 0;
    } finally {
      line.end();
      await store.close();
    }
  },
};
