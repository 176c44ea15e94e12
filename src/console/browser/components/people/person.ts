import { html } from 'htm/preact';
import type { ComponentChildren } from 'preact';
import { t } from '../../app/language.ts';
import { user } from '../../app/session.ts';

interface Props {
  person: {
    id: string;
    name: string;
    email: string;
    isVerified: boolean;
    isDisabled: boolean;
    isPlatform?: boolean;
  };
  /** Below name and address. */
  children?: ComponentChildren;
}

/** A person in a list, with what keeps them from signing in. */
export const Person = ({ person, children }: Props) => html`
  <div class="person">
    <strong>${person.name}</strong>
    ${person.id === user.value?.id && html`<span class="tag info">${t.people.you}</span>`}
    ${person.isPlatform && html`<span class="tag info">${t.frame.platform}</span>`}
    ${!person.isVerified && html`<span class="tag warn">${t.people.notVerified}</span>`}
    ${person.isDisabled && html`<span class="tag bad">${t.people.disabled}</span>`}
    <p class="small quiet break">${person.email}</p>
    ${children}
  </div>
`;
