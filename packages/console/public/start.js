// Runs before the program, and before the first paint. It has no hash in its name, and is never cached. It uses nothing that is newer than
// 2020, so that older browsers can say that they cannot run the console.

// Sets the color scheme before the first paint: the one saved in this browser, or else the system's. Also uses the font, if the browser has it.
(() => {
  let chosen = null;
  try {
    chosen = localStorage.getItem('gatehouse-scheme');
    if (localStorage.getItem('gatehouse-font')) document.documentElement.setAttribute('data-font', '');
  } catch {
    // Storage is not available: use the system's scheme, and its font.
  }
  const dark =
    chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
})();

// Reads who is signed in, and what waits for them, while the browser loads the program (src/api/early.ts). People without a session get no refusal on the way to sign-in.
(() => {
  const base = `/org/${document.querySelector('meta[name=gatehouse-org]').content}`;
  const [, page] = /\/(sign-in|welcome|switch)\/?$/.exec(location.pathname) || [];
  if (page === 'welcome' || page === 'switch') return;
  const read = (path) =>
    fetch(base + path).then((response) => {
      if (!response.ok) throw new Error(`status ${response.status}`);
      return response.json().then((data) => ({ data, response }));
    });
  const early = { offer: read('/auth/') };
  if (page === undefined) {
    early.me = early.offer.then(({ data }) => (data.signed_in ? read('/api/me/') : null));
    const open = early.me.then((me) => (me && !me.data.second_factor_required ? me.data.role : null));
    early.work = open.then((role) => (role ? read('/api/work/') : null));
    if (/^(\/org\/[^/]+)?\/?$/.test(location.pathname))
      early.overview = open.then((role) =>
        ['owner', 'admin', 'auditor'].includes(role) ? read('/api/overview/') : null,
      );
  }
  // After a failure, the program asks again, and shows what is wrong.
  for (const asked of Object.values(early)) asked.catch(() => {});
  window.gatehouseEarly = early;
})();

