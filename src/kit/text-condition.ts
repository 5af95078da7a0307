// Conditions on a text, each by itself.
import type { Operator } from './range.ts';

export type TextCondition = { operator: Operator; text: string };
