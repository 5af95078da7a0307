// Whether a long body may be parsed: a megabyte of brackets takes the thread for a quarter of a second, one of call
// data for a millisecond.

/** Requests are not nested deeper than some ten levels. */
const maxDepth = 64;
/** Strings, brackets and commas: addresses and topics of searches that fill a body are half as many. */
const maxValues = 60_000;
const shortBytes = 4096;

const [quote, comma, backslash] = [...'",\\'].map((character) => character.charCodeAt(0));
const openings = [...'[{'].map((character) => character.charCodeAt(0));
const closings = [...']}'].map((character) => character.charCodeAt(0));

/** Of text that is no JSON it may say the one or the other. */
export function isSimpleJson(text: Buffer): boolean {
  if (text.length <= shortBytes) return true;
  let [depth, values] = [0, 0];
  for (let at = 0; at < text.length; at++) {
    const byte = text[at]!;
    if (byte === quote) {
      values += 1;
      at = endOfString(text, at);
      if (at < 0) return true;
    } else if (byte === comma) values += 1;
    else if (byte === openings[0] || byte === openings[1]) {
      depth += 1;
      values += 1;
      if (depth > maxDepth) return false;
    } else if (byte === closings[0] || byte === closings[1]) depth -= 1;
    if (values > maxValues) return false;
  }
  return true;
}

/** Place of its last quote; −1 = it does not end. */
function endOfString(text: Buffer, begin: number): number {
  let end = text.indexOf(quote!, begin + 1);
  while (end >= 0 && isEscaped(text, end)) end = text.indexOf(quote!, end + 1);
  return end;
}

function isEscaped(text: Buffer, at: number): boolean {
  let before = at;
  while (text[before - 1] === backslash) before -= 1;
  return (at - before) % 2 === 1;
}
