// What is loaded from an export of a database, and what is written to one.
import { integer, type Kind, onOff, setting, text } from '../../../../packages/kit/setting.ts';
import { settingsOf } from './commands.ts';

/** The first moment of a day, ns. */
const day: Kind<bigint> = {
  placeholder: '<date>',
  shape: 'a day such as 2026-01-31',
  read(given) {
    const milliseconds = /^\d{4}-\d\d-\d\d$/.test(given) ? Date.parse(`${given}T00:00:00Z`) : Number.NaN;
    // Date.parse reads the 31st of a month with 30 days as the next day.
    const isDay = milliseconds >= 0 && new Date(milliseconds).toISOString().startsWith(given);
    return isDay ? BigInt(milliseconds) * 1_000_000n : null;
  },
};

export const transferSettings = {
  ...settingsOf(['bootstrap', 'export'], {
    state: onOff(
      { default: false },
      'Only how things are at the last block: accounts, tokens, NFTs, allowances, contracts with code and storage, topics, schedules, nodes, balances; no history. bootstrap does so unless another choice is made, export writes everything without it.',
    ),
  }),
  ...settingsOf(['bootstrap'], {
    since: setting(day, {}, 'Load state, and the history from this day (UTC) on.'),
    minimal: onOff(
      { default: false },
      'Load everything but the files whose names end in _atma, messages and transactions of one large application.',
    ),
    full: onOff({ default: false }, 'Load everything.'),
    'dry-run': onOff(
      { default: false },
      'Say what would be loaded, how much room and time it takes, and load nothing.',
    ),
    'max-row-size': integer(
      { unit: 'MiB', min: 1, max: 512, default: 64 },
      'Largest row of a file of the export, as CSV; a file with a larger one is refused before PostgreSQL has it. Files of the stream that a mirror kept (kept_stream_file) may have 256 MiB in any case.',
    ),
    accept: onOff({ default: false }, 'Let the import go on although a check of the loaded rows does not hold.'),
  }),
  ...settingsOf(['export'], {
    to: text(
      { placeholder: '<folder|s3://...>' },
      'Empty folder, or bucket with a prefix, that the export is written to. The settings --source-endpoint, --source-region and --source-timeout hold for it.',
    ),
    plain: onOff(
      { default: false },
      'Leave out tables and columns that a Hiero mirror node does not have, so that its own tool can load the export.',
    ),
  }),
};
