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

/** Changes whose answer is not there yet, and with it the way back. */
const underWay = new Set<Promise<unknown>>();

/** `U` means the change that was made last, also while its answer is on its way. */
export async function changing(change: Promise<unknown>): Promise<void> {
  underWay.add(change);
  try {
    await change;
  } finally {
    underWay.delete(change);
  }
}

export async function undo(toast: Toast): Promise<void> {
  dismiss(toast.id);
  try {
    await toast.undo?.();
  } catch (error) {
    sayProblem(error);
  }
}

/** Takes the last undoable thing back. */
export async function undoLast(): Promise<void> {
  await Promise.allSettled(underWay);
  const last = toasts.peek().findLast((toast) => toast.undo !== undefined);
  if (last) await undo(last);
}
