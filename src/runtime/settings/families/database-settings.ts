// Where rows are stored, and how the database is asked.
import { integer, onOff, text, url } from '../../../../packages/kit/setting.ts';
import { commandGroups, settingsOf } from './commands.ts';

const { storing, serving } = commandGroups;

export const databaseSettings = {
  ...settingsOf([...storing, 'status', 'network'], {
    'data-dir': text(
      { placeholder: '<folder>', default: './data' },
      'Where the embedded PostgreSQL, the status service and the simulated network keep their files.',
    ),
  }),
  ...settingsOf(storing, {
    'database-url': url(
      {
        schemes: ['postgres', 'postgresql'],
        example: 'postgres://user:password@host:port/database',
        environment: 'DATABASE_URL',
        defaultText: 'the embedded PostgreSQL',
        secret: true,
      },
      'PostgreSQL 15 or later to use in place of the embedded one: postgres://user:password@host:port/database.',
    ),
  }),
  ...settingsOf(serving, {
    'statement-timeout': integer(
      { unit: 's', min: 1, max: 3600, default: 20 },
      'How long a query may take in PostgreSQL; a request that needs longer gets status 503.',
    ),
  }),
  ...settingsOf(['serve', 'doctor'], {
    'replica-urls': text(
      { placeholder: '<url,...>', secret: true },
      'Replicas of the database that queries are answered from, in order of preference, each like --database-url: the first that answers and is not too far behind, else the database itself. See docs/guides/scale.md.',
    ),
    'replica-max-lag': integer(
      { unit: 's', min: 1, max: 86_400, default: 10 },
      'A replica whose newest block is this much older than that of the database is not asked.',
    ),
  }),
  ...settingsOf(serving, {
    'database-connections': integer(
      { min: 1, max: 50, defaultText: 'two for each processor core, from 10 to 32' },
      'Maximum number of concurrent queries; further ones wait for a free connection.',
    ),
    'answer-cache': integer(
      { unit: 'MB', min: 0, max: 65_536, default: 64 },
      'Memory for cached answers, in MB. An answer is kept until the next block is committed and is never older than its Cache-Control says; 0 asks the database every time.',
    ),
  }),
  ...settingsOf(['migrate'], {
    'reader-role': text(
      { placeholder: '<name>' },
      'Role of PostgreSQL that gets the right to read the tables, those of later versions too; made where it does not exist.',
    ),
    compact: onOff(
      { default: false },
      'Store what transactions moved once, of all but the last day: a third fewer bytes for transfers, the same answers. The form stays; run it again from time to time, beside the mirror. See docs/guides/operate.md.',
    ),
    distributed: onOff(
      { default: false },
      'Spread the tables over the machines of a Citus cluster, with DATABASE_URL the address of its coordinator. It stays so; see docs/guides/scale.md.',
    ),
  }),
  ...settingsOf(['serve', 'doctor'], {
    'read-only': onOff(
      { default: false },
      'Answer from a database that another program fills, for example a Hiero mirror node, and change nothing in it.',
    ),
  }),
};
