// docs/reference/configuration.md, written from the table of settings so that the page cannot go stale.

import type { CommandSetting } from '../../src/runtime/settings/families/commands.ts';
import { environmentName } from '../../src/runtime/settings/load-settings.ts';
import { settingsTable } from '../../src/runtime/settings/settings-table.ts';

/** The whole page as Markdown. */
export function formatConfigurationPage(): string {
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
`;
}
