// Where rows are kept, and how the database is asked.
import { commandGroups } from '../command-groups.ts';
import { integerSetting, switchSetting, textSetting, urlSetting } from '../setting.ts';

const { storing, serving } = commandGroups;

export const databaseSettings = {
  'data-dir': textSetting({
    placeholder: '<folder>',
    description: 'Where the embedded PostgreSQL, the status service and the simulated network keep their files.',
    commands: [...storing, 'status', 'network'],
    default: './data',
  }),
  'database-url': urlSetting({
    schemes: ['postgres', 'postgresql'],
    placeholder: '<url>',
    description:
      'PostgreSQL 15 or later to use in place of the embedded one: postgres://user:password@host:port/database.',
    commands: storing,
    environment: 'DATABASE_URL',
    defaultText: 'the embedded PostgreSQL',
    secret: true,
  }),
  'statement-timeout': integerSetting({
    placeholder: '<s>',
    min: 1,
    max: 3600,
    description: 'How long a query may take in PostgreSQL; a request that needs longer gets status 503.',
    commands: serving,
    default: 20,
  }),
  'replica-urls': textSetting({
    placeholder: '<url,...>',
    description:
      'Replicas of the database that queries are answered from, in order of preference, each like --database-url: the first that answers and is not too far behind, else the database itself. See docs/guides/scale.md.',
    commands: ['serve', 'doctor'],
    defaultText: 'none',
    secret: true,
  }),
  'replica-max-lag': integerSetting({
    placeholder: '<s>',
    min: 1,
    max: 86_400,
    description: 'A replica whose newest block is this much older than that of the database is not asked.',
    commands: ['serve', 'doctor'],
    default: 10,
  }),
  'database-connections': integerSetting({
    min: 1,
    max: 50,
    description: 'Maximum number of concurrent queries; further ones wait for a free connection.',
    commands: serving,
    defaultText: 'two for each processor core, from 10 to 32',
  }),
  'answer-cache': integerSetting({
    placeholder: '<MB>',
    min: 0,
    max: 65_536,
    description:
      'Memory for answers that are kept for the next who asks the same, in MB. An answer is kept until the next block is committed and is never older than its Cache-Control says; 0 asks the database every time.',
    commands: serving,
    default: 64,
  }),
  'reader-role': textSetting({
    placeholder: '<name>',
    description:
      'Role of PostgreSQL that gets the right to read the tables, those of later versions too; made where it does not exist.',
    commands: ['migrate'],
    defaultText: 'none',
  }),
  distributed: switchSetting({
    description:
      'Spread the tables over the machines of a Citus cluster, with DATABASE_URL the address of its coordinator. It stays so; see docs/guides/scale.md.',
    commands: ['migrate'],
    default: false,
  }),
  'read-only': switchSetting({
    description:
      'Answer from a database that another program fills, for example a Hiero mirror node, and change nothing in it.',
    commands: ['serve', 'doctor'],
    default: false,
  }),
};
