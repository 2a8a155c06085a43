// Search, and buttons that copy commands. The index is loaded when somebody first searches; nothing leaves this server.
import MiniSearch from 'minisearch';

const { up } = document.body.dataset;
const input = document.getElementById('search');
const list = document.getElementById('found');
const MOST = 12;
let index;

const load = () => {
  index ??= fetch(`${up}/search.json`).then(async (response) => {
    if (!response.ok) throw new Error(`status ${response.status}`);
    return MiniSearch.loadJSON(await response.text(), { fields: ['title', 'heading', 'text'] });
  });
  return index;
};

const element = (name, text, attributes = {}) => {
  const made = document.createElement(name);
  made.textContent = text;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
};

function option({ title, heading, id }, at) {
  const item = element('li', '', { role: 'option', id: `found-${at}`, 'aria-selected': at === 0 });
  const link = element('a', heading, { href: `${up}/${id}`, tabindex: -1 });
  if (title !== heading) link.append(element('small', title));
  item.append(link);
  return item;
}

async function search() {
  const words = input.value.trim();
  if (words === '') return close();
  let found;
  try {
    const boost = { title: 2, heading: 4 };
    const loaded = await load();
    found = loaded.search(words, { prefix: true, fuzzy: 0.15, combineWith: 'AND', boost });
  } catch {
    index = undefined;
    list.replaceChildren(element('li', 'The search could not be loaded. Try again.', { class: 'none' }));
    list.hidden = false;
    return;
  }
  if (words !== input.value.trim()) return;
  const options = found.slice(0, MOST).map(option);
  const none = element('li', `Nothing contains "${words}".`, { class: 'none' });
  list.replaceChildren(...(options.length > 0 ? options : [none]));
  list.hidden = false;
  input.setAttribute('aria-expanded', 'true');
  select(0);
}

function close() {
  list.hidden = true;
  input.setAttribute('aria-expanded', 'false');
  input.removeAttribute('aria-activedescendant');
}

const options = () => [...list.querySelectorAll('[role=option]')];

function select(at) {
  const all = options();
  const chosen = all[(at + all.length) % all.length];
  for (const one of all) one.setAttribute('aria-selected', String(one === chosen));
  if (chosen === undefined) return;
  input.setAttribute('aria-activedescendant', chosen.id);
  chosen.scrollIntoView({ block: 'nearest' });
}

const selected = () => options().findIndex((one) => one.getAttribute('aria-selected') === 'true');

const ofSearch = {
  ArrowDown: () => select(selected() + 1),
  ArrowUp: () => select(selected() - 1),
  Enter: () => options()[selected()]?.querySelector('a').click(),
  Escape: close,
};

input.addEventListener('focus', () => void load().catch(() => {}));
input.addEventListener('input', search);
input.addEventListener('keydown', (event) => {
  const act = list.hidden ? undefined : ofSearch[event.key];
  if (act === undefined) return;
  event.preventDefault();
  act();
});
list.addEventListener('click', close);
document.addEventListener('click', ({ target }) => {
  if (!target.closest('search')) close();
});
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || event.target.closest('input'))
    return;
  event.preventDefault();
  input.focus();
});

for (const block of document.querySelectorAll('pre')) {
  const frame = element('div', '', { class: 'code' });
  block.replaceWith(frame);
  const button = element('button', 'Copy', { type: 'button' });
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(block.textContent);
    button.textContent = 'Copied';
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 2000);
  });
  frame.append(block, button);
}
