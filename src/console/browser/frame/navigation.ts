import { html } from 'htm/preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { path } from '../app/api.ts';
import { t } from '../app/language.ts';
import { operatorId, operators, partnerId, partners, venueId, venues } from '../app/places.ts';
import { address, go, matchPath } from '../app/router.ts';
import { isPlatform, may, signOut, user } from '../app/session.ts';
import { BrandMark } from '../components/brand.ts';
import { Icon } from '../components/icon.ts';
import { NextStep } from './next-step.ts';
import { OPERATOR_PAGES, PARTNER_PAGES, type PageEntry, PLATFORM_PAGES, VENUE_PAGES } from './pages.ts';
import { Search } from './search.ts';

/** The address of a page for the venue, operator or partner that the user is at. */
function hrefOf(page: PageEntry): string {
  const ids: Record<string, string | number | undefined> = {
    venueId: lastVenueId() ?? '',
    operatorId: operatorId.value,
    partnerId: partnerId.value,
  };
  return `/console${page.path.replace(/:(\w+)/g, (_, name) => encodeURIComponent(String(ids[name] ?? '')))}`;
}

/** On a page of the operator, the links of a venue lead to the one that was open before. */
function lastVenueId(): string | undefined {
  if (venueId.value !== undefined) return venueId.value;
  const last = localStorage.getItem('maitred.venue');
  return venues.value.some(({ id }) => id === last) ? (last ?? undefined) : venues.value[0]?.id;
}

const Link = ({ page }: { page: PageEntry }) => html`
  <a
    href=${hrefOf(page)}
    aria-current=${matchPath(`/console${page.path}`, address.value.path) ? 'page' : undefined}
  >
    <${Icon} name=${page.icon} /> <span>${t.pages[page.title]}</span>
  </a>
`;

const Group = ({ title, pages }: { title: string; pages: readonly PageEntry[] }) =>
  pages.length > 0 &&
  html`
    <div role="group" aria-label=${title}>
      <p class="side-title">${title}</p>
      ${pages.map((page) => html`<${Link} key=${page.path} page=${page} />`)}
    </div>
  `;

function groups() {
  const operator = operatorId.value;
  const allowed = (pages: readonly PageEntry[]) =>
    operator === undefined ? [] : pages.filter(({ least = 'staff' }) => may(operator, least));
  const name = operators.value.find(({ id }) => id === operator)?.name;
  return html`
    ${operator !== undefined && lastVenueId() !== undefined && html`<${Group} title=${venues.value.find(({ id }) => id === lastVenueId())?.name ?? t.frame.venue} pages=${allowed(VENUE_PAGES)} />`}
    ${operator !== undefined && html`<${Group} title=${name ?? t.frame.operator} pages=${allowed(OPERATOR_PAGES)} />`}
    ${isOwnPartner() && html`<${Group} title=${partnerName() ?? t.frame.partner} pages=${PARTNER_PAGES} />`}
    ${isPlatform.value && html`<${Group} title=${t.frame.platform} pages=${PLATFORM_PAGES} />`}
  `;
}

/** The address may name one that is not the user's. */
const isOwnPartner = () => partnerId.value !== undefined && (isPlatform.value || partnerName() !== undefined);

const partnerName = () => partners.value.find(({ id }) => id === partnerId.value)?.name;

/** Stays on the same page where the other place has it. */
function goToVenue(id: string): void {
  const page = VENUE_PAGES.find((entry) => matchPath(`/console${entry.path}`, address.peek().path));
  go(
    page
      ? `/console${page.path.replace(':venueId', encodeURIComponent(id))}`
      : path`/console/venues/${id}/tonight`,
  );
}

function goToPartner(id: string): void {
  const page = PARTNER_PAGES.find((entry) => matchPath(`/console${entry.path}`, address.peek().path));
  go(`/console${(page?.path ?? '/partners/:partnerId/start').replace(':partnerId', encodeURIComponent(id))}`);
}

function Switcher() {
  const choice = (event: Event) => (event.currentTarget as HTMLSelectElement).value;
  const showsOperators = operators.value.length > 1 || (isPlatform.value && operators.value.length > 0);
  const showsPartners =
    partners.value.length > 0 && (isPlatform.value || partners.value.length + operators.value.length > 1);
  return html`
    <div class="switcher">
      ${
        showsOperators &&
        html`<select
          aria-label=${t.frame.operator}
          value=${operatorId.value ?? ''}
          onChange=${(event: Event) => go(`/console/operators/${choice(event)}/bookings`)}
        >
          ${operatorId.value === undefined && html`<option value="">${t.frame.chooseOperator}</option>`}
          ${operators.value.map(({ id, name }) => html`<option value=${id} selected=${id === operatorId.value}>${name}</option>`)}
        </select>`
      }
      ${
        operatorId.value !== undefined &&
        venues.value.length > 0 &&
        html`<select
          aria-label=${t.frame.venue}
          value=${venueId.value ?? ''}
          onChange=${(event: Event) => goToVenue(choice(event))}
        >
          ${venueId.value === undefined && html`<option value="">${t.frame.allVenues}</option>`}
          ${venues.value.map(({ id, name }) => html`<option value=${id} selected=${id === venueId.value}>${name}</option>`)}
        </select>`
      }
      ${
        showsPartners &&
        html`<select
          aria-label=${t.frame.partner}
          value=${partnerId.value ?? ''}
          onChange=${(event: Event) => goToPartner(choice(event))}
        >
          ${partnerId.value === undefined && html`<option value="">${t.frame.choosePartner}</option>`}
          ${partners.value.map(({ id, name }) => html`<option value=${id} selected=${id === partnerId.value}>${name}</option>`)}
        </select>`
      }
    </div>
  `;
}

/** A bar at the side; on phones it opens over the page. */
export function Navigation() {
  const [isOpen, setOpen] = useState(false);
  const nav = useRef<HTMLElement>(null);
  const { path: pathname } = address.value;
  useEffect(() => {
    nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
  }, [pathname, operatorId.value, isOpen]);
  return html`
    <header class=${isOpen ? 'side is-open' : 'side'} onClick=${(event: Event) => (event.target as Element).closest('nav a') && setOpen(false)}>
      <div class="side-top">
        <a class="brand" href="/console" aria-label=${t.frame.home}><${BrandMark} /></a>
        <${Switcher} />
        <button
          type="button"
          class="button quiet icon-only menu-button"
          aria-label=${t.frame.menu}
          aria-expanded=${isOpen}
          onClick=${() => setOpen(!isOpen)}
        >
          <${Icon} name=${isOpen ? 'close' : 'menu'} />
        </button>
      </div>
      <div class="side-rest">
        ${operatorId.value !== undefined && html`<${Search} operatorId=${operatorId.value} />`}
        <${NextStep} where="side" />
        <nav ref=${nav} aria-label=${t.frame.navigation}>${groups()}</nav>
        <div class="side-foot">
          <a href="/console/account"><${Icon} name="user" /> <span>${user.value?.name}</span></a>
          <button type="button" class="button quiet" onClick=${() => signOut()}>
            <${Icon} name="out" /> <span>${t.frame.signOut}</span>
          </button>
        </div>
      </div>
    </header>
  `;
}
