// Filters of calls as text: `<log|reject|throttle>[:<rate>[:<limit>]] [<field><=|~><text>[|…]]`, with `;` between them.
import { type CallCondition, type CallFilter, filterFields } from '../../../calls/throttle/call-filters.ts';

export const callFiltersShape =
  'rules such as "reject data~095ea7b3; throttle:5 from=0x…|to=0x…", with log, reject or throttle, a rate of at most 100, and the fields block, data, estimate, from, gas, to, value';

const maxRate = 100;
const rule = /^(log|reject|throttle)(?::(\d{1,3})(?::(\d{1,15}))?)?(?:\s+(\S.*))?$/;
const condition = /^(\w+)([=~])(\S+)$/;

/** null: not of this form. */
export function readCallFilters(text: string): CallFilter[] | null {
  const filters = text.split(';').map((part) => readFilter(part.trim()));
  return filters.every((filter) => filter !== null) ? filters : null;
}

function readFilter(text: string): CallFilter | null {
  const [, action, rate, limit, list] = rule.exec(text) ?? [];
  if (action === undefined || Number(rate ?? 0) > maxRate) return null;
  const conditions = list === undefined ? [] : list.split('|').map((part) => readCondition(part.trim()));
  if (!conditions.every((one) => one !== null)) return null;
  return {
    action: action as CallFilter['action'],
    rate: rate === undefined ? maxRate : Number(rate),
    limit: limit === undefined ? Number.POSITIVE_INFINITY : Number(limit),
    conditions,
  };
}

function readCondition(text: string): CallCondition | null {
  const [, name, sign, value] = condition.exec(text) ?? [];
  const field = filterFields.find((one) => one === name);
  if (field === undefined) return null;
  return { field, isWhole: sign === '=', text: value!.toLowerCase().replace(/^0x/, '') };
}
