import { examine } from '../runtime/doctor/examine.ts';
import type { Command } from './command.ts';

export const doctorCommand: Command = {
  name: 'doctor',
  summary: 'Checks whether the mirror can run here, and says what to do if it cannot.',
  description: `
Checks Node, the data folder, the database and its replicas, the port or the mirror that answers there (its workers, and
where they read), and, if given, the address book and the source.

  ledger-mirror network --output ./streams --blocks 100 --block-interval 0
  ledger-mirror doctor --source ./streams --address-book ./streams/addressbook.bin`,
  async run({ settings, print }) {
    let failed = 0;
    for await (const { name, ok, found, advice } of examine(settings)) {
      print(`${ok ? 'ok    ' : 'FAILED'} ${name}: ${found}${advice ? `. ${advice}` : ''}`);
      if (!ok) failed += 1;
    }
    print(failed === 0 ? 'Everything is in order.' : `${failed} of these must be fixed first.`);
    return failed === 0 ? 0 : 1;
  },
};
