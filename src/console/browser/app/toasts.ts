/** Short messages after something was done, with the way back where there is one. */
import { signal } from '@preact/signals';
import type { ApiProblem } from './api.ts';
import { problemOf } from './load.ts';

export interface Toast {
  id: number;
  text: string;
  undo?: () => Promise<unknown>;
  problem?: ApiProblem;
}

const SHOWN_MS = 6_000;
const REFUSAL_SHOWN_MS = 12_000;
let lastId = 0;

export const toasts = signal<readonly Toast[]>([]);

export function dismiss(id: number): void {
  toasts.value = toasts.peek().filter((toast) => toast.id !== id);
}

function show(toast: Omit<Toast, 'id'>, ms: number): void {
  const id = ++lastId;
  toasts.value = [...toasts.peek().slice(-2), { ...toast, id }];
  setTimeout(() => dismiss(id), ms);
}

/** `undo` is offered on the message and by the key `U`. */
export const say = (text: string, undo?: () => Promise<unknown>) =>
  show({ text, ...(undo && { undo }) }, SHOWN_MS);

/** The refusal in the words of the service. */
export const sayProblem = (error: unknown) => {
  const problem = problemOf(error);
  show({ text: problem.message, problem }, REFUSAL_SHOWN_MS);
};

/** Takes the last undoable thing back. */
export async function undoLast(): Promise<void> {
  const last = toasts.peek().findLast(({ undo }) => undo !== undefined);
  if (!last?.undo) return;
  dismiss(last.id);
  try {
    await last.undo();
  } catch (error) {
    sayProblem(error);
  }
}
