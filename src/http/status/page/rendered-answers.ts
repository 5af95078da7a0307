// Each body is rendered once for each state. Rendered for each of 650 requests a second, the formatters and texts of the pages
// took the process to 1.3 GB.
import type { StatusState } from '../../../status/status-state.ts';
import type { Answer } from '../../frame/route.ts';

export type RenderedAnswers = {
  /** @param make called where this state has not been asked for it yet; null = there is nothing there, which is not kept */
  find(address: string, make: (state: StatusState) => Answer | null): Answer | null;
};

/** Clients can ask for any number of addresses with a name in them. */
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
