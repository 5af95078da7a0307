// What is read is made once for each state, however many read it: the bodies of all addresses until the state is another.
// Rendered for each of 650 requests a second, the formatters and texts of the pages took the process to 1.3 GB.
import type { StatusState } from '../../../status/status-state.ts';
import type { Answer } from '../../route.ts';

export type RenderedAnswers = {
  /** @param make called where this state has not been asked for it yet; null = there is nothing there, which is not kept */
  find(address: string, make: (state: StatusState) => Answer | null): Answer | null;
};

/** Addresses with a name in them are as many as a reader likes to ask for. */
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
