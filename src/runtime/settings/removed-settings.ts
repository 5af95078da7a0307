// Settings that are gone. Each is refused wherever it is given, with what replaces it (docs/stability.md, How something
// is taken away). The page of settings cannot be written while a name of it is neither in the table nor here.
import type { SettingName } from './settings-table.ts';

/** `since`: the version that took it away. `instead`: the setting that replaces it, or a sentence where none does. */
export type RemovedSetting = {
  since: string;
  instead: SettingName | { sentence: string };
  /** A further environment variable that it was read from. */
  environment?: string;
};

export type RemovedSettings = Readonly<Record<string, RemovedSetting>>;

export const removedSettings: RemovedSettings = {};

/** What to do in its place, as the end of a sentence. */
export function describeSuccessor({ instead }: Pick<RemovedSetting, 'instead'>): string {
  return typeof instead === 'string' ? `use --${instead}` : instead.sentence;
}
