// Which forms of a statement a cluster of Citus refuses, told from its text. The rules are those that were found by
// running statements on a real cluster of a coordinator and two workers (Citus 13.2.2 on PostgreSQL 15); run-cluster.ts
// runs those of the program there, the tests run without one. Knows the SQL that this program writes, not all of SQL.
import type { Placement } from '../../packages/schema/table.ts';
import { describedTable } from '../../packages/schema/tables.ts';

/**
 * One select: between brackets, between two unions, or the whole. `text`: what is in brackets inside of it is left out.
 * `isValue`: it stands for a value in the select list of the one around it.
 */
type Block = { text: string; outer: Block | null; isValue: boolean; relations: Relation[]; names: Set<string> };
/** `isTarget`: rows are inserted into it; it is joined to nothing. */
type Relation = { table: string; alias: string; isTarget: boolean; placement: Placement | undefined };

/** Sentences; none where it can be run. */
export function judgeStatement(text: string): string[] {
  const sql = text.replaceAll(/\s+/g, ' ').replaceAll(/"(\w+)"/g, '$1');
  const blocks = blocksOf(sql);
  const faults = blocks.flatMap(judgeFunctions);
  const distributed = blocks.flatMap(({ relations }) => relations.filter(({ placement }) => isSpread(placement)));
  if (distributed.length === 0) return faults;
  for (const [, table, key] of sql.matchAll(/insert into (\w+) .*?on conflict \(([^)]*)\)/g)) {
    const placement = describedTable(table!)?.placement;
    if (placement?.kind === 'distributed' && !key!.split(/, ?/).includes(placement.by)) {
      faults.push(`on conflict of ${table} without ${placement.by}`);
    }
  }
  for (const [, table, assigned] of sql.matchAll(/update (\w+)(?: \w+)? set (.*?)(?: from | where |$)/g)) {
    const placement = describedTable(table!)?.placement;
    if (placement?.kind === 'distributed' && new RegExp(`(^|, )${placement.by} =`).test(assigned!)) {
      faults.push(`${table}.${placement.by} is changed`);
    }
  }
  // As a value of the rows of one table it tells the order within a shard.
  const isRead = distributed.length === 1 && /^ ?select\b/.test(sql);
  if (/\btableoid\b/.test(sql) || (!isRead && /\bctid\b/.test(sql))) {
    faults.push('names the place of a row, which is one of a shard');
  }
  if (/\bcreate (temp|trigger|rule)/.test(sql)) faults.push('makes what Citus does not spread');
  if (isOfOneShard(blocks)) return faults;
  if (/\bwith recursive\b/.test(sql)) faults.push('recursive over distributed tables');
  const writes = /^ ?(with .* )?(insert into|update|delete from) /.test(sql);
  for (const block of blocks) faults.push(...judgeBlock(block, blocks, writes));
  return faults;
}

