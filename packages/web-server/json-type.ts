// Whether a body was sent as JSON. Types that any page may send to any site without being asked first (CORS: text, the
// two forms, and none at all) are not, whatever is in the body.

/** `application/json`, names that clients of JSON-RPC have for it, and types made of it. */
export function isJsonType(contentType: string): boolean {
  if (contentType === 'application/json') return true;
  const [type = ''] = contentType.split(';', 1);
  return /^(?:application\/json(?:-rpc|request)?|text\/json|application\/[\w.+-]{1,100}\+json)$/i.test(type.trim());
}
