/** What is around every page: who is signed in, the navigation, messages, and the state of the connection. */
import { effect } from '@preact/signals';
import { html } from 'htm/preact';
import { useEffect, useState } from 'preact/hooks';
import { api, isConnected, sessionEnded } from '../app/api.ts';
import { t } from '../app/language.ts';
import {
  homeAddress,
  loadOperators,
  loadPartners,
  loadVenues,
  operatorId,
  rememberVenue,
  venueId,
} from '../app/places.ts';
import { address, go, matchPath } from '../app/router.ts';
import { loadSession, may, user } from '../app/session.ts';
import { shortcuts, useShortcuts } from '../app/shortcuts.ts';
import { Dialog } from '../components/dialog.ts';
import { Icon } from '../components/icon.ts';
import { Toasts } from '../components/toast-list.ts';
import SignIn from '../pages/account/sign-in.ts';
import { Navigation } from './navigation.ts';
import { NextStep, useNextStep } from './next-step.ts';
import { Outlet } from './outlet.ts';
import { PUBLIC_PAGES } from './pages.ts';

const isPublic = (pathname: string) =>
  PUBLIC_PAGES.some((page) => matchPath(`/console${page.path}`, pathname) !== undefined);

/** A session that has ended is noticed by the next call: the page waits below the form to sign in again. */
effect(() => {
  if (sessionEnded.value > 0 && user.peek()) user.value = null;
});

effect(() => {
  if (venueId.value !== undefined) rememberVenue(venueId.value);
});

/** Asks for as long as the connection is lost; the first answer brings the pages back. */
const PROBE_MS = 2_000;
effect(() => {
  if (isConnected.value) return;
  const timer = setInterval(() => api.get('/health/live').catch(() => {}), PROBE_MS);
  return () => clearInterval(timer);
});

async function openHome(): Promise<void> {
  go(await homeAddress(), { replace: true });
}

export function Frame() {
  useNextStep();
  const { path } = address.value;
  const who = user.value;
  useEffect(() => {
    loadSession().catch(() => {});
  }, []);
  useEffect(() => {
    if (!who) return;
    loadOperators().catch(() => {});
    loadPartners().catch(() => {});
  }, [who?.id]);
  useEffect(() => {
    if (who && /^\/console\/?$/.test(path)) openHome();
  }, [who, path]);
  const operator = operatorId.value;
  useEffect(() => {
    if (who && operator !== undefined && may(operator, 'staff')) loadVenues(operator).catch(() => {});
  }, [who, operator]);

  const banner =
    !isConnected.value &&
    html`
    <div class="banner" role="status"><${Icon} name="warning" /> ${t.frame.connectionLost}</div>
  `;
  if (isPublic(path)) return html`${banner}<${Outlet} /><${Toasts} />`;
  if (who === undefined) return html`${banner}<div class="placeholder whole" aria-busy="true"></div>`;
  if (who === null) return html`${banner}<${SignIn} /><${Toasts} />`;
  return html`
    <a class="skip" href="#page" onClick=${skipToPage}>${t.frame.skip}</a>
    <div class="frame">
      <${Navigation} />
      <main id="page" tabindex="-1">${banner}<${NextStep} where="top" /><${Outlet} /></main>
    </div>
    <${Toasts} />
    <${Help} />
  `;
}

function skipToPage(event: Event): void {
  event.preventDefault();
  document.getElementById('page')?.focus();
}

/** Names of keys that no letter says. */
const NAMES: Record<string, string> = {
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
  ' ': 'Space',
};

const nameOf = (key: string) => NAMES[key] ?? (key.length === 1 ? key.toUpperCase() : key);

/** The keys that can be pressed now. */
function Help() {
  const [isOpen, setOpen] = useState(false);
  useShortcuts([{ key: '?', label: t.frame.help, run: () => setOpen(true) }]);
  if (!isOpen) return null;
  return html`
    <${Dialog} title=${t.frame.keys} onClose=${() => setOpen(false)}>
      <dl class="keys">
        ${shortcuts.value.map(
          ({ key, label }) => html`<div key=${key}><dt><kbd>${nameOf(key)}</kbd></dt><dd>${label}</dd></div>`,
        )}
      </dl>
    <//>
  `;
}