/** In an update, also that of an upsert, and in a delete, of a table that is not on one machine alone. */
function judgeFunctions({ text, relations }: Block): string[] {
  const changed = /\b(update|delete)\b/.exec(text);
  if (!changed || relations[0]?.placement?.kind === 'local' || !relations[0]?.placement) return [];
  const upsert = /\bdo update set (.*)/.exec(text)?.[1];
  // Of an upsert what it inserts is another matter: that is computed where it is asked.
  const judged = upsert === undefined ? choicesOf(text.slice(changed.index)) : [upsert];
  const called = judged.flatMap((part) => [...part.matchAll(/\b([a-z_]\w*)\(/g)].map(([, name]) => name!));
  const others = called.filter((name) => !immutableFunctions.has(name) && !keywords.test(name));
  return others.map((name) => `${name}() in CASE, COALESCE or DO UPDATE`);
}

/** What comes out of them depends on their arguments alone; `case` and the like are followed by a bracket too. */
const immutableFunctions: ReadonlySet<string> = new Set([
  ...['coalesce', 'case', 'when', 'then', 'else', 'and', 'or', 'not', 'in', 'any', 'all', 'exists', 'array'],
  ...['lower', 'upper', 'int8range', 'abs', 'greatest', 'least', 'nullif', 'encode', 'decode', 'length'],
]);

/** Each CASE and each COALESCE of a text, to its end. */
function choicesOf(text: string): string[] {
  return [...text.matchAll(/\b(case\b|coalesce\()/g)].map(({ 0: word, index }) => {
    const [opens, closes] = word === 'case' ? [/^case\b/, /^end\b/] : [/^\(/, /^\)/];
    let depth = 0;
    for (let at = index; at < text.length; at++) {
      if (/\w/.test(text[at - 1] ?? '') && /\w/.test(text[at]!)) continue;
      const rest = text.slice(at);
      if (opens.test(rest)) depth += 1;
      else if (closes.test(rest) && --depth === 0) return text.slice(index, at);
    }
    return text.slice(index);
  });
}

/** `writes`: once a block or once a day, where rows that one machine finds may be sent to all of them. */
function judgeBlock(block: Block, all: readonly Block[], writes: boolean): string[] {
  const faults: string[] = [];
  const own = block.relations.filter(({ placement, isTarget }) => isSpread(placement) && !isTarget);
  if (/\blateral\b/.test(block.text)) {
    const inside = all.flatMap((other) => (isInside(other, block) ? other.relations : []));
    const found = inside.find(({ placement }) => isSpread(placement));
    if (found) faults.push(`lateral beside ${found.table}`);
  }
  const [first] = own;
  if (!first) return faults;
  const locals = block.relations.filter(({ placement, isTarget }) => placement?.kind === 'local' && !isTarget);
  if (locals.length > 0) faults.push(`joins ${first.table} to the local table ${locals[0]!.table}`);
  if (block.relations.some(({ table }) => table === 'unnest')) faults.push(`joins ${first.table} to unnest`);
  const isJoinedTo = (one: Relation, other: Relation): boolean =>
    block.text.includes(`${keyOf(one)} = ${keyOf(other)}`) || block.text.includes(`${keyOf(other)} = ${keyOf(one)}`);
  for (const other of own.slice(1)) {
    if (!own.some((one) => one !== other && isJoinedTo(one, other))) {
      faults.push(`joins ${other.table} by another column than ${keyOf(other)}`);
    }
  }
  if (hasOthers(block) && !writes) faults.push(`joins ${first.table} to a sub-query`);
  const named = [...outerNames(block)].flatMap(([name, relation]) =>
    new RegExp(`(?<![\\w.])${name.replace('()', '\\(\\)')}\\.`).test(block.text) ? [relation] : [],
  );
  if (named.length > 0) {
    const pairs = own.flatMap((one) =>
      named.flatMap((other) =>
        isSpread(other.placement)
          ? [
              `${keyOf(one)} = ${keyOf(other)}`,
              `${bareKeyOf(one)} = ${keyOf(other)}`,
              `${keyOf(other)} = ${keyOf(one)}`,
            ]
          : [],
      ),
    );
    if (!pairs.some((pair) => block.text.includes(pair))) faults.push(`${first.table} correlated by another column`);
    if (named.some(({ isBesideOthers }) => isBesideOthers)) faults.push(`${first.table} correlated with a sub-query`);
  } else if (/^ ?select from /.test(block.text)) {
    faults.push(`a sub-select of ${first.table} without columns`);
  } else if (block.isValue && !isAskedBefore(block)) {
    const beside = block.outer?.relations.find(({ placement }) => isSpread(placement));
    if (beside) faults.push(`a value of ${first.table} beside ${beside.table}`);
  }
  return faults;
}

/** What no shard can answer for itself is asked first, and its rows are sent to all of them. */
function isAskedBefore({ text }: Block): boolean {
  return /\b(limit|offset|distinct|group by|(max|min|sum|count|bool_or|string_agg|array_agg|jsonb_agg)\()/.test(text);
}

/** A sub-query or a table expression. */
function hasOthers({ relations }: Block): boolean {
  return relations.some(({ placement }) => placement === undefined);
}

function isInside(block: Block, other: Block): boolean {
  for (let outer: Block | null = block; outer; outer = outer.outer) if (outer === other) return true;
  return false;
}

/**
 * Every distributed table is asked for one and the same value of its distribution column: the shard's own PostgreSQL
 * answers.
 */
function isOfOneShard(blocks: readonly Block[]): boolean {
  const values = new Set<string>();
  let group: string | null = null;
  for (const block of blocks) {
    const own = block.relations.filter(({ placement }) => isSpread(placement));
    for (const relation of own) {
      if (relation.placement?.kind !== 'distributed') return false;
      if (group !== null && group !== relation.placement.group) return false;
      group = relation.placement.group;
      const pinned =
        pinOf(relation, block) ?? own.map((one) => isEqual(relation, one, block) && pinOf(one, block)).find(Boolean);
      if (!pinned) return false;
      values.add(String(pinned));
    }
    if (block.relations.some(({ placement }) => placement?.kind === 'local')) return false;
  }
  return values.size === 1;
}

function pinOf(relation: Relation, { text, relations }: Block): string | null {
  const names = relations.length === 1 ? [keyOf(relation), bareKeyOf(relation)] : [keyOf(relation)];
  for (const name of names) {
    const match = new RegExp(`(?<![\\w.])${name.replace('.', '\\.')} = (\\$\\d+)`).exec(text);
    if (match) return match[1]!;
  }
  return null;
}

function isEqual(one: Relation, other: Relation, { text }: Block): boolean {
  return text.includes(`${keyOf(one)} = ${keyOf(other)}`) || text.includes(`${keyOf(other)} = ${keyOf(one)}`);
}

function keyOf(relation: Relation): string {
  return `${relation.alias}.${bareKeyOf(relation)}`;
}

function bareKeyOf({ placement }: Relation): string {
  return placement?.kind === 'distributed' ? placement.by : '';
}

function isSpread(placement: Placement | undefined): boolean {
  return placement?.kind === 'distributed';
}

/** Of the blocks around it, the nearest first. */
function outerNames(block: Block): Map<string, Relation & { isBesideOthers: boolean }> {
  const names = new Map<string, Relation & { isBesideOthers: boolean }>();
  for (let outer = block.outer; outer; outer = outer.outer) {
    for (const relation of outer.relations) {
      const isHidden = block.names.has(relation.alias) || names.has(relation.alias);
      if (!isHidden) names.set(relation.alias, { ...relation, isBesideOthers: hasOthers(outer) });
    }
  }
  return names;
}

function blocksOf(sql: string): Block[] {
  const blocks: Block[] = [];
  const read = (text: string, outer: Block | null, isValue: boolean): void => {
    const groups: string[] = [];
    const own = withoutGroups(text, groups);
    // Brackets of a function, of a list and of a condition belong to the select around them.
    const parts = own.split(/\bunion(?: all)?\b/);
    const made = parts.map((part) => toBlock(expandPlain(part, groups), outer, isValue));
    const isSelect = made.some(({ text: one }) => /\b(select|update|delete|insert)\b/.test(one));
    if (isSelect) blocks.push(...made);
    parts.forEach((part, i) => {
      const list = selectListOf(part);
      for (const { 1: index, index: at } of part.matchAll(/«(\d+)»/g)) {
        const inner = groups[Number(index)]!;
        const isInList = isSelect ? list.from <= at && at < list.to : isValue;
        if (isQuery(inner) || /\bselect\b/.test(inner)) read(inner, isSelect ? made[i]! : outer, isInList);
      }
    });
  };
  read(sql, null, false);
  return blocks;
}

/** Of a select whose brackets are replaced; what comes before are table expressions. */
function selectListOf(part: string): { from: number; to: number } {
  const from = part.search(/\bselect\b/);
  const length = part.slice(from).search(/\bfrom\b/);
  return from < 0 ? { from: 0, to: 0 } : { from, to: length < 0 ? part.length : from + length };
}

function isQuery(text: string): boolean {
  return /^[ (]*(select|with|values|insert|update|delete)\b/.test(text);
}

/** Brackets of the first level become «n». */
function withoutGroups(text: string, groups: string[]): string {
  let depth = 0;
  let result = '';
  let group = '';
  for (const character of text) {
    if (character === ')' && --depth === 0) {
      groups.push(group);
      result += `«${groups.length - 1}»`;
      group = '';
      continue;
    }
    if (depth > 0) group += character;
    else if (character !== '(') result += character;
    if (character === '(') depth += 1;
  }
  return result;
}

/** Brackets that hold no select are text again. */
function expandPlain(text: string, groups: readonly string[]): string {
  return text.replaceAll(/«(\d+)»/g, (_all, index: string) => {
    const inner = groups[Number(index)]!;
    return /\b(select|insert|update|delete)\b/.test(inner) ? '()' : `(${inner})`;
  });
}

const keywords =
  /^(where|on|order|left|join|inner|cross|group|limit|union|set|using|returning|having|window|offset|for|select|from|values|as)$/;

function toBlock(text: string, outer: Block | null, isValue: boolean): Block {
  const relations: Relation[] = [];
  const mentions = text.matchAll(/\b(from|join|into|update) (?:only |lateral )?(\w+|\(\))(?=( (?:as )?(\w+))?)/g);
  for (const [, verb, table, , as] of mentions) {
    if (keywords.test(table!)) continue;
    const alias = as !== undefined && !keywords.test(as) ? as : table!;
    relations.push({ table: table!, alias, isTarget: verb === 'into', placement: describedTable(table!)?.placement });
  }
  return { text, outer, isValue, relations, names: new Set(relations.map(({ alias }) => alias)) };
}
