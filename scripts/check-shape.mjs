// check-shape.mjs [--write]: folders of production code that import each other both ways, and functions over 100 lines.
// What shape-exceptions.json lists is allowed up to the number there, and an entry that no longer applies has to leave
// the list. --write makes the list of what there is.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import ts from 'typescript';

const maxLines = 100;
const root = resolve(import.meta.dirname, '..');
const listPath = join(import.meta.dirname, 'shape-exceptions.json');

const files = ['src', 'packages']
  .flatMap(listSources)
  .filter(isProduction)
  .map((path) => {
    const text = readFileSync(join(root, path), 'utf8');
    return { path, text };
  });
const found = { foldersBothWays: findPairs(), longFunctions: findLongFunctions() };

if (process.argv.includes('--write')) writeFileSync(listPath, `${JSON.stringify(found, null, 2)}\n`);
const listed = JSON.parse(readFileSync(listPath, 'utf8'));
const problems = [
  ...judge(
    'foldersBothWays',
    0,
    'imports against the direction of the others. Move what both folders need below them.',
  ),
  ...judge('longFunctions', maxLines, 'lines. Divide it.'),
];
for (const problem of problems) console.log(problem);
process.exitCode = problems.length === 0 ? 0 : 1;

function judge(kind, usual, whatToDo) {
  const [now, before] = [found[kind], listed[kind]];
  const grown = Object.keys(now).filter((name) => now[name] > (before[name] ?? usual));
  const gone = Object.keys(before).filter((name) => !(name in now));
  return [
    ...grown.map((name) => `${name}: ${now[name]} (at most ${before[name] ?? usual}) ${whatToDo}`),
    ...gone.map((name) => `${name}: is no longer so. Run "node scripts/run.mjs scripts/check-shape.mjs --write".`),
  ];
}

/** What `packages/test-support` holds serves tests alone. */
function isProduction(path) {
  return !path.startsWith('packages/test-support/');
}

function listSources(folder) {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.ts$/.test(entry.name) && !/\.test\.ts$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .sort();
}

/** Imports in the rarer direction, by `a <-> b`. */
function findPairs() {
  const imports = new Map();
  for (const { path, text } of files) {
    // A package's face hands on what is in its folders; none of them imports it.
    if (/^packages\/([^/]+)\/\1\.ts$/.test(path)) continue;
    for (const { fileName } of ts.preProcessFile(text, true, true).importedFiles) {
      const [from, to] = [dirname(path), dirname(join(dirname(path), fileName))].map((name) =>
        name.replaceAll('\\', '/'),
      );
      if (fileName.startsWith('.') && from !== to)
        imports.set(`${from} ${to}`, (imports.get(`${from} ${to}`) ?? 0) + 1);
    }
  }
  const pairs = {};
  for (const [edge, count] of [...imports].sort()) {
    const [from, to] = edge.split(' ');
    const back = imports.get(`${to} ${from}`);
    if (from < to && back) pairs[`${from} <-> ${to}`] = Math.min(count, back);
  }
  return pairs;
}

/** Lines by `file: function`. */
function findLongFunctions() {
  const functions = {};
  for (const { path, text } of files) {
    const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
    const visit = (node, outer) => {
      const isFunction = ts.isFunctionLike(node) && node.body;
      const name = isFunction ? nameOf(node, outer) : outer;
      if (isFunction) {
        const [first, last] = [node.getStart(), node.end].map((at) => source.getLineAndCharacterOfPosition(at).line);
        if (last - first + 1 > maxLines) functions[`${path}: ${name}`] = last - first + 1;
      }
      ts.forEachChild(node, (child) => visit(child, name));
    };
    visit(source, null);
  }
  return functions;
}

function nameOf(node, outer) {
  const own = node.name ?? node.parent.name;
  return own ? own.getText() : `a function in ${outer ?? 'the file'}`;
}
