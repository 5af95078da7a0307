// Parameters that name entities by id: in a query as conditions, in a path as the entity itself.

import { type Condition, emptyRange, type Operator, type Range, toRange } from '../../../../packages/kit/range.ts';
import { formatEntityId } from '../../../../packages/protocol/hapi/entity-id.ts';
import { refuse } from '../../../../packages/web-server/request-error.ts';
import { compared, everyOperator, several } from '../query/conditions.ts';
import type { Dialect } from '../query/dialect.ts';
import { type PathParameter, type QueryParameter, queryParameter } from '../query/parameter.ts';
import type { ValueCount } from '../query/query-form.ts';
import { type EntityReference, parseEntityReference } from './entity-reference.ts';

/** By kind of text, as the dialect reads it. */
type EntityForm = keyof Dialect['forms'];

export type EntityCondition = { operator: Operator; reference: EntityReference };

type ConditionOptions = {
  form: EntityForm;
  kind: string;
  /** Empty = no operator may be written. */
  accepts?: (dialect: Dialect) => readonly Operator[];
  most?: ValueCount['most'];
  /** Whether EVM addresses may have no operator other than `eq`. */
  exactAddresses?: boolean;
};

type RangeOptions = ConditionOptions & {
  /** Whether several exact ids are alternatives, among which one of nothing is ignored. */
  alternatives?: boolean;
};

/** Conditions on an id as one range. An opaque EVM address is the id of nothing. */
export function idRange(
  description: string,
  { alternatives = false, ...options }: RangeOptions,
): QueryParameter<Range> {
  const collect = (conditions: EntityCondition[]): Range => toIdRange(conditions, alternatives);
  return { ...entityConditions(description, options, collect), formatKey: formatEntityId };
}

export function accountRange(description: string, options: Partial<RangeOptions> = {}): QueryParameter<Range> {
  return idRange(description, { form: 'entity', kind: 'account', ...options });
}

export function tokenRange(description: string, options: Partial<RangeOptions> = {}): QueryParameter<Range> {
  return idRange(description, { form: 'numbered', kind: 'token', ...options });
}

/** Conditions as typed, for a caller that has to look some of them up. */
export function entityConditions<T>(
  description: string,
  { form, kind, accepts = () => everyOperator, exactAddresses = false, most }: ConditionOptions,
  collect: (conditions: EntityCondition[]) => T,
): QueryParameter<T> {
  return queryParameter({
    kind,
    repeatable: true,
    most,
    description,
    schema: (context) => several(compared(context.dialect.forms[form], accepts(context.dialect)), context),
    open({ dialect, settings }) {
      const pattern = dialect.forms[form];
      const accepted = accepts(dialect);
      return {
        read({ operator, text, raw }) {
          const isAccepted = accepted.length === 0 ? raw === text : accepted.includes(operator);
          if (!isAccepted || !pattern.test(text)) return undefined;
          if (exactAddresses && operator !== 'eq' && /[0-9A-Fa-f]{40}$/.test(text)) return undefined;
          const reference = parseEntityReference(text, settings.system);
          return dialect.invalidOutOfRange && reference.kind === 'outOfRange' ? undefined : { operator, reference };
        },
        collect,
      };
    },
  });
}

function toIdRange(conditions: readonly EntityCondition[], alternatives: boolean): Range {
  const ids: Condition[] = [];
  const unmatchable: Operator[] = [];
  for (const { operator, reference } of conditions) {
    if (reference.kind === 'id') ids.push({ operator, value: reference.id });
    else if (reference.kind === 'evmAddress' && !reference.foreign) unmatchable.push(operator);
    else throw refuse('invalidEntityId', { id: reference.padded });
  }
  const range = toRange(ids);
  if (unmatchable.length === 0) return range;
  const others = alternatives && range.equals.length > 0 && unmatchable.every((operator) => operator === 'eq');
  return others ? range : emptyRange;
}

type PathOptions = { form: EntityForm; kind: string; refusedAs: string; description: string };

/** An entity by its number, or a long-zero address if the form allows it. */
export function idInPath(options: PathOptions): PathParameter<bigint> {
  return {
    ...referenceInPath(options),
    read(text, { dialect, settings }) {
      const reference = dialect.forms[options.form].test(text)
        ? parseEntityReference(text, settings.system)
        : undefined;
      return reference?.kind === 'id' ? reference.id : undefined;
    },
  };
}

/** Any text of the form: an id, an EVM address, or an impossible id. */
export function referenceInPath({ form, kind, refusedAs, description }: PathOptions): PathParameter<EntityReference> {
  return {
    kind,
    description,
    example: '0.0.1001',
    form: ({ dialect }) => dialect.forms[form],
    read: (text, { dialect, settings }) =>
      dialect.forms[form].test(text) ? parseEntityReference(text, settings.system) : undefined,
    refuse: () => refuse('invalidParameter', { name: refusedAs }),
  };
}
