import { html } from 'htm/preact';

/** Drawn on a grid of 24, in the colour of the text. */
const PATHS = {
  tonight: 'M4 5h16M4 12h9M11 19h9M4 19h3M17 12h3',
  floor: 'M4 4h7v7H4zM14 4h6v4h-6zM14 12h6v8h-6zM4 15h7v5H4z',
  list: 'M8 6h12M8 12h12M8 18h12M4 6h.01M4 12h.01M4 18h.01',
  bookings: 'M5 4h14v16H5zM9 9h6M9 13h6',
  enquiry: 'M4 6h16v11H9l-5 4z',
  calendar: 'M4 6h16v14H4zM4 10h16M8 3v5M16 3v5',
  layout: 'M4 4h16v16H4zM4 12h9M13 4v16',
  products: 'M6 3v7a3 3 0 0 0 6 0V3M9 13v8M17 3c-2 2-2 7 0 9v9',
  menus: 'M5 3h14v18H5zM9 8h6M9 12h6M9 16h3',
  rules: 'M4 7h10M18 7h2M16 5v4M4 17h2M10 17h10M8 15v4',
  photos: 'M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15 9h.01',
  faqs: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM9.5 9.5a2.5 2.5 0 1 1 3.5 2.3c-.7.3-1 .8-1 1.7M12 17h.01',
  partners: 'M8 12l3 3 5-6M3 8l5-4 4 2 4-2 5 4-3 9-6 4-6-4z',
  people:
    'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM3 20c0-3.5 2.7-6 6-6s6 2.5 6 6M16 4.5a3.5 3.5 0 0 1 0 6.5M18 14.5c2 .8 3 2.8 3 5.5',
  reports: 'M4 20V4M4 20h16M8 16v-4M12 16V8M16 16v-6',
  audit: 'M12 8v4l3 2M12 21a9 9 0 1 0-9-9M3 8v4h4',
  systems: 'M4 5h16v6H4zM4 13h16v6H4zM8 8h.01M8 16h.01',
  mail: 'M4 6h16v12H4zM4 7l8 6 8-6',
  webhook: 'M12 7a3 3 0 1 0-3 3l-3 6M15 10l3 5a3 3 0 1 1-3 3H9',
  venue: 'M4 21V9l8-5 8 5v12M9 21v-6h6v6M4 21h16',
  key: 'M14 10a4 4 0 1 1-3.9 5H7v3H4v-3l6.1-5.1A4 4 0 0 1 14 10zM15 14h.01',
  health: 'M3 12h4l3-8 4 16 3-8h4',
  start: 'M5 4l14 8-14 8z',
  map: 'M9 4 4 6v14l5-2 6 2 5-2V4l-5 2zM9 4v14M15 6v14',
  phone: 'M6 3h4l2 5-2.5 1.5a11 11 0 0 0 5 5L16 12l5 2v4a2 2 0 0 1-2 2A16 16 0 0 1 4 5a2 2 0 0 1 2-2z',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM16 16l5 5',
  plus: 'M12 5v14M5 12h14',
  close: 'M6 6l12 12M18 6L6 18',
  left: 'M15 5l-7 7 7 7',
  right: 'M9 5l7 7-7 7',
  down: 'M5 9l7 7 7-7',
  check: 'M5 13l4 4L19 7',
  warning: 'M12 4l9 16H3zM12 10v4M12 17h.01',
  note: 'M5 4h14v11l-5 5H5zM14 20v-5h5',
  money: 'M12 4v16M16 7.5C15 6 13.5 6 12 6c-2 0-4 .8-4 3s2 2.6 4 3 4 1 4 3-2 3-4 3-3-.5-4-2',
  walk: 'M13 5h.01M10 21l2-6-2-3 2-5 3 3h3M12 15l3 3 1 3M10 9l-3 2-1 3',
  clock: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 7v5l3 2',
  lock: 'M6 11h12v9H6zM9 11V8a3 3 0 0 1 6 0v3',
  user: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM5 21c0-4 3-7 7-7s7 3 7 7',
  menu: 'M4 6h16M4 12h16M4 18h16',
  undo: 'M4 10h10a5 5 0 0 1 0 10h-3M4 10l4-4M4 10l4 4',
  redo: 'M20 10H10a5 5 0 0 0 0 10h3M20 10l-4-4M20 10l-4 4',
  link: 'M9 15l6-6M8 11l-3 3a3.5 3.5 0 0 0 5 5l3-3M16 13l3-3a3.5 3.5 0 0 0-5-5l-3 3',
  drag: 'M9 6h.01M15 6h.01M9 12h.01M15 12h.01M9 18h.01M15 18h.01',
  copy: 'M8 8h12v12H8zM4 16V4h12',
  trash: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13',
  edit: 'M4 20l1-5L16 4l4 4L9 19z',
  out: 'M14 4h6v16h-6M4 12h11M11 8l4 4-4 4',
} as const;

export type IconName = keyof typeof PATHS;

/** Decoration beside a word; a button without a word needs `aria-label`. */
export const Icon = ({ name, size = 20 }: { name: IconName; size?: number }) => html`
  <svg class="icon" width=${size} height=${size} viewBox="0 0 24 24" aria-hidden="true">
    <path d=${PATHS[name]} />
  </svg>
`;
