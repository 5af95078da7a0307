// SQL outside packages/store, packages/schema and packages/verification/store: texts that are statements, and queries.
// Prints each place; the exit code is 1 where there is one.
import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';

const statement =
  /\bselect\b[\s\S]*\bfrom\b|^\s*(?:select\s|with \w+ as\b)|\b(?:insert into|delete from|truncate table|copy \w+ (?:from|to)) |\bupdate \w+ set\b/;

/** Where named queries are, the sessions that run them, and what only tests use. */
const exempt = /^packages\/(?:postgres|schema|store|verification\/store|test-support)\//;

const files = ['src', 'packages']
  .flatMap((folder) =>
    readdirSync(folder, { recursive: true }).map((path) => `${folder}/${path.replaceAll('\\', '/')}`),
  )
  .filter((path) => /(?<!\.test)\.ts$/.test(path) && !exempt.test(path) && !path.includes('node_modules'));
let found = 0;
for (const file of files) {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  look(source, source);
}
process.exit(found === 0 ? 0 : 1);

function look(node, source) {
  if (isQuery(node) || isStatement(node)) {
    const { line } = source.getLineAndCharacterOfPosition(node.getStart());
    console.log(
      `${source.fileName}:${line + 1} asks the database by itself; a named query of packages/store does that`,
    );
    found += 1;
  }
  ts.forEachChild(node, (child) => look(child, source));
}

/** `db.query(…)`, `query<Row>(…)` */
function isQuery(node) {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return false;
  const { name, expression } = node.expression;
  return (
    name.text === 'query' &&
    (node.typeArguments || /\b(?:db|database|session|client|pool|primary)$/i.test(expression.getText()))
  );
}

function isStatement(node) {
  return (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) && statement.test(node.getText().slice(1, -1));
}
