// Conditions on a text.
import type { Operator } from './range.ts';

export type TextCondition = { operator: Operator; text: string };
