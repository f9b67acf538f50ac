// What an exported page does by itself: search, fold, switch the theme, show where one is. It writes no markup and asks
// nobody for anything; without it everything can still be read.
'use strict';
(() => {
  const all = (selector, within = document) => Array.from(within.querySelectorAll(selector));
  const one = (id) => document.getElementById(id);
  const root = document.documentElement;
  const bar = document.querySelector('.bar');
  if (!bar) return;
  bar.hidden = false;

  // The theme: the system's until the person chooses.
  const KEY = 'bellwether.theme';
  const kept = (act) => {
    try {
      return act(localStorage);
    } catch {
      return null;
    }
  };
  const chosen = kept((store) => store.getItem(KEY));
  if (chosen === 'dark' || chosen === 'light') root.dataset.theme = chosen;
  const isDark = () => root.dataset.theme === 'dark' || (!root.dataset.theme && matchMedia('(prefers-color-scheme: dark)').matches);
  const turnTheme = () => {
    root.dataset.theme = isDark() ? 'light' : 'dark';
    kept((store) => store.setItem(KEY, root.dataset.theme));
  };
  one('theme').addEventListener('click', turnTheme);

  // Folding.
  const folds = () => all('details.call, details.thinking, details.agent, details.note');
  const unfold = () => {
    const every = folds();
    const open = every.some((fold) => !fold.open);
    for (const fold of every) fold.open = open;
  };
  one('unfold')?.addEventListener('click', unfold);
  const reveal = (element) => {
    for (let at = element; at; at = at.parentElement) if (at.tagName === 'DETAILS') at.open = true;
  };
  const followHash = () => {
    const target = location.hash.length > 1 ? one(decodeURIComponent(location.hash.slice(1))) : null;
    if (!target) return;
    reveal(target);
    target.scrollIntoView();
  };
  addEventListener('hashchange', followHash);
  followHash();

  const box = one('search');
  const told = one('found');
  const later = (act, ms) => {
    let timer;
    return () => {
      clearTimeout(timer);
      timer = setTimeout(act, ms);
    };
  };

  // The list of sessions: its rows are filtered and sorted.
  const sessions = document.querySelector('.sessions');
  if (sessions) {
    const body = sessions.tBodies[0];
    const rows = Array.from(body.rows);
    const words = rows.map((row) => row.textContent.toLowerCase());
    const filter = () => {
      const wanted = box.value.toLowerCase().split(/\s+/).filter(Boolean);
      let left = 0;
      rows.forEach((row, at) => {
        row.hidden = !wanted.every((word) => words[at].includes(word));
        if (!row.hidden) left += 1;
      });
      told.textContent = wanted.length > 0 ? `${left} of ${rows.length}` : '';
      one('nothing').hidden = left > 0;
    };
    box.addEventListener('input', filter);
    all('th[data-sort]', sessions).forEach((head, column) => {
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = head.textContent;
      head.replaceChildren(button);
      const value = (row) => row.cells[column].dataset.value;
      const compare = head.dataset.sort === 'n' ? (a, b) => value(b) - value(a) : (a, b) => value(a).localeCompare(value(b));
      button.addEventListener('click', () => {
        const turned = head.getAttribute('aria-sort') === 'descending';
        for (const other of all('th[aria-sort]', sessions)) other.removeAttribute('aria-sort');
        head.setAttribute('aria-sort', turned ? 'ascending' : 'descending');
        body.append(...[...rows].sort((a, b) => (turned ? compare(b, a) : compare(a, b))));
      });
    });
  }

  // The search within a session.
  const MOST = 5000;
  let units = null;
  let hits = [];
  let now = -1;
  const canMark = typeof CSS !== 'undefined' && 'highlights' in CSS && typeof Highlight === 'function';
  const look = () => {
    units ??= all('.u').map((element) => ({ element, text: element.textContent.toLowerCase() }));
    const wanted = box.value.toLowerCase();
    hits = [];
    now = -1;
    if (wanted.length > 1) {
      for (const { element, text } of units) {
        for (let at = text.indexOf(wanted); at >= 0 && hits.length < MOST; at = text.indexOf(wanted, at + wanted.length)) {
          hits.push({ element, at, length: wanted.length });
        }
      }
    }
    mark();
    if (hits.length > 0) go(0);
    else say();
  };
  const rangeOf = ({ element, at, length }) => {
    const range = new Range();
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    let before = 0;
    let begun = false;
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const end = before + node.length;
      if (!begun && at < end) {
        range.setStart(node, at - before);
        begun = true;
      }
      if (begun && at + length <= end) {
        range.setEnd(node, at + length - before);
        return range;
      }
      before = end;
    }
    return null;
  };
  const mark = () => {
    for (const element of all('.hit-now')) element.classList.remove('hit-now');
    if (!canMark) return;
    CSS.highlights.clear();
    const ranges = hits.slice(0, 1000).map(rangeOf).filter(Boolean);
    if (ranges.length > 0) CSS.highlights.set('hit', new Highlight(...ranges));
  };
  const say = () => {
    const many = hits.length >= MOST ? `${MOST}+` : String(hits.length);
    told.textContent = box.value.length < 2 ? '' : hits.length > 0 ? `${now + 1} of ${many}` : 'nothing found';
  };
  const go = (to) => {
    if (hits.length === 0) return;
    now = (to + hits.length) % hits.length;
    const hit = hits[now];
    reveal(hit.element);
    const range = rangeOf(hit);
    for (const element of all('.hit-now')) element.classList.remove('hit-now');
    if (canMark && range) {
      const current = new Highlight(range);
      current.priority = 1;
      CSS.highlights.set('hit-now', current);
    } else {
      hit.element.classList.add('hit-now');
    }
    const place = (range?.startContainer.parentElement ?? hit.element);
    place.scrollIntoView({ block: 'center' });
    say();
  };
  if (!sessions) {
    box.addEventListener('input', later(look, 160));
    box.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') {
        event.preventDefault();
        if (now < 0) look();
        else go(now + (event.shiftKey ? -1 : 1));
      }
    });
    one('before').addEventListener('click', () => go(now - 1));
    one('after').addEventListener('click', () => go(now + 1));
  }
  box.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    box.value = '';
    box.dispatchEvent(new Event('input'));
    box.blur();
  });

  // Where one is, in the list of turns.
  const turns = all('.turn[id]');
  const links = new Map(all('.contents a').map((link) => [link.hash.slice(1), link]));
  const narrow = matchMedia('(max-width: 980px)');
  const list = document.querySelector('.contents details');
  if (list && narrow.matches) list.open = false;
  narrow.addEventListener('change', () => {
    if (list) list.open = !narrow.matches;
  });
  let current = null;
  const show = (turn) => {
    if (turn === current) return;
    current = turn;
    for (const link of links.values()) link.removeAttribute('aria-current');
    const link = links.get(turn.id);
    link?.setAttribute('aria-current', 'true');
    if (!narrow.matches) link?.scrollIntoView({ block: 'nearest' });
  };
  if (turns.length > 0) {
    const watch = new IntersectionObserver((seen) => {
      const top = seen.filter((entry) => entry.isIntersecting).map((entry) => entry.target);
      if (top.length > 0) show(top[0]);
    }, { rootMargin: '-72px 0px -70% 0px' });
    for (const turn of turns) watch.observe(turn);
  }
  const step = (by) => {
    const at = turns.findIndex((turn) => turn.getBoundingClientRect().bottom > 80);
    const from = at < 0 ? turns.length - 1 : at;
    const begins = turns[from]?.getBoundingClientRect().top ?? 0;
    const to = by < 0 && begins < 60 ? from : from + (by > 0 && begins > 80 ? 0 : by);
    const turn = turns[Math.max(0, Math.min(turns.length - 1, to))];
    turn?.scrollIntoView();
    turn?.querySelector('h2 a')?.focus({ preventScroll: true });
  };

  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.('input')) return;
    const act = { '/': () => box.focus(), t: turnTheme, u: unfold, j: () => step(1), k: () => step(-1), n: () => go(now + 1), p: () => go(now - 1) }[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
})();
