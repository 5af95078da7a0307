// Commands that share many settings.
import type { CommandName } from './setting.ts';

export const commandGroups = {
  storing: ['start', 'import', 'serve', 'migrate', 'doctor'],
  reading: ['start', 'import', 'verify', 'doctor'],
  importing: ['start', 'import'],
  serving: ['start', 'serve'],
  reporting: ['start', 'serve', 'status'],
  simulating: ['start', 'network'],
} satisfies Record<string, readonly CommandName[]>;
