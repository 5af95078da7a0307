// The form of /proof: finds the document of what was typed, has it checked beside the page, and shows what was checked.
const element = (id) => document.getElementById(id);
const [what, file, ledgerId, bookHash, compared] = ['what', 'file', 'ledger-id', 'book-hash', 'compared'].map(element);
const worker = new Worker('/proof/check-worker.js', { type: 'module' });
const maxShownItems = 200;
let run = 0;
let mirrorSays = null;
/** The ledger id that the visitor entered, or compared with another source. */
let ownId = '';

worker.addEventListener('error', ({ message }) =>
  refuse(`The check could not be started: ${message ?? 'no reason is known'}.`),
);
worker.addEventListener('message', ({ data }) => {
  if (data.id !== run) return;
  if (data.step) addStep(data.step);
  else if (data.refused) refuse(`Refused: ${data.refused}.`);
  else showProven(data.proven, data.trust);
});

element('form').addEventListener('submit', (event) => {
  event.preventDefault();
  void check();
});
file.addEventListener('change', async () => {
  if (file.files.length === 1) what.value = await file.files[0].text();
});

async function check() {
  const own = ++run;
  begin();
  try {
    const typed = what.value.trim();
    const isDocument = typed.startsWith('{');
    const wanted = isDocument ? null : read(typed);
    const text = wanted ? await ask(wanted.path) : typed;
    if (own !== run) return;
    offer(text);
    say('The document is being checked in your browser.');
    const [id, hash] = [ledgerId, bookHash].map(({ value }) => plain(value));
    worker.postMessage({ id: own, text, ledgerId: id, addressBookHash: hash, sought: wanted?.sought });
  } catch (error) {
    if (own === run) refuse(error.message);
  }
}

