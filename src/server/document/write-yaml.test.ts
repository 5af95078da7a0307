import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { writeYaml } from './write-yaml.ts';

test('whatever a document says, a reader of YAML finds it', async () => {
  const text = fc.oneof(
    fc.string(),
    fc.constantFrom('a\nb\n\n c', ' x', '- y', '# z', 'yes', '0x1', "it's", 'a: b', '\n', 'é\ttab', 'long '.repeat(40)),
  );
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      ...[text, fc.integer(), fc.boolean(), fc.constant(null)],
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(
        fc.string().filter((name) => name !== '__proto__'),
        tie('value'),
        { maxKeys: 4 },
      ),
    ),
  }));
  const object = fc.dictionary(
    fc.string({ minLength: 1 }).filter((name) => name !== '__proto__'),
    value,
    { maxKeys: 5 },
  );
  await fc.assert(
    fc.asyncProperty(object, object, async (others, paths) => {
      const document = { ...others, paths };
      expect(parse(await writeYaml(document))).toEqual(document);
    }),
  );
});
