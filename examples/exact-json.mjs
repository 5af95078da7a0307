// Answers have int64 values, which JSON.parse would round: whole numbers that a double cannot hold come as BigInt (from Node
// 22 on, which gives the text of a number).

/** GET: the body, or null where there is no such thing. Throws for every other answer, with what the mirror says. */
export async function get(url) {
  const answer = await fetch(url);
  const text = await answer.text();
  if (answer.status === 404) return null;
  if (!answer.ok) throw new Error(`${url} answers ${answer.status}: ${text}`);
  return JSON.parse(text, (_name, value, context) =>
    typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)
      ? BigInt(context?.source ?? value)
      : value,
  );
}
