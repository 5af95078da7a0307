// The room for the embedded PostgreSQL.
import { statfsSync } from 'node:fs';
import type { Settings } from '../settings/load-settings.ts';

/** Free on the disk of its files; null of a database at an address, whose disk is not seen from here. */
export function findFreeBytes(settings: Pick<Settings, 'find' | 'get'>): bigint | null {
  if (settings.find('database-url') !== undefined) return null;
  const { bavail, bsize } = statfsSync(settings.get('data-dir'), { bigint: true });
  return bavail * bsize;
}