// Watches the start of the console, so that the window is never left blank. While servers are replaced, the page of one release
// can reach a server of the other one, which does not have its files: they are then fetched until the right server responds.
(() => {
  const PAUSES_MS = [100, 200, 400, 800, 1600, 1600];
  const RECOVERING_MS = 3000;
  const SLOW_MS = 8000;
  const MOST_RELOADS = 3;
  const WITHIN_MS = 60000;
  const KEY = 'gatehouse-starts';
  const FILE = /https?:\/\/[^\s"']+\/assets\/[\w.-]+\.(js|css)/;

  const ENGLISH = {
    updated:
      'Gatehouse is being upgraded, and this page could not be loaded yet. If it does not appear soon, reload it in a minute.',
    failed:
      'The console could not start. Reload the page. If that does not help, use a current browser, or send this message to your administrator:',
    slow: 'The console is still loading.',
    reload: 'Reload',
  };
  const GERMAN = {
    updated:
      'Gatehouse wird gerade aktualisiert, und diese Seite konnte noch nicht geladen werden. Wenn sie nicht bald erscheint, laden Sie sie in einer Minute neu.',
    failed:
      'Die Konsole konnte nicht starten. Laden Sie die Seite neu. Wenn das nicht hilft, verwenden Sie einen aktuellen Browser, oder senden Sie diese Meldung an Ihren Administrator:',
    slow: 'Die Konsole wird noch geladen.',
    reload: 'Neu laden',
  };

  let isRecovering = false;

  function isDrawn() {
    const root = document.getElementById('root');
    return root !== null && root.firstElementChild !== null && root.firstElementChild.id !== 'start';
  }

  function words() {
    let tag = navigator.language;
    try {
      tag = localStorage.getItem('gatehouse-language') || tag;
    } catch (_) {
      // Storage is not available: use the browser's language.
    }
    return /^de\b/i.test(String(tag)) ? GERMAN : ENGLISH;
  }

  /** React removes the message when it draws the page. */
  function show(sentence, detail) {
    const root = document.getElementById('root');
    if (root === null || isDrawn()) return;
    const message = document.createElement('div');
    message.id = 'start';
    message.setAttribute('role', 'alert');
    message.style.cssText = 'max-width: 36em; margin: 15vh auto; padding: 0 16px; font: 16px/1.5 sans-serif';
    const text = document.createElement('p');
    text.textContent = words()[sentence];
    message.appendChild(text);
    if (detail) {
      const code = document.createElement('pre');
      code.style.whiteSpace = 'pre-wrap';
      code.textContent = detail;
      message.appendChild(code);
    }
    if (sentence !== 'slow') {
      const button = document.createElement('button');
      button.textContent = words().reload;
      button.onclick = () => location.reload();
      message.appendChild(button);
    }
    root.textContent = '';
    root.appendChild(message);
  }

  /** Whether the page may reload by itself once more. */
  function mayReload() {
    try {
      const starts = JSON.parse(sessionStorage.getItem(KEY) || '[]').filter(
        (time) => Date.now() - time < WITHIN_MS,
      );
      sessionStorage.setItem(KEY, JSON.stringify(starts.concat(Date.now())));
      return starts.length < MOST_RELOADS;
    } catch (_) {
      return false;
    }
  }

  /** Fetches a file into the browser's cache. Returns whether a server had it. */
  function bring(address, attempt = 0) {
    return fetch(address)
      .then((response) => {
        if (!response.ok) throw new Error(`status ${response.status}`);
        return response.arrayBuffer();
      })
      .then(() => true)
      .catch(() => {
        if (attempt >= PAUSES_MS.length) return false;
        return new Promise((resume) => setTimeout(resume, PAUSES_MS[attempt])).then(() =>
          bring(address, attempt + 1),
        );
      });
  }

  /** A style sheet that failed stays without effect, so a copy of its element takes its place. */
  function applyLater(link) {
    void bring(link.href).then((isThere) => {
      if (isThere) link.replaceWith(link.cloneNode());
    });
  }

  /** Fetches the scripts of the page, then starts again. */
  function recover(other) {
    if (isRecovering || isDrawn()) return;
    isRecovering = true;
    setTimeout(() => show('updated'), RECOVERING_MS);
    const scripts = [...document.querySelectorAll('link[rel=modulepreload], script[type=module]')];
    const addresses = scripts.map((element) => element.href || element.src);
    if (other) addresses.push(other);
    void Promise.all(addresses.map((address) => bring(address))).then(() => {
      if (isDrawn()) return;
      if (mayReload()) location.reload();
      else show('updated');
    });
  }

  function whenParsed(work) {
    if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', work);
    else work();
  }

  /** Returns whether the error is a missing file, which is fetched. Otherwise shows the error. */
  function fail(error) {
    const file = FILE.exec(String(error?.message));
    const text = String(error?.stack || error?.message || error).slice(0, 1000);
    whenParsed(() => {
      if (file !== null) recover(file[0]);
      else if (!isRecovering) show('failed', text);
    });
    return file !== null;
  }

  addEventListener(
    'error',
    (event) => {
      const { target } = event;
      if (target === window) fail(event.error || event.message);
      // Later, the console does this itself (kit/browser/files.ts).
      else if (isDrawn()) return;
      else if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') applyLater(target);
      else if (target instanceof HTMLLinkElement || target instanceof HTMLScriptElement)
        whenParsed(() => recover());
    },
    true,
  );
  addEventListener('unhandledrejection', (event) => fail(event.reason));
  // From main.tsx.
  addEventListener('gatehouse-failed', (event) => {
    if (fail(event.detail)) event.preventDefault();
  });
  setTimeout(() => {
    if (!isRecovering && !document.getElementById('start')) show('slow');
  }, SLOW_MS);
})();
