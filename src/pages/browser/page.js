// What pages do beside showing: copy a value, and say that newer rows are there. Nothing on a page needs it.

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

// A list that goes on is never changed under the reader: a button says how much is new, and loads the page again.
const list = document.querySelector('[data-live]');
if (list && 'EventSource' in window) {
  const { live, liveName: name, liveCount } = list.dataset;
  const box = document.createElement('div');
  box.className = 'live';
  box.setAttribute('role', 'status');
  document.querySelector('main').append(box);
  let count = 0;
  let source = null;
  const show = () => {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = `${count >= 1000 ? '1,000 or more' : count} new ${count === 1 ? name.replace(/s$/, '') : name} – show`;
    button.addEventListener('click', () => location.assign(location.pathname));
    box.replaceChildren(button);
  };
  const open = () => {
    source = new EventSource(live);
    source.addEventListener('message', ({ data }) => {
      count += liveCount === undefined ? 1 : JSON.parse(data)[liveCount];
      show();
      // Who does not look needs no exact number.
      if (count >= 1000) close();
    });
  };
  const close = () => {
    source?.close();
    source = null;
  };
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) close();
    else if (source === null && count < 1000) open();
  });
  open();
}
