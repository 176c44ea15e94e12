import { html } from 'htm/preact';
import type { ComponentChildren } from 'preact';
import { t } from '../../app/language.ts';
import { Icon } from '../../components/icon.ts';
import type { Using } from './drafts.ts';

export interface PreorderEntry {
  id: number;
  name: string;
  description: string | null;
  href: string;
  /** How many dishes, or the price. */
  detail: string;
  users: readonly Using[];
}

export interface PreorderListProps {
  title: string;
  /** What it is for, where there is none yet. */
  text: string;
  add: ComponentChildren;
  entries: readonly PreorderEntry[];
}

export const PreorderList = ({ title, text, add, entries }: PreorderListProps) => html`
  <section class="stack-small">
    <header class="page-head">
      <h2 class="push-end">${title}</h2>
      ${add}
    </header>
    ${entries.length === 0 && html`<p class="panel quiet">${text}</p>`}
    <ul class="entries">
      ${entries.map(
        ({ id, name, description, href, detail, users }) => html`
          <li key=${id}>
            <a class="entry" href=${href}>
              <div class="entry-body">
                <h3>${name}</h3>
                ${description && html`<p class="quiet">${description}</p>`}
                <p class="row small">
                  <span>${detail}</span>
                  ${
                    users.length > 0
                      ? html`<span class="quiet">${t.menus.usedBy(users.map((user) => user.name).join(', '))}</span>`
                      : html`<span class="tag warn">${t.menus.unused}</span>`
                  }
                </p>
              </div>
              <${Icon} name="right" />
            </a>
          </li>
        `,
      )}
    </ul>
  </section>
`;
