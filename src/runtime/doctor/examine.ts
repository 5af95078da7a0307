// What `doctor` checks before anything is started: one question after the other, each with the finding and, if it
// fails, what to do about it.
import type { Settings } from '../settings/load-settings.ts';
import { examineAddressBook } from './examine-address-book.ts';
import { examineDataFolder } from './examine-data-folder.ts';
import { examineDatabase } from './examine-database.ts';
import { examineDoors } from './examine-doors.ts';
import { examinePort } from './examine-port.ts';
import { examineReplicas } from './examine-replicas.ts';
import { examineSource } from './examine-source.ts';
import { FailedCheck } from './failed-check.ts';

export type Finding = { name: string; ok: boolean; found: string; advice?: string };

/** All questions, or those of these names, in order; a failure does not stop the next. */
export async function* examine(settings: Settings, names = Object.keys(questions)): AsyncGenerator<Finding> {
  for (const name of names) {
    const question = questions[name]!;
    try {
      const found = await question(settings);
      if (found !== null) yield { name, ok: true, found };
    } catch (error) {
      if (error instanceof FailedCheck) yield { name, ok: false, found: error.message, advice: error.advice };
      else yield { name, ok: false, found: (error as Error).message };
    }
  }
}

/** Each returns the finding, or null if it does not apply. */
const questions: Record<string, (settings: Settings) => Promise<string | null>> = {
  async Node() {
    const major = Number(process.versions.node.split('.')[0]);
    if (major < 24) throw new FailedCheck(process.version, 'Run it with npm start, which brings its own Node 24.');
    return process.version;
  },
  'data folder': examineDataFolder,
  database: examineDatabase,
  replicas: examineReplicas,
  port: examinePort,
  doors: examineDoors,
  'address book': examineAddressBook,
  source: examineSource,
};
