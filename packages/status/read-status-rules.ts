// The rules with an operator's values: `{ "timings": { "staleMs": 60000 }, "levels": { "api-slow": { "enterAt": 500 } }
// }`.
import { isJsonObject } from '../kit/is-json-object.ts';
import { defaultStatusRules, type StatusRules } from './status-rules.ts';

/** Throws an Error that completes "the status rules …" if the text is no such JSON. */
export function readStatusRules(text: string): StatusRules {
  const given = asObject(JSON.parse(text), 'must be a JSON object');
  const rules: StatusRules = {
    timings: { ...defaultStatusRules.timings },
    levels: { ...defaultStatusRules.levels },
  };
  for (const [part, values] of Object.entries(given)) {
    const content = asObject(values, `must have an object under "${part}"`);
    if (part === 'timings') replaceNumbers(rules.timings, content, 'timings');
    else if (part === 'levels') replaceLevels(rules, content);
    else throw new Error(`know "timings" and "levels", not "${part}"`);
  }
  return rules;
}

function replaceLevels({ levels }: StatusRules, given: Record<string, unknown>): void {
  for (const [name, values] of Object.entries(given)) {
    const rule = levels[name];
    if (!rule) throw new Error(`know ${Object.keys(levels).join(', ')}, not "${name}"`);
    levels[name] = { ...rule };
    replaceNumbers(levels[name], asObject(values, `must have an object under "${name}"`), name);
  }
}

function replaceNumbers(target: object, given: Record<string, unknown>, place: string): void {
  const numbers = target as Record<string, unknown>;
  for (const [name, value] of Object.entries(given)) {
    if (typeof numbers[name] !== 'number') throw new Error(`have no number "${name}" under "${place}"`);
    if (typeof value !== 'number' || !(value >= 0))
      throw new Error(`need a number of 0 or more for "${name}" of "${place}"`);
    numbers[name] = value;
  }
}

function asObject(value: unknown, sentence: string): Record<string, unknown> {
  if (isJsonObject(value)) return value;
  throw new Error(sentence);
}
