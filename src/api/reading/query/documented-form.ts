// The texts that a parameter's schema in the API document allows. Of numbers only the digits are checked here: their
// bounds may depend on the client.
import type { TSchema } from '@sinclair/typebox';

/** Whether the document allows a text, including its operator. */
export function toDocumentedForm(schema: TSchema): (raw: string) => boolean {
  const { type, items, enum: words, pattern } = schema;
  if (type === 'array') return toDocumentedForm(items);
  if (type === 'boolean') return (raw) => raw === 'true' || raw === 'false';
  if (type === 'integer') return (raw) => /^\d+$/.test(raw);
  if (words) return (raw) => (words as string[]).includes(raw);
  if (pattern === undefined) return () => true;
  const form = new RegExp(pattern);
  return (raw) => form.test(raw);
}
