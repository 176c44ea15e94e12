import { useEffect } from 'preact/hooks';
import { t } from './language.ts';
import { guardLeaving } from './router.ts';

/** Asks before a form with changes is left for another page. */
export function useLeaveGuard(isChanged: boolean): void {
  useEffect(() => {
    guardLeaving(isChanged ? () => !confirm(t.common.unsaved) : undefined);
    return () => guardLeaving(undefined);
  }, [isChanged]);
}
