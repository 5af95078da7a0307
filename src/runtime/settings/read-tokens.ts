// Settings of the form `name:token,…`: users with a secret each.
import type { SettingName } from './settings-table.ts';
import { UsageError } from './usage-error.ts';

const minLength = 16;

/** Token → name. */
export function readTokens(setting: SettingName, text: string | undefined): Map<string, string> {
  const tokens = new Map<string, string>();
  for (const entry of text === undefined ? [] : text.split(',')) {
    const [, name, token = ''] = /^([^:]+):(.*)$/.exec(entry.trim()) ?? [];
    if (name === undefined || token.length < minLength) {
      throw new UsageError(`${setting} must be name:token, with tokens of at least ${minLength} characters`);
    }
    tokens.set(token, name);
  }
  return tokens;
}
