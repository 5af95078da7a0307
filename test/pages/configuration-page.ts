// docs/reference/configuration.md, written from the table of settings so that the page cannot go stale.

import type { CommandSetting } from '../../src/runtime/settings/families/commands.ts';
import { environmentName } from '../../src/runtime/settings/load-settings.ts';
import {
  describeSuccessor,
  type RemovedSettings,
  removedSettings,
} from '../../src/runtime/settings/removed-settings.ts';
import { settingsTable } from '../../src/runtime/settings/settings-table.ts';

/** Settings that the page as it was names, and that are neither in the table nor among the removed ones. */
export function findForgotten(page: string, removed: RemovedSettings = removedSettings): string[] {
  const named = [...page.matchAll(/^\| `--([\w-]+)/gm)].map(([, name]) => name!);
  return named.filter((name) => !Object.hasOwn(settingsTable, name) && !Object.hasOwn(removed, name));
}

/** The whole page as Markdown. */
export function formatConfigurationPage(removed: RemovedSettings = removedSettings): string {
  const rows = (Object.entries(settingsTable) as [string, CommandSetting][]).map(([name, setting]) => {
    const flag = `\`--${name}${setting.placeholder ? ` ${setting.placeholder.replaceAll('|', '\\|')}` : ''}\``;
    const variables = [environmentName(name), ...(setting.environment ? [setting.environment] : [])];
    const fallback = setting.defaultText ?? (setting.default === undefined ? '' : `\`${setting.default}\``);
    return `| ${flag} | ${variables.map((variable) => `\`${variable}\``).join(', ')} | ${fallback} | ${setting.commands.join(', ')} | ${setting.description.replaceAll('|', '\\|')} |`;
  });
  return `# Settings

Each setting can be given as a flag, as an environment variable, or as a member of \`ledger-mirror.config.json\` (the flag's
name without the dashes in front). A flag wins over the environment, the environment over the file. Switches are turned off
with \`--no-<name>\`.

| flag | environment | default | commands | meaning |
|---|---|---|---|---|
${rows.join('\n')}
${formatRemoved(removed)}`;
}

function formatRemoved(removed: RemovedSettings): string {
  const rows = Object.entries(removed).map(
    ([name, setting]) => `| \`--${name}\` | ${setting.since} | ${describeSuccessor(setting)} |`,
  );
  if (rows.length === 0) return '';
  return `
## Removed

Each is refused at the start.

| flag | since | instead |
|---|---|---|
${rows.join('\n')}
`;
}
