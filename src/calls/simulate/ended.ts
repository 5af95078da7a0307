// How a simulation ends before its end.
import type { SimulationEnd, SimulationFault } from './simulation.ts';

export class Ended extends Error {
  readonly outcome: SimulationEnd;

  constructor(outcome: SimulationEnd) {
    super(outcome.kind);
    this.outcome = outcome;
  }
}

export function invalid(fault: SimulationFault, text: string): Ended {
  return new Ended({ kind: 'invalid', fault, text, gasUsed: 0 });
}
