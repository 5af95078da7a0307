// What pages do beside showing: copy a value, show times in another way, bring newer rows. Nothing on a page needs it.

for (const value of document.querySelectorAll('[data-copy]')) {
  if (!navigator.clipboard) break;
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = 'Copy';
  button.setAttribute('aria-label', `Copy ${value.textContent.slice(0, 20)}…`);
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(value.textContent);
    button.textContent = 'Copied';
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 1500);
  });
  value.after(button);
}

// Times are written in UTC; the reader may choose local time, or how long ago it was. The exact one stays as the title.
const ageUnits = [
  ['d', 86_400],
  ['h', 3600],
  ['min', 60],
  ['s', 1],
];
const timeForms = {
  UTC: null,
  local: (date) => date.toLocaleString('sv-SE'),
  ago(date) {
    const seconds = (Date.now() - date.getTime()) / 1000;
    if (seconds < 0) return date.toLocaleString('sv-SE');
    const [unit, size] = ageUnits.find(([, length]) => seconds >= length * 2) ?? ageUnits.at(-1);
    return `${Math.floor(seconds / size)} ${unit} ago`;
  },
};
let timeForm = 'UTC';
try {
  timeForm = localStorage.getItem('times') ?? 'UTC';
} catch {
  // Storage is forbidden here: the choice holds for this page.
}
function showTimes() {
  const format = timeForms[timeForm] ?? null;
  for (const time of document.querySelectorAll('main td time[datetime], .strip time[datetime]')) {
    time.dataset.utc ??= time.textContent;
    time.textContent = format === null ? time.dataset.utc : format(new Date(time.dateTime));
    if (format !== null) time.title ||= `${time.dataset.utc} UTC`;
  }
}
const timesLine = document.querySelector('[data-times]');
if (timesLine) {
  const buttons = Object.keys(timeForms).map((form) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = form;
    button.addEventListener('click', () => {
      timeForm = form;
      try {
        localStorage.setItem('times', form);
      } catch {
        // As above.
      }
      mark();
      showTimes();
    });
    return button;
  });
  const mark = () => {
    for (const button of buttons) button.setAttribute('aria-pressed', button.textContent === timeForm);
  };
  mark();
  timesLine.replaceChildren('Times in lists:', ...buttons);
  if (timeForm !== 'UTC') showTimes();
  setInterval(() => timeForm === 'ago' && showTimes(), 10_000);
}

// A list that goes on: its rows come in by themselves, not while the reader is at one of them, and until they are paused.
const list = document.querySelector('[data-live]');
if (list && 'EventSource' in window) {
  const { live, liveName: name, liveCount } = list.dataset;
  const [usualPause, pauseAfterFailure] = [2000, 15_000];
  const box = document.createElement('div');
  box.className = 'live';
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'minor';
  box.append(button);
  list.before(box);
  /** How many are new since the rows were read. */
  let count = 0;
  let source = null;
  let isPlanned = false;
  let isPaused = false;

  const show = () => {
    const many = count >= 1000 ? '1,000 or more' : count;
    button.textContent = isPaused ? `Resume${count > 0 ? ` (${many} new ${name})` : ''}` : 'Pause';
    button.setAttribute('aria-label', isPaused ? `Show new ${name} again` : `Pause new ${name}`);
  };
  const parts = 'tbody, [data-live-rows]';
  const isRead = () => [...list.querySelectorAll(parts)].some((body) => body.matches(':hover, :focus-within'));
  /** Those of a strip that were not there: the style lets them come in. */
  const markNew = (former, next) => {
    if (!next.matches('[data-live-rows]')) return;
    const known = new Set([...former.querySelectorAll('a')].map(({ href }) => href));
    for (const item of next.children) item.classList.toggle('new', !known.has(item.querySelector('a')?.href));
  };
  const refresh = async () => {
    isPlanned = false;
    if (isPaused || count === 0) return;
    if (isRead()) return plan(usualPause);
    const known = count;
    const answer = await fetch(location.href).catch(() => null);
    if (!answer?.ok) return plan(pauseAfterFailure);
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    const bodies = page.querySelector('[data-live]')?.querySelectorAll(parts) ?? [];
    // Who has paused or pointed at a row meanwhile keeps it.
    if (isPaused || isRead()) return plan(usualPause);
    for (const [place, body] of list.querySelectorAll(parts).entries()) {
      if (!bodies[place]) continue;
      markNew(body, bodies[place]);
      body.replaceChildren(...bodies[place].childNodes);
    }
    if (timeForm !== 'UTC') showTimes();
    count -= known;
    plan(usualPause);
  };
  const plan = (ms) => {
    if (!isPlanned) setTimeout(refresh, ms);
    isPlanned = true;
  };
  const open = () => {
    source = new EventSource(live);
    source.addEventListener('message', ({ data }) => {
      count += liveCount === undefined ? 1 : JSON.parse(data)[liveCount];
      if (isPaused) show();
      else plan(usualPause);
      // Who does not look needs no exact number.
      if (isPaused && count >= 1000) close();
    });
  };
  const close = () => {
    source?.close();
    source = null;
  };
  button.addEventListener('click', () => {
    isPaused = !isPaused;
    if (!isPaused) {
      if (source === null) open();
      plan(0);
    }
    show();
  });
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) close();
    else if (source === null && count < 1000) open();
  });
  show();
  open();
}

