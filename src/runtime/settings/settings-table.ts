// The table of all settings. `--name`, `LEDGER_MIRROR_NAME` and the member `name` of ledger-mirror.config.json are the
// same setting; docs/reference/configuration.md is generated from this table.
import { answerSettings } from './families/answer-settings.ts';
import { callSettings } from './families/call-settings.ts';
import { databaseSettings } from './families/database-settings.ts';
import { doorSettings } from './families/door-settings.ts';
import { generalSettings } from './families/general-settings.ts';
import { listenerSettings } from './families/listener-settings.ts';
import { networkNameSettings } from './families/network-name-settings.ts';
import { simulationSettings } from './families/simulation-settings.ts';
import { statusSettings } from './families/status-settings.ts';
import { streamSettings } from './families/stream-settings.ts';
import { transferSettings } from './families/transfer-settings.ts';
import { verificationSettings } from './families/verification-settings.ts';

export const settingsTable = {
  ...generalSettings,
  ...listenerSettings,
  ...doorSettings,
  ...databaseSettings,
  ...streamSettings,
  ...networkNameSettings,
  ...transferSettings,
  ...answerSettings,
  ...callSettings,
  ...verificationSettings,
  ...statusSettings,
  ...simulationSettings,
};

export type SettingName = keyof typeof settingsTable;

/** The settings in groups, for help texts. */
export const settingGroups = [
  toGroup('General', generalSettings),
  toGroup('Place and database', { ...listenerSettings, ...databaseSettings }),
  toGroup('Other protocols', doorSettings),
  toGroup('Stream files', streamSettings),
  toGroup('Network', networkNameSettings),
  toGroup('Exports', transferSettings),
  toGroup('Answers', answerSettings),
  toGroup('Contract calls', callSettings),
  toGroup('Contract checks', verificationSettings),
  toGroup('Status', statusSettings),
  toGroup('Simulated network', simulationSettings),
];

function toGroup(title: string, settings: Partial<typeof settingsTable>): { title: string; names: SettingName[] } {
  return { title, names: Object.keys(settings) as SettingName[] };
}
