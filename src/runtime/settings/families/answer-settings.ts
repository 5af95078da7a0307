// What answers look like.

import { choice, file, integer, type Kind, setting } from '../../../../packages/kit/setting.ts';
import { answerSettings as ofAnswers } from '../../../api/frame/http-settings.ts';
import { commandGroups, settingsOf } from './commands.ts';

const { serving } = commandGroups;

/** Where people can be reached, as security.txt names it (RFC 9116). */
const contact: Kind<string> = {
  placeholder: '<uri>',
  shape: 'mailto:…, https://… or tel:…',
  read: (given) => (/^(?:mailto:|https:\/\/|tel:)[\x21-\x7e]+$/i.test(given) ? given : null),
};

export const answerSettings = settingsOf(serving, {
  dialect: choice(
    { choices: ['spec', 'hiero'], default: 'spec' },
    'How /api/v1 answers: as the specification says, or byte for byte as the Hiero mirror node does. /spec/api/v1 and /hiero/api/v1 always answer their own way.',
  ),
  ...ofAnswers,
  'security-contact': setting(
    contact,
    {},
    'Where to report security problems of this service; shown at /.well-known/security.txt.',
  ),
  labels: file(
    {},
    'Names that pages show beside ids: JSON (a list of objects) or CSV (with a line of names), with account, name, and perhaps url and icon (an address, or the path of a picture). Read at the start; at most 4 MB and 50,000 names.',
  ),
  clock: integer(
    { unit: 'epoch seconds', min: 0, max: 9_999_999_999, defaultText: "the machine's clock" },
    'For tests: the time at which the clock starts that answers depend on.',
  ),
});
