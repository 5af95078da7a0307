// The token, and its NFT, in a path under tokens/{tokenId}.
import { idInPath } from '../../api/reading/value/entity-id.ts';
import { textInPath } from '../../api/reading/value/text-in-path.ts';
import { serialNumberText } from '../../api/reading/value/text-kinds.ts';

const token = { kind: 'token', refusedAs: 'tokenid', description: 'Id of the token.' };

export const tokenInPath = idInPath({ ...token, form: 'token' });
/** In the paths below it. */
export const tokenAbove = idInPath({ ...token, form: 'anyToken' });

export const serialNumberInPath = textInPath(serialNumberText, {
  refusedAs: 'serialnumber',
  description: 'Serial number of the NFT.',
  example: '1',
});
