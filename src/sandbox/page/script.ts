/**
 * Keeps the token, removes it from the address bar, and loads every other second what the server renders for the path
 * after `#`. Only the server turns texts into HTML, escaped.
 */
export const script = `
'use strict';
const main = document.querySelector('main');
const signIn = document.querySelector('#sign-in');
const nav = document.querySelector('nav');
const problem = document.querySelector('[role=status]');
const everyMs = 1500;
let token = sessionStorage.getItem('token');
let shown = '';
let number = 0;
let timer;

function takeToken() {
  const given = new URLSearchParams(location.hash.slice(1)).get('token');
  if (given === null) return;
  keep(given.trim());
  history.replaceState(null, '', '#/orders');
}

function keep(given) {
  token = given;
  sessionStorage.setItem('token', given);
}

function path() {
  const { hash } = location;
  return hash.startsWith('#/') ? hash.slice(1) : '/orders';
}

function askForToken(text) {
  token = null;
  shown = '';
  sessionStorage.removeItem('token');
  main.replaceChildren();
  problem.textContent = text;
  signIn.hidden = false;
  nav.hidden = true;
  signIn.querySelector('input').focus();
}

async function show(isNew) {
  clearTimeout(timer);
  if (!token) return askForToken('');
  const own = ++number;
  const wanted = path();
  try {
    const response = await fetch('/_sandbox/page' + wanted, { headers: { Authorization: 'Bearer ' + token }, cache: 'no-store' });
    const text = await response.text();
    if (own !== number) return;
    if (response.status === 401) return askForToken('This is not the admin token of the sandbox that is served here.');
    if (!response.headers.get('Content-Type')?.startsWith('text/html')) throw new Error(text);
    problem.textContent = '';
    signIn.hidden = true;
    nav.hidden = false;
    place(text, isNew, wanted);
  } catch {
    if (own !== number) return;
    problem.textContent = 'The sandbox does not respond. Trying again…';
  }
  timer = setTimeout(() => show(false), document.hidden ? 10 * everyMs : everyMs);
}

function place(text, isNew, wanted) {
  const isSelecting = !isNew && !getSelection().isCollapsed && main.contains(getSelection().anchorNode);
  if ((text === shown && !isNew) || isSelecting) return;
  shown = text;
  const focused = main.contains(document.activeElement) ? document.activeElement.getAttribute('href') : null;
  main.innerHTML = text;
  const section = wanted.split(/[/?]/)[1];
  for (const link of nav.querySelectorAll('a')) {
    if (link.hash === '#/' + section) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  const heading = main.querySelector('h1');
  document.title = heading.textContent + ' · SANDBOX';
  heading.tabIndex = -1;
  if (isNew) {
    scrollTo(0, 0);
    heading.focus({ preventScroll: true });
  } else if (focused !== null) {
    [...main.querySelectorAll('a')].find((link) => link.getAttribute('href') === focused)?.focus({ preventScroll: true });
  }
}

main.addEventListener('click', async ({ target }) => {
  if (!target.matches('.copy button')) return;
  const label = target.textContent;
  await navigator.clipboard.writeText(target.parentElement.querySelector('pre').textContent);
  target.textContent = 'Copied';
  setTimeout(() => { target.textContent = label; }, 1500);
});
document.querySelector('.skip').addEventListener('click', (event) => {
  event.preventDefault();
  (main.querySelector('h1') ?? signIn.querySelector('input')).focus();
});
signIn.querySelector('form').addEventListener('submit', (event) => {
  event.preventDefault();
  const input = event.target.elements.token;
  if (input.value.trim() === '') return;
  keep(input.value.trim());
  input.value = '';
  show(true);
});
addEventListener('hashchange', () => { takeToken(); show(true); });
document.addEventListener('visibilitychange', () => { if (!document.hidden) show(false); });
takeToken();
show(true);
`;
