// The status rules of one run: the ones of the program, with what the operator's file replaces.
import { readFileSync } from 'node:fs';
import { readStatusRules } from '../../status/read-status-rules.ts';
import { defaultStatusRules, type StatusRules } from '../../status/status-rules.ts';
import type { Settings } from '../settings/load-settings.ts';
import { UsageError } from '../settings/usage-error.ts';

export function loadStatusRules(settings: Settings): StatusRules {
  const path = settings.find('status-rules');
  if (path === undefined) return defaultStatusRules;
  try {
    return readStatusRules(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new UsageError(`The status rules ${path} cannot be used: the status rules ${(error as Error).message}`);
  }
}
