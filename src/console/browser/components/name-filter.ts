import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import { t } from '../app/language.ts';
import { address, setQuery } from '../app/router.ts';
import { TextField } from './field.ts';

/** Narrows a list by a text that stands in the address. */
export function NameFilter({ label = t.platform.find, name = 'name' }: { label?: string; name?: string }) {
  const [text, setText] = useState(address.peek().query.get(name) ?? '');
  const search = (event: Event) => {
    event.preventDefault();
    if ((address.peek().query.get(name) ?? '') !== text) setQuery({ [name]: text, page: null });
  };
  return html`
    <form class="find" role="search" onSubmit=${search}>
      <${TextField} label=${label} type="search" value=${text} onInput=${setText} onBlur=${search} />
      <button type="submit" class="button">${t.frame.search}</button>
    </form>
  `;
}
