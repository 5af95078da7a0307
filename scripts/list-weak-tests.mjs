// Lists tests that assert nothing, in their body or through helpers of the same file or an imported one; exit code 1 if
// there are any. `--weak` adds those that only say that something is more or less than a number. With paths: only
// these.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import ts from 'typescript';

const root = resolve(import.meta.dirname, '..');
const roots = ['src', 'test', 'packages', 'clients'];
/** Matchers that a wrong value passes easily. */
const weak = /^toBe(Greater|Less)Than(OrEqual)?$|^toBeTruthy$|^toBeDefined$/;
const runners = new Set(['it', 'test']);

/** path → its functions by name, and what its imports name. */
const modules = new Map();
const verdicts = new Map();

function parse(path) {
  const known = modules.get(path);
  if (known) return known;
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
  const functions = new Map();
  const imports = new Map();
  const visit = (node) => {
    if (ts.isFunctionDeclaration(node) && node.name) functions.set(node.name.text, node);
    if (ts.isMethodDeclaration(node) && ts.isIdentifier(node.name)) functions.set(node.name.text, node);
    const value = (ts.isVariableDeclaration(node) || ts.isPropertyAssignment(node)) && node.initializer;
    if (value && ts.isIdentifier(node.name)) functions.set(node.name.text, value);
    ts.forEachChild(node, visit);
  };
  visit(source);
  for (const statement of source.statements) {
    if (!ts.isImportDeclaration(statement) || !statement.moduleSpecifier.text.startsWith('.')) continue;
    const bindings = statement.importClause?.namedBindings;
    if (!bindings || !ts.isNamedImports(bindings)) continue;
    const from = resolve(dirname(path), statement.moduleSpecifier.text);
    for (const { name, propertyName } of bindings.elements) {
      imports.set(name.text, { from, name: (propertyName ?? name).text });
    }
  }
  const module = { source, functions, imports };
  modules.set(path, module);
  return module;
}

/** What is asserted within a node, through helpers: names of matchers, `throw` for a helper that throws. */
function assertionsOf(node, path, seen = new Set()) {
  const found = new Set();
  const follow = (name) => {
    const { functions, imports } = parse(path);
    const own = functions.get(name);
    const at = own ? { path, node: own } : locate(imports.get(name));
    if (!at) return;
    const key = `${at.path}:${at.node.pos}`;
    if (seen.has(key)) return;
    seen.add(key);
    if (!verdicts.has(key)) verdicts.set(key, assertionsOf(at.node, at.path, seen));
    for (const each of verdicts.get(key)) found.add(each);
    // What waits for a condition rejects when it does not come.
    if (/^(until|wait|eventually|says|prove|judge|check|compare)/.test(name) && throwsIn(at.node)) found.add('throw');
  };
  const visit = (each) => {
    if (ts.isCallExpression(each)) {
      const chain = chainOf(each.expression);
      if (chain[0] === 'expect' || chain[0] === 'expectTypeOf')
        found.add(chain.at(-1) === 'expect' ? '' : chain.at(-1));
      else if (chain[0] === 'assert' || chain[0] === 'fc') found.add('assert');
      else if (chain.join('.') === 'vi.waitFor' || chain.join('.') === 'vi.waitUntil') found.add('wait');
      for (const name of chain) follow(name);
      for (const argument of each.arguments) if (ts.isIdentifier(argument)) follow(argument.text);
    }
    ts.forEachChild(each, visit);
  };
  visit(node);
  found.delete('');
  return found;
}

function locate(imported) {
  if (!imported?.from.endsWith('.ts')) return null;
  const node = parse(imported.from).functions.get(imported.name);
  return node ? { path: imported.from, node } : null;
}

function throwsIn(node) {
  let throws = false;
  const visit = (each) => {
    if (ts.isThrowStatement(each)) throws = true;
    ts.forEachChild(each, visit);
  };
  visit(node);
  return throws;
}

/** `expect(a).not.toBe` → ['expect', 'not', 'toBe']. */
function chainOf(node) {
  if (ts.isIdentifier(node)) return [node.text];
  if (ts.isPropertyAccessExpression(node)) return [...chainOf(node.expression), node.name.text];
  if (ts.isCallExpression(node) || ts.isAwaitExpression(node) || ts.isParenthesizedExpression(node)) {
    return chainOf(node.expression);
  }
  return [];
}

const { values, positionals } = parseArgs({
  options: { weak: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const wanted = positionals.map((path) => resolve(path));
const files = roots.flatMap((folder) => {
  try {
    return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.test.ts'))
      .map((name) => join(root, folder, name));
  } catch (error) {
    if (error.code === 'ENOENT') return [];
    throw error;
  }
});

let empty = 0;
for (const path of files.sort()) {
  if (wanted.length > 0 && !wanted.some((prefix) => path.startsWith(prefix))) continue;
  const { source } = parse(path);
  const report = (node, what) => {
    const { line } = source.getLineAndCharacterOfPosition(node.getStart());
    console.log(`${relative(root, path)}:${line + 1}: ${what}: ${node.arguments[0].getText().slice(0, 90)}`);
  };
  const visit = (node) => {
    if (ts.isCallExpression(node) && runners.has(chainOf(node.expression)[0])) {
      const body = node.arguments.findLast((each) => ts.isArrowFunction(each) || ts.isFunctionExpression(each));
      if (body) {
        const found = [...assertionsOf(body, path)];
        const isSkipped = chainOf(node.expression).includes('skip');
        if (found.length === 0 && !isSkipped) {
          empty += 1;
          report(node, 'asserts nothing');
        } else if (values.weak && found.length > 0 && found.every((name) => weak.test(name))) {
          report(node, found.join(', '));
        }
        return;
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
}
process.exitCode = empty === 0 ? 0 : 1;
