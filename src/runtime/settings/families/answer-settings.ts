// What answers look like.

import { choice, integer, type Kind, setting } from '../../../../packages/kit/setting.ts';
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
  clock: integer(
    { unit: 'epoch seconds', min: 0, max: 9_999_999_999, defaultText: "the machine's clock" },
    'For tests: the time at which the clock starts that answers depend on.',
  ),
});
