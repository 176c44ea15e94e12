import { html } from 'htm/preact';

const MARK = new URL('../icon.svg', import.meta.url).pathname;

export const BrandMark = () => html`<img class="brand-mark" src=${MARK} alt="" width="32" height="32" />`;
