// Writes the TypeScript types of the messages in own .proto files, beside each of them: `<name>.generated.ts`. With
// --check nothing is written, and types that are not current are named.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import protobuf from 'protobufjs';

const numbers = ['int32', 'uint32', 'sint32', 'fixed32', 'sfixed32', 'float', 'double'];
const longs = ['int64', 'uint64', 'sint64', 'fixed64', 'sfixed64'];

const isCheck = process.argv.includes('--check');
let isCurrent = true;
// Services that others define are described by several files together; their messages are read without types.
const files = globSync(['src/**/*.proto', 'packages/**/*.proto']).filter(
  (file) => !file.replaceAll('\\', '/').startsWith('src/doors/'),
);
for (const file of files.sort()) {
  const target = file.replace(/\.proto$/, '.generated.ts');
  const text = toTypes(file);
  if (readOrEmpty(target) === text) continue;
  if (!isCheck) writeFileSync(target, text);
  else console.log(`${target} is not what ${file} says: run "node scripts/run.mjs scripts/generate-messages.mjs"`);
  isCurrent &&= !isCheck;
}
process.exitCode = isCurrent ? 0 : 1;

function readOrEmpty(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return '';
    throw error;
  }
}

/** As protobufjs decodes: absent messages are null, absent fields of other kinds have the default of their kind. */
function toTypes(file) {
  const { root } = protobuf.parse(readFileSync(file, 'utf8'), { keepCase: false, alternateCommentMode: true });
  root.resolveAll();
  const name = nameOf(file);
  const types = root.nestedArray.filter((nested) => nested instanceof protobuf.Type);
  const body = types.map((type) => toType(type, name)).join('');
  return [
    '// Made by scripts/generate-messages.mjs from the .proto file of this name.',
    ...(/\bLong\b/.test(body) ? ["import type Long from 'long';"] : []),
    '',
    `export type ${name} = {\n${body}};\n`,
  ].join('\n');
}

/** `block-node.proto` → `BlockNodeMessages`. */
function nameOf(file) {
  const words = basename(file, '.proto').split('-');
  const name = words.map((word) => `${word[0].toUpperCase()}${word.slice(1)}`).join('');
  return name.endsWith('Messages') ? name : `${name}Messages`;
}

function toType({ name, comment, fieldsArray }, root) {
  const fields = fieldsArray.map((field) => {
    return `${toComment(field.comment, '    ')}    ${field.name}: ${typeOf(field, root)};\n`;
  });
  const body = fields.length > 0 ? `{\n${fields.join('')}  }` : 'Record<string, never>';
  return `${toComment(comment, '  ')}  ${name}: ${body};\n`;
}

function toComment(text, indent) {
  return text ? `${indent}/** ${text.replaceAll(/\s*\n\s*/g, ' ')} */\n` : '';
}

function typeOf({ type, repeated, resolvedType }, root) {
  const one = resolvedType ? `${root}['${resolvedType.name}']` : scalarOf(type);
  if (repeated) return `${one}[]`;
  return resolvedType ? `${one} | null` : one;
}

function scalarOf(type) {
  if (numbers.includes(type)) return 'number';
  if (longs.includes(type)) return 'Long';
  const scalar = { bool: 'boolean', string: 'string', bytes: 'Buffer' }[type];
  if (!scalar) throw new Error(`no type is known for the kind ${type}`);
  return scalar;
}
