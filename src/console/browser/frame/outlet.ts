/** Shows the page of the address. */
import { html } from 'htm/preact';
import type { FunctionComponent } from 'preact';
import { useEffect, useErrorBoundary, useState } from 'preact/hooks';
import { t } from '../app/language.ts';
import { venue } from '../app/places.ts';
import { reloadOnce } from '../app/reload.ts';
import { address, matchPath, type PageProps, type Params } from '../app/router.ts';
import { isPlatform, may, operatorOf, partnerRoles } from '../app/session.ts';
import { Empty } from '../components/notice.ts';
import {
  OPERATOR_PAGES,
  OWN_PAGES,
  PARTNER_PAGES,
  type PageEntry,
  PLATFORM_PAGES,
  PUBLIC_PAGES,
  VENUE_PAGES,
} from './pages.ts';

const PAGES: PageEntry[] = [
  ...PUBLIC_PAGES,
  ...OWN_PAGES,
  ...VENUE_PAGES,
  ...OPERATOR_PAGES,
  ...PLATFORM_PAGES,
  ...PARTNER_PAGES,
];

interface Found {
  page: PageEntry;
  params: Params;
}

function findPage(pathname: string): Found | undefined {
  for (const page of PAGES) {
    const params = matchPath(`/console${page.path}`, pathname);
    if (params) return { page, params };
  }
  return undefined;
}

/** The page is not shown to a role that may not read it; the service would refuse it anyway. */
function mayOpen(page: PageEntry, params: Params): boolean {
  if (PLATFORM_PAGES.includes(page)) return isPlatform.value;
  if (PARTNER_PAGES.includes(page))
    return isPlatform.value || partnerRoles.value.some((role) => String(role.partnerId) === params.partnerId);
  if (page.least === undefined) return true;
  return may(
    params.venueId === undefined ? Number(params.operatorId) : operatorOf(params.venueId),
    page.least,
  );
}

/** From the navigation into the page that it has opened, for those who read with keys or by ear. */
function focusPage(): void {
  if (document.activeElement?.closest('.side nav')) document.getElementById('page')?.focus();
}

export function Outlet() {
  const { path } = address.value;
  const found = findPage(path);
  const isOpen = found !== undefined && mayOpen(found.page, found.params);
  // Without it a page that throws while it is drawn stays half drawn, and its effects begin again with every change.
  const [failure, forget] = useErrorBoundary((error) => console.error(error));
  const [loaded, setLoaded] = useState<{ page: PageEntry; component: FunctionComponent<PageProps> }>();
  useEffect(() => {
    if (!found || !isOpen) return;
    let isWanted = true;
    found.page.load().then(
      (module) => isWanted && setLoaded({ page: found.page, component: module.default }),
      () => isWanted && reloadOnce(),
    );
    return () => {
      isWanted = false;
    };
  }, [found?.page, isOpen]);
  useEffect(() => forget, [path]);
  useEffect(focusPage, [loaded?.page]);
  useEffect(() => {
    const place = venue.value ? ` · ${venue.value.name}` : '';
    document.title = found ? `${t.pages[found.page.title]}${place} · Maitred` : 'Maitred';
  }, [found?.page, venue.value]);

  if (!found) {
    if (/^\/console\/?$/.test(path)) return null;
    return html`<${Empty} isWhole title=${t.frame.noSuchPage} text=${t.frame.noSuchPageText}><a class="button" href="/console">${t.frame.home}</a><//>`;
  }
  if (!isOpen) {
    return html`<${Empty} isWhole title=${t.frame.notYours} text=${t.frame.notYoursText}><a class="button" href="/console">${t.frame.home}</a><//>`;
  }
  if (failure !== undefined) {
    return html`<${Empty} isWhole title=${t.frame.failed} text=${t.frame.failedText}><button type="button" class="button" onClick=${() => location.reload()}>${t.frame.reload}</button><//>`;
  }
  if (loaded?.page !== found.page) return html`<div class="placeholder" aria-busy="true"></div>`;
  // Another venue or operator is another page: nothing of the former stays.
  return html`<${loaded.component} key=${path} params=${found.params} />`;
}