/** Forms of what is asked for: where its proof is, and which fact names it. */
const forms = [
  [
    /^(\d+\.\d+\.\d+)([@-])(\d+)[.-](\d+)$/,
    ([, payer, mark, seconds, rest]) => {
      // After a point it is a fraction.
      const id = `${payer}-${seconds}-${mark === '@' ? rest.padEnd(9, '0') : rest.padStart(9, '0')}`;
      return { path: `transactions/${id}`, sought: { names: ['Transaction id'], value: id } };
    },
  ],
  [
    /^(?:0x)?([0-9a-f]{64})$/i,
    ([, hash]) => ({
      path: `contracts/results/0x${hash}`,
      sought: { names: ['Hash', 'Ethereum hash'], value: `0x${hash.toLowerCase()}` },
    }),
  ],
  [
    /^(\d+\.\d+\.\d+)[\s/#]+(\d+)$/,
    ([, topic, number]) => ({
      path: `topics/${topic}/messages/${number}`,
      sought: { names: ['Topic'], value: topic, messageNumber: number },
    }),
  ],
  [/^(\d+)$/, ([, number]) => ({ path: `blocks/${number}`, sought: { names: ['Block'], value: number } })],
  [
    /^(?:0x)?([0-9a-f]{96})$/i,
    ([, hash]) => ({ path: `blocks/0x${hash}`, sought: { names: ['Root'], value: `0x${hash.toLowerCase()}` } }),
  ],
];

function read(typed) {
  for (const [form, toWanted] of forms) {
    const found = form.exec(typed);
    if (found) return toWanted(found);
  }
  throw new Error('This has none of the forms that are known here. Examples are beside the field.');
}

async function ask(path) {
  say(`The mirror is asked for the proof of ${path}.`);
  const hash = bookHash.value.trim();
  const answer = await fetchText(
    `/spec/api/v1/${path}/proof${/^[0-9a-f]{96}$/i.test(hash) ? `?book=${hash.toLowerCase()}` : ''}`,
  );
  if (answer.ok) return answer.text;
  throw new Error(`The mirror has no proof of this (status ${answer.status}): ${reasonOf(answer.text)}`);
}

async function fetchText(url) {
  let answer;
  try {
    answer = await fetch(url, { headers: { accept: 'application/json' } });
  } catch {
    throw new Error(
      'The mirror cannot be reached. A document that you have can be checked all the same: paste it here.',
    );
  }
  return { ok: answer.ok, status: answer.status, text: await answer.text() };
}

/** Of an error body; a proxy in between may have sent another one. */
function reasonOf(text) {
  try {
    const [{ message, detail }] = JSON.parse(text)._status.messages;
    return detail ? `${message}: ${detail}` : message;
  } catch {
    return 'without a reason.';
  }
}

function begin() {
  element('result').hidden = false;
  element('result').className = '';
  element('proven').hidden = true;
  element('save').hidden = true;
  element('steps').replaceChildren();
}

function say(sentence) {
  element('verdict').textContent = sentence;
}

function addStep(sentence) {
  const words = (sentence[0].toUpperCase() + sentence.slice(1))
    .split(/([0-9a-f]{64,128})/)
    .map((part, at) => (at % 2 ? make('code', part) : part));
  element('steps').append(make('li', ...words));
}

function refuse(sentence) {
  element('result').className = 'refused';
  say(sentence);
  element('verdict').focus();
}

function showProven({ kind, sentence, items, notShown, isFound, isKeyProved = true }, trust) {
  const unsure = kind === 'record' ? plain(bookHash.value) === '' : trust.ledgerId !== ownId;
  element('result').className = unsure || isFound === false || !isKeyProved ? 'unsure' : 'proved';
  const other =
    isFound === false ? ' But nothing in it names what you asked for: look whether it is the right one.' : '';
  const proved = unsure ? 'Proved, if what you trust is right' : 'Proved';
  say(`${isKeyProved ? proved : 'Not proved: nothing shows whose key has signed'}. ${sentence}${other}`);
  const named =
    kind === 'record' ? `the address book of hash ${trust.addressBookHash}` : `the ledger id ${trust.ledgerId}`;
  const from = kind === 'record' ? 'It is the one in the document.' : 'It is the one that this mirror names.';
  element('trusted').textContent =
    `Everything rests on ${named}. ${unsure ? `${from} Compare it with a source that does not depend on this mirror.` : 'You chose it.'}`;
  const more = items.length - maxShownItems;
  element('items').replaceChildren(...formatItems(items.slice(0, maxShownItems)));
  element('more').textContent = more > 0 ? `${more} further items are proved as well, and are in the document.` : '';
  const always = 'That something is not in the ledger, or that nothing later changed it.';
  element('not-shown').replaceChildren(...[...notShown, always].map((one) => make('li', one)));
  element('proven').hidden = false;
  element('verdict').focus();
}

/** What was asked for, with the others folded below it. */
function formatItems(items) {
  const marked = items.filter(({ mark }) => mark);
  const others = items.filter(({ mark }) => !mark);
  if (marked.length === 0 || others.length === 0) return items.map(formatItem);
  const summary = make('summary', `${others.length} further items of the same proof`);
  const folded = make('details', summary, ...others.map(formatItem));
  return [...marked.map(formatItem), folded];
}

function formatItem({ title, place, facts, parts, mark }) {
  const list = make('dl', ...facts.flatMap(([name, value]) => [make('dt', name), make('dd', value)]));
  const raw = parts.map(([name, hex]) => {
    const box = make('pre', hex);
    box.tabIndex = 0;
    return make('details', make('summary', `${hex.length / 2} bytes${name && ` of the ${name}`}`), box);
  });
  const heading = make('h3', place ? `${title} (${place})` : title);
  const marks = mark ? [make('p', mark)] : [];
  return make('article', heading, ...marks, list, ...raw);
}

/** Texts become text, never markup. */
function make(name, ...children) {
  const made = document.createElement(name);
  made.append(...children);
  return made;
}

let saved = null;
function offer(text) {
  if (saved) URL.revokeObjectURL(saved);
  saved = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  element('save').href = saved;
  element('save').hidden = false;
}

const keys = { own: 'proof.ledger-id', mirror: 'proof.ledger-id-of-the-mirror', book: 'proof.address-book-hash' };
/** null where the browser keeps nothing for this site; the page then says so when something should be remembered. */
const storage = (() => {
  try {
    return window.localStorage;
  } catch {
    return null;
  }
})();

function remember(key, value) {
  if (storage === null)
    element('remembered').textContent = 'Your browser keeps nothing for this site: it will be forgotten.';
  else if (value) storage.setItem(key, value);
  else storage.removeItem(key);
}

const plain = (value) => value.trim().replace(/^0x/, '').toLowerCase();

function explainTrust() {
  const given = plain(ledgerId.value);
  const isOfMirror = given !== '' && given === mirrorSays;
  const difference = mirrorSays && !isOfMirror ? ` This mirror names another one: ${mirrorSays}.` : '';
  const sentence =
    given === ''
      ? `${mirrorSays ? '' : 'This mirror names none. '}Enter the one that you know, from a source that you trust.`
      : isOfMirror
        ? 'This comes from the mirror, which could name a ledger of its own making. Compare it with a source that does not depend on this mirror.'
        : `Your own, remembered in this browser.${difference}`;
  element('ledger-note').textContent = sentence;
  element('ledger-note').className = isOfMirror && ownId !== given ? 'warning' : '';
  compared.checked = isOfMirror && ownId === given;
  element('choice').hidden = !isOfMirror;
  element('forget').hidden = mirrorSays === null || isOfMirror;
}

function trustAsOwn(id) {
  ownId = id;
  remember(keys.own, id);
  explainTrust();
}

ledgerId.addEventListener('input', () => {
  const given = plain(ledgerId.value);
  trustAsOwn(given === mirrorSays ? '' : given);
});
compared.addEventListener('change', () => trustAsOwn(compared.checked ? plain(ledgerId.value) : ''));
bookHash.addEventListener('input', () => remember(keys.book, bookHash.value.trim()));
element('forget').addEventListener('click', () => {
  ledgerId.value = mirrorSays;
  trustAsOwn('');
  ledgerId.focus();
});

/** With what is remembered, then with what the mirror says now. */
async function prefill() {
  bookHash.value = storage?.getItem(keys.book) ?? '';
  ownId = storage?.getItem(keys.own) ?? '';
  showMirrors(storage?.getItem(keys.mirror) ?? null);
  const newest = (await askMirror('blocks?limit=1&order=desc'))?.blocks[0]?.number;
  const named = newest === undefined ? null : (await askMirror(`blocks/${newest}`))?.proof?.ledger_id;
  if (named) showMirrors(plain(named));
}

/** null where it does not answer: the page works without. */
async function askMirror(path) {
  const answer = await fetchText(`/spec/api/v1/${path}`).catch(() => null);
  return answer?.ok ? JSON.parse(answer.text) : null;
}

function showMirrors(id) {
  const isTyped = ownId === '' && ledgerId.value !== (mirrorSays ?? '');
  mirrorSays = id;
  if (id) remember(keys.mirror, id);
  if (!isTyped) fillIn(ownId || (id ?? ''));
  explainTrust();
}

/** Never under the hands of the visitor, whose caret it would move: then when they leave the field as it was. */
function fillIn(id) {
  if (document.activeElement !== ledgerId) {
    ledgerId.value = id;
    return;
  }
  const before = ledgerId.value;
  const fillInIfLeft = () => {
    if (ledgerId.value !== before) return;
    ledgerId.value = id;
    explainTrust();
  };
  ledgerId.addEventListener('blur', fillInIfLeft, { once: true });
}

/** After it the page works without a network. Browsers have it on https and on this machine only. */
async function keepForOffline() {
  if (!navigator.serviceWorker) return;
  await navigator.serviceWorker.register('/proof-offline.js', { scope: '/proof', updateViaCache: 'none' });
  await navigator.serviceWorker.ready;
  element('offline').hidden = false;
}

const asked = new URLSearchParams(location.search).get('of');
if (asked) what.value = asked;
element('form').hidden = false;
await prefill();
keepForOffline().catch((error) => console.warn(`The page will need the network: ${error.message}`));
