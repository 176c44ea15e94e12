import { hash } from 'node:crypto';

export const PAGE_STYLE = `
:root { color-scheme: light dark; --ink: #1c2024; --soft: #60646c; --line: #e0e1e6; --paper: #fcfcfd; --card: #ffffff;
  --accent: #8b2e1f; --good: #18794e; --stop: #a5451b; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #edeef0; --soft: #b0b4ba; --line: #363a3f; --paper: #111113; --card: #18191b; --accent: #ff977d;
    --good: #3dd68c; --stop: #ffa057; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 17px/1.6 system-ui, sans-serif; }
main { max-width: 46rem; margin: 0 auto; padding: 2.5rem 1.25rem 4rem; }
a { color: var(--accent); text-underline-offset: .15em; }
nav { font-size: .9rem; margin-bottom: 2rem; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: .3rem 0 .8rem; text-wrap: balance; }
h2 { font-size: .8rem; letter-spacing: .06em; text-transform: uppercase; color: var(--soft); margin: 2.2rem 0 .4rem; }
p { margin: 0 0 .8rem; }
code, pre { font-family: ui-monospace, Menlo, Consolas, monospace; font-size: .92em; }
.code { color: var(--soft); font-size: 1rem; }
.facts { display: flex; flex-wrap: wrap; gap: .5rem; padding: 0; margin: 0; list-style: none; font-size: .88rem; }
.facts li { border: 1px solid var(--line); border-radius: 99px; padding: .1rem .8rem; background: var(--card); }
.yes { color: var(--good); } .no { color: var(--stop); }
pre { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 1rem; white-space: pre-wrap;
  overflow-wrap: anywhere; font-size: .82rem; line-height: 1.5; }
.list { padding: 0; margin: 0; list-style: none; border-top: 1px solid var(--line); }
.list a { display: grid; grid-template-columns: 8rem 3rem 1fr; gap: .8rem; padding: .5rem 0; color: inherit;
  text-decoration: none; border-bottom: 1px solid var(--line); align-items: baseline; }
.list a:hover span:last-child { text-decoration: underline; }
.list code { color: var(--accent); } .list .status { color: var(--soft); font-size: .9rem; }
@media (max-width: 34rem) { .list a { grid-template-columns: 1fr auto; gap: 0 .8rem; }
  .list a span:last-child { grid-column: 1 / -1; } h1 { font-size: 1.55rem; } }
`;

const styleHash = hash('sha256', PAGE_STYLE, 'base64');

/** The page may use exactly the style above, and nothing from anywhere else. */
export const PAGE_POLICY = `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
