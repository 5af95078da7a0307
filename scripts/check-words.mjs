// check-words.mjs [--write] [--list]: words that names, comments and file names of production code do not use, because
// plain technical ones say it (CONTRIBUTING.md, How texts are written). word-exceptions.json says how often each still
// stands there; those numbers only fall. --write makes the list of what there is, --list prints each place.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import ts from 'typescript';

/** Word → what to write instead. Parts of names count: `toldBlocks`, `orNothing`. */
const words = {
  told: 'reported, sent, known',
  whoever: 'the client, the caller',
  nobody: 'no client, no account, none',
  somebody: 'a client, an account, another program',
  'or nothing': 'or null',
  'gone on with': 'continued',
  'goes on with': 'continues',
  patience: 'timeout',
  complaint: 'error',
};
const patterns = Object.keys(words).map((word) => [word, new RegExp(toSource(word), 'g')]);

const root = resolve(import.meta.dirname, '..');
const listPath = join(import.meta.dirname, 'word-exceptions.json');
const found = {};
for (const path of globSync('{src,packages}/**/*.ts', { cwd: root }).sort()) {
  if (/[.]test[.]ts$|node_modules|^packages.test-support/.test(path)) continue;
  const name = path.replaceAll('\\', '/');
  count(name, `${name}\n${withoutTexts(name, readFileSync(join(root, path), 'utf8'))}`);
}

if (process.argv.includes('--write')) writeFileSync(listPath, `${JSON.stringify(found, null, 2)}\n`);
const listed = JSON.parse(readFileSync(listPath, 'utf8'));
const grown = Object.keys(found).filter((word) => found[word] > (listed[word] ?? 0));
for (const word of grown) {
  console.log(
    `"${word}": ${found[word]} times, at most ${listed[word] ?? 0} (--list shows where). Write ${words[word]}.`,
  );
}
for (const [word, most] of Object.entries(listed)) {
  const times = found[word] ?? 0;
  if (times < most) console.log(`"${word}": ${times} times, no longer ${most}: --write keeps it so`);
}
process.exitCode = grown.length === 0 ? 0 : 1;

/** A whole word of a text, or of a name in camel case or with dashes. */
function toSource(word) {
  const [first, ...others] = word.split(' ');
  const one = (text) => `[${text[0]}${text[0].toUpperCase()}]${text.slice(1)}`;
  const capital = (text) => text[0].toUpperCase() + text.slice(1);
  const asText = [first, ...others].map(one).join('[\\s/*-]+');
  const asName = `${one(first)}${others.map(capital).join('')}`;
  return `(?<![a-z])(?:${asText}|${asName})(?![a-z])|(?<=[a-z])${[first, ...others].map(capital).join('')}(?![a-z])`;
}

function count(name, text) {
  for (const [word, pattern] of patterns) {
    const hits = [...text.matchAll(pattern)];
    if (hits.length === 0) continue;
    found[word] = (found[word] ?? 0) + hits.length;
    if (!process.argv.includes('--list')) continue;
    for (const { index } of hits) console.log(`${name}:${text.slice(0, index).split('\n').length - 1}: ${word}`);
  }
}

/** Names and comments: texts that are shown are judged where they are shown. */
function withoutTexts(name, text) {
  const source = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
  let rest = text;
  const visit = (node) => {
    if (
      ts.isStringLiteralLike(node) ||
      ts.isTemplateLiteralToken?.(node) ||
      ts.isTemplateHead(node) ||
      ts.isTemplateMiddleOrTemplateTail(node)
    ) {
      const [start, end] = [node.getStart(), node.end];
      rest = rest.slice(0, start) + text.slice(start, end).replaceAll(/[^\n]/g, ' ') + rest.slice(end);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return rest;
}
