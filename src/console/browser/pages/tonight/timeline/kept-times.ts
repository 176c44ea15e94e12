/** Tables that take no new bookings for a time: blocked by the house, or held by a partner. */
import { html } from 'htm/preact';
import { t } from '../../../app/language.ts';
import { clockAt, type Diary, type Span, type TimelineRow } from '../evening.ts';
import type { Held } from '../holds.ts';
import { pxOf, type Scale, xOf } from './scale.ts';

interface Kept extends Span {
  key: string;
  kind: 'block' | 'hold';
  id: string;
  /** In full, for those who cannot see it and as its tooltip. */
  label: string;
  /** As much as there is room for. */
  text: string;
  tableIds: readonly number[];
}

interface KeptTimesProps {
  diary: Diary;
  holds: readonly Held[];
  rows: readonly TimelineRow[];
  scale: Scale;
}

function keptIn({ diary, holds }: KeptTimesProps): Kept[] {
  return [
    ...diary.blocks.map(({ id, tableIds, reason, from, to }) => ({
      key: `block ${id}`,
      kind: 'block' as const,
      id,
      tableIds,
      label: t.tonight.blocked(reason ?? ''),
      text: t.tonight.blocked(reason ?? ''),
      fromMs: Date.parse(from),
      toMs: Date.parse(to),
    })),
    ...holds.map(({ id, tableIds, partner, untilMs, fromMs, toMs }) => ({
      key: `hold ${id}`,
      kind: 'hold' as const,
      id,
      tableIds,
      label: t.tonight.heldFor(partner, clockAt(untilMs, diary.timeZone)),
      text: `${t.tonight.heldUntil(clockAt(untilMs, diary.timeZone))} · ${partner}`,
      fromMs,
      toMs,
    })),
  ];
}

export const KeptTimes = (props: KeptTimesProps) =>
  keptIn(props).flatMap((kept) =>
    props.rows
      .filter(({ table }) => table && kept.tableIds.includes(table.id))
      .map(
        (row) =>
          html`<${KeptTime} key=${`${kept.key} ${row.key}`} kept=${kept} row=${row} scale=${props.scale} />`,
      ),
  );

function KeptTime({ kept, row, scale }: { kept: Kept; row: TimelineRow; scale: Scale }) {
  const { kind, id, label, text } = kept;
  const fromMs = Math.max(kept.fromMs, scale.fromMs);
  const toMs = Math.min(kept.toMs, scale.toMs);
  if (toMs <= fromMs) return null;
  return html`
    <button
      type="button"
      class=${kind === 'block' ? 'tl-blocked' : 'tl-blocked tl-held'}
      data-block=${kind === 'block' ? id : undefined}
      data-hold=${kind === 'hold' ? id : undefined}
      title=${label}
      aria-label=${`${row.name}: ${label}`}
      style=${{ left: `${xOf(fromMs, scale)}px`, top: `${row.top + 3}px`, width: `${pxOf(toMs - fromMs, scale)}px`, height: `${row.height - 6}px` }}
    >
      <span class="tl-marks">${text}</span>
    </button>
  `;
}
