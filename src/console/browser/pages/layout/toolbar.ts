import { html } from 'htm/preact';
import { t } from '../../app/language.ts';
import { Icon, type IconName } from '../../components/icon.ts';
import type { Plan } from './plan.ts';
import { isJoined } from './plan-changes.ts';

export interface ToolbarProps {
  plan: Plan;
  selected: readonly string[];
  isAdding: boolean;
  onAdding: () => void;
  canUndo: boolean;
  canRedo: boolean;
  onUndo: () => void;
  onRedo: () => void;
  onAdd: (area: string) => void;
  onDuplicate: () => void;
  onRemove: () => void;
  onJoin: () => void;
  onZoom: (way: number) => void;
}

const button = (icon: IconName, label: string, onClick: () => void, isOff: boolean, title = label) => html`
  <button type="button" class="button small" disabled=${isOff} title=${title} onClick=${onClick}>
    <${Icon} name=${icon} size=${16} /> <span>${label}</span>
  </button>
`;

export function Toolbar(props: ToolbarProps) {
  const { plan, selected, isAdding, canUndo, canRedo } = props;
  const chosen = plan.tables.filter(({ key }) => selected.includes(key));
  const isOneArea = new Set(chosen.map(({ area }) => area)).size === 1;
  const area = chosen[0]?.area ?? plan.areas[0]?.key;
  return html`
    <div class="plan-toolbar" role="toolbar" aria-label=${t.layout.tools}>
      ${button('plus', t.layout.table, () => area && props.onAdd(area), area === undefined, t.layout.addTable)}
      ${button('copy', t.layout.duplicate, props.onDuplicate, selected.length === 0, `${t.layout.duplicate} (Ctrl+D)`)}
      ${button(
        'link',
        t.layout.join,
        props.onJoin,
        selected.length < 2 || !isOneArea || isJoined(plan, selected),
        selected.length >= 2 && !isOneArea ? t.layout.joinOneArea : t.layout.joinHint,
      )}
      ${button('trash', t.common.remove, props.onRemove, selected.length === 0, `${t.common.remove} (Delete)`)}
      <button type="button" class="button small" aria-pressed=${isAdding} onClick=${props.onAdding}>${t.layout.several}</button>
      <span class="plan-toolbar-end">
        <button type="button" class="button small icon-only" aria-label=${t.frame.undo} title="Ctrl+Z" disabled=${!canUndo} onClick=${props.onUndo}>
          <${Icon} name="undo" size=${16} />
        </button>
        <button type="button" class="button small icon-only" aria-label=${t.layout.redo} title="Ctrl+Shift+Z" disabled=${!canRedo} onClick=${props.onRedo}>
          <${Icon} name="redo" size=${16} />
        </button>
        <button type="button" class="button small icon-only" aria-label=${t.layout.smaller} onClick=${() => props.onZoom(-1)}>−</button>
        <button type="button" class="button small icon-only" aria-label=${t.layout.larger} onClick=${() => props.onZoom(1)}>+</button>
      </span>
    </div>
  `;
}
