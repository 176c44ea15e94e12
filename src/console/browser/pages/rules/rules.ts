import { html } from 'htm/preact';
import { useRef } from 'preact/hooks';
import type { ManagedRule } from '../../../../features/booking-rules/manage/schema.ts';
import { api, path } from '../../app/api.ts';
import { t } from '../../app/language.ts';
import { useLoad } from '../../app/load.ts';
import type { PageProps } from '../../app/router.ts';
import { address, setQuery } from '../../app/router.ts';
import { may } from '../../app/session.ts';
import { say, sayProblem } from '../../app/toasts.ts';
import { Icon } from '../../components/icon.ts';
import { Empty, Loading } from '../../components/notice.ts';
import { bodyOfRule, moved } from './draft.ts';
import { RuleEditor } from './rule-editor.ts';
import { RuleItem } from './rule-item.ts';

interface Rules {
  data: ManagedRule[];
}

/** The list of rules, or one of them in the editor: `rule` in the address says which. */
export default function RulesPage({ params: { operatorId = '' } }: PageProps) {
  const open = address.value.query.get('rule');
  const close = () => setQuery({ rule: null });
  if (open === 'new') return html`<${RuleEditor} operatorId=${operatorId} onDone=${close} />`;
  if (open !== null)
    return html`<${Editing} key=${open} operatorId=${operatorId} ruleId=${open} onDone=${close} />`;
  return html`<${RuleList} operatorId=${operatorId} />`;
}

function Editing({ operatorId, ruleId, onDone }: { operatorId: string; ruleId: string; onDone: () => void }) {
  const loaded = useLoad(
    () => api.getTagged<ManagedRule>(path`/manage/operators/${operatorId}/booking-rules/${ruleId}`),
    [operatorId, ruleId],
  );
  return html`
    <${Loading} loaded=${loaded}>
      ${({ data, etag }: { data: ManagedRule; etag: string | null }) =>
        html`<${RuleEditor} key=${etag} operatorId=${operatorId} rule=${data} etag=${etag} onReload=${() => loaded.reload()} onDone=${onDone} />`}
    <//>
  `;
}

function RuleList({ operatorId }: { operatorId: string }) {
  const base = path`/manage/operators/${operatorId}/booking-rules`;
  const loaded = useLoad(() => api.get<Rules>(base, { includeInactive: true }), [base]);
  const mayChange = may(Number(operatorId), 'manager');
  const rules = loaded.data?.data ?? [];
  const show = (data: ManagedRule[]) => loaded.setData({ data });
  /** The order while it is dragged, and as the service has it. */
  const dragged = useRef<ManagedRule[] | undefined>(undefined);
  const beforeDrag = useRef(rules);
  if (!dragged.current) beforeDrag.current = rules;

  const write = async (action: () => Promise<unknown>) => {
    try {
      await action();
    } catch (error) {
      sayProblem(error);
    }
    await loaded.reload();
  };

  const setActive = (rule: ManagedRule, isActive: boolean) => {
    show(rules.map((each) => (each.id === rule.id ? { ...each, isActive } : each)));
    const put = (on: boolean) => api.put(`${base}${path`/${rule.id}`}`, bodyOfRule(rule, { isActive: on }));
    return write(async () => {
      await put(isActive);
      say(isActive ? t.rules.switchedOn(rule.name) : t.rules.switchedOff(rule.name), () =>
        write(() => put(!isActive)),
      );
    });
  };

  const move = (from: number, to: number) => {
    dragged.current = moved(dragged.current ?? rules, from, to);
    show(dragged.current);
  };
  const saveOrder = () => {
    const [former, wanted] = [beforeDrag.current, dragged.current ?? rules];
    dragged.current = undefined;
    const put = (list: readonly ManagedRule[]) =>
      api.put(`${base}/order`, { ruleIds: list.map(({ id }) => id) });
    return write(async () => {
      await put(wanted);
      say(t.rules.ordered, () => write(() => put(former)));
    });
  };

  const retire = (rule: ManagedRule) => {
    show(rules.filter(({ id }) => id !== rule.id));
    return write(async () => {
      await api.remove(`${base}${path`/${rule.id}`}`);
      say(t.rules.retired(rule.name), () => write(() => api.post(base, bodyOfRule(rule))));
    });
  };

  const create = html`
    <button type="button" class="button primary" onClick=${() => setQuery({ rule: 'new' }, { replace: false })}>
      <${Icon} name="plus" size=${16} /> ${t.rules.create}
    </button>
  `;
  return html`
    <div class="page">
      <div class="page-head">
        <h1>${t.pages.rules}</h1>
        ${mayChange && create}
        <p>${t.rules.about}</p>
      </div>
      <${Loading} loaded=${loaded}>
        ${({ data }: Rules) =>
          data.length === 0
            ? html`<${Empty} title=${t.rules.none} text=${t.rules.noneText}>${mayChange && create}<//>`
            : html`
                <ol class="panel rules" data-places>
                  ${data.map(
                    (rule, index) => html`<${RuleItem}
                      key=${rule.id}
                      rule=${rule}
                      index=${index}
                      count=${data.length}
                      mayChange=${mayChange}
                      operatorId=${operatorId}
                      onSwitch=${(isActive: boolean) => setActive(rule, isActive)}
                      onMove=${move}
                      onDrop=${saveOrder}
                      onRetire=${() => retire(rule)}
                    />`,
                  )}
                </ol>
              `}
      <//>
    </div>
  `;
}
