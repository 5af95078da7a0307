// What is the visitor's alone: notes beside ids, which stay in this browser, and pictures that were asked for. Nothing on
// a page needs it.

const maxNote = 200;
const storeName = `notes ${location.pathname.split('/')[1]}`;

function readNotes() {
  try {
    const read = JSON.parse(localStorage.getItem(storeName) ?? '{}');
    return new Map(Object.entries(read).filter(([, text]) => typeof text === 'string'));
  } catch {
    return new Map();
  }
}

const notes = readNotes();
const idOfPath = /^\/[^/]+\/(?:account|contract|token|topic)\/(\d+\.\d+\.\d+)$/;

function showBeside(part) {
  if (notes.size === 0) return;
  for (const anchor of part.querySelectorAll('a[href]')) {
    const [, id] = idOfPath.exec(anchor.getAttribute('href')) ?? [];
    const text = id === undefined ? undefined : notes.get(id);
    // Ways to the parts of a page name its id, too.
    if (text === undefined || anchor.dataset.noted || anchor.closest('nav')) continue;
    anchor.dataset.noted = 'yes';
    const mark = document.createElement('span');
    mark.className = 'label own';
    mark.textContent = text;
    anchor.after(' ', mark);
  }
}

function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

function showNote(place) {
  const id = place.dataset.note;
  const text = notes.get(id);
  const change = element('button', {
    type: 'button',
    className: 'minor quiet',
    textContent: text ? 'Change' : 'Add a note',
  });
  change.addEventListener('click', () => editNote(place));
  const shown = text ? [element('strong', { textContent: 'Your note: ' }), text, ' '] : [];
  place.replaceChildren(...shown, change);
}

function editNote(place) {
  const id = place.dataset.note;
  const input = element('input', { value: notes.get(id) ?? '', maxLength: maxNote, autocomplete: 'off' });
  input.setAttribute('aria-label', `Your note on ${id}`);
  const form = element('form', { className: 'note-form' }, input, ' ', element('button', { textContent: 'Keep' }));
  const words = element('span', { className: 'faint', textContent: ' It stays in this browser, and is sent nowhere.' });
  form.append(words);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const text = input.value.trim();
    if (text === '') notes.delete(id);
    else notes.set(id, text);
    try {
      localStorage.setItem(storeName, JSON.stringify(Object.fromEntries(notes)));
    } catch {
      // Without storage the note is there until the page is left.
    }
    showNote(place);
  });
  place.replaceChildren(form);
  input.focus();
}

for (const place of document.querySelectorAll('[data-note]')) showNote(place);
const content = document.querySelector('main');
if (content) {
  showBeside(content);
  // Rows that come in by themselves.
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes) {
      for (const node of addedNodes) if (node instanceof Element) showBeside(node);
    }
  }).observe(content, { childList: true, subtree: true });
}

// A picture whose address stands in a file: the visitor has chosen the host, and the page's policy allows no other.
const maxDescription = 1_000_000;

async function readText(answer) {
  const reader = answer.body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    text += decoder.decode(value, { stream: true });
    if (text.length > maxDescription) {
      await reader.cancel();
      throw new Error('The description is too long.');
    }
  }
}

function resolve(address, figure) {
  const [, rest] = /^ipfs:\/\/(?:ipfs\/)?([\w./%+~ -]+)$/i.exec(address) ?? [];
  if (rest && figure.dataset.ipfs) return figure.dataset.ipfs + encodeURI(decodeURI(rest));
  return address;
}

async function findImage(figure) {
  const { described } = figure.dataset;
  const answer = await fetch(described, { credentials: 'omit', referrerPolicy: 'no-referrer' });
  if (!answer.ok) throw new Error(`The host answered ${answer.status}.`);
  if (/^image\//i.test(answer.headers.get('content-type') ?? '')) return described;
  const { image } = JSON.parse(await readText(answer));
  if (typeof image !== 'string') throw new Error('The description names no picture.');
  return resolve(image.trim(), figure);
}

function tell(figure, text) {
  figure.querySelector('p').textContent = text;
}

async function showPicture(figure) {
  const address = await findImage(figure);
  const isHere = /^data:image\//i.test(address);
  const url = URL.canParse(address) ? new URL(address) : null;
  const isAllowed = isHere || url?.origin === new URL(figure.dataset.described).origin;
  if (!isAllowed) {
    const where = url && /^https?:$/.test(url.protocol) ? url : null;
    tell(figure, where ? 'Its picture is elsewhere: ' : 'Its picture has an address that browsers do not open.');
    if (where) {
      const anchor = element('a', {
        href: where.href,
        rel: 'noopener noreferrer nofollow ugc',
        textContent: where.host,
      });
      figure.querySelector('p').append(anchor);
    }
    return;
  }
  const picture = element('img', { alt: 'The picture of this NFT', referrerPolicy: 'no-referrer' });
  picture.addEventListener('error', () => {
    picture.remove();
    tell(figure, 'The picture could not be shown.');
  });
  tell(figure, '');
  picture.src = address;
  figure.prepend(picture);
}

for (const figure of document.querySelectorAll('[data-described]')) {
  showPicture(figure).catch((error) => tell(figure, `The picture could not be found. ${error.message}`));
}