// The search field shows what the text may mean so far. Arrows choose, Enter opens, Escape closes.
for (const field of document.querySelectorAll('form[role=search] input[name=q]')) {
  const box = document.createElement('ul');
  box.id = `${field.id}-suggestions`;
  box.className = 'suggestions';
  box.hidden = true;
  box.setAttribute('role', 'listbox');
  box.setAttribute('aria-label', 'What it may mean');
  field.form.append(box);
  field.setAttribute('role', 'combobox');
  field.setAttribute('aria-autocomplete', 'list');
  field.setAttribute('aria-controls', box.id);
  let asked = null;
  let wait = 0;
  let chosen = -1;
  const show = (isOpen) => {
    box.hidden = !isOpen;
    field.setAttribute('aria-expanded', isOpen);
    if (!isOpen) choose(-1);
  };
  const choose = (at) => {
    chosen = at;
    for (const [place, line] of [...box.children].entries()) line.setAttribute('aria-selected', place === at);
    if (at < 0) field.removeAttribute('aria-activedescendant');
    else field.setAttribute('aria-activedescendant', box.children[at].id);
  };
  const ask = async () => {
    asked?.abort();
    const text = field.value.trim();
    if (text.length < 2) return show(false);
    asked = new AbortController();
    const { signal } = asked;
    const answer = await fetch(`/search/suggest?q=${encodeURIComponent(text)}`, { signal }).catch(() => null);
    if (!answer?.ok || signal.aborted) return;
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    if (signal.aborted) return;
    box.replaceChildren(...page.querySelectorAll('li'));
    for (const [place, line] of [...box.children].entries()) {
      line.id = `${box.id}-${place}`;
      line.setAttribute('role', 'option');
    }
    choose(-1);
    show(box.children.length > 0 && document.activeElement === field);
  };
  field.addEventListener('input', () => {
    clearTimeout(wait);
    wait = setTimeout(ask, 150);
  });
  field.addEventListener('keydown', (event) => {
    if (box.hidden) return;
    const steps = { ArrowDown: 1, ArrowUp: -1 };
    if (event.key in steps) {
      const count = box.children.length;
      choose((chosen + steps[event.key] + count + (chosen < 0 && event.key === 'ArrowUp' ? 1 : 0)) % count);
    } else if (event.key === 'Enter' && chosen >= 0) location.assign(box.children[chosen].dataset.page);
    else if (event.key === 'Escape') show(false);
    else return;
    event.preventDefault();
  });
  // Before the field loses the focus.
  box.addEventListener('mousedown', (event) => event.preventDefault());
  box.addEventListener('click', ({ target }) => {
    const line = target.closest('li');
    if (line) location.assign(line.dataset.page);
  });
  field.addEventListener('blur', () => show(false));
  show(false);
}

// `/` leads to the search, `j` and `k` through the rows of a list, Enter opens the row that has the focus.
document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  if (event.target.closest?.('input, select, textarea, [contenteditable]')) return;
  if (event.key === '/') {
    const field = document.querySelector('form[role=search] input[name=q]');
    field?.focus();
    field?.select();
  } else if (event.key === 'j' || event.key === 'k') {
    const rows = [...document.querySelectorAll('main tbody tr')].filter((row) => row.querySelector('a[href]'));
    const at = rows.findIndex((row) => row.matches(':focus-within'));
    const next = at < 0 ? 0 : at + (event.key === 'j' ? 1 : -1);
    if (!rows[next]) return;
    rows[next].querySelector('a[href]').focus();
    rows[next].scrollIntoView({ block: 'nearest' });
  } else return;
  event.preventDefault();
});
