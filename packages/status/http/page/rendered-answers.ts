// Each body is rendered once for each state. Rendered for each of 650 requests a second, the formatters and texts of
// the pages took 1.3 GB of memory.

import type { Answer } from '../../../web-server/route.ts';
import type { StatusState } from '../../status-state.ts';

export type RenderedAnswers = {
  /** @param make called if this state was not rendered yet; null = not found, which is not cached */
  find(address: string, make: (state: StatusState) => Answer | null): Answer | null;
};

/** Clients can request any number of addresses with a name in them. */
const maxKept = 500;

export function createRenderedAnswers(state: () => StatusState): RenderedAnswers {
  let rendered: StatusState | null = null;
  const answers = new Map<string, Answer>();
  return {
    find(address, make) {
      const shown = state();
      if (shown !== rendered) {
        answers.clear();
        rendered = shown;
      }
      const known = answers.get(address);
      if (known) return known;
      const made = make(shown);
      if (made !== null && answers.size < maxKept) answers.set(address, made);
      return made;
    },
  };
}
