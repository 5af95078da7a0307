// The parameter `decode`, which the mirror node does not have.
import { flag } from '../../../api/reading/value/flag.ts';

export const decodeFlag = {
  ...flag('true adds what bytes say by the checked ABI of their contract, or of what it forwards to, as `decoded`.', {
    default: false,
  }),
  own: true,
};
