/**
 * What `htm/preact` stands for in the browser. The package keeps the parts of a template that never change and draws
 * the same objects again. Preact writes into each where it was drawn first, so one of them held on to every former state
 * of a page that keeps most of what it has drawn: an evening grew by a third of a megabyte with each change.
 */

import htm from 'htm';
import { type ComponentChild, type ComponentType, h, type VNode } from 'preact';

type Html = (texts: TemplateStringsArray, ...values: unknown[]) => VNode | VNode[];

/** The first of what htm passes as `this` says what may be kept; three: nothing. */
function create(
  this: number[],
  type: string | ComponentType,
  props: object | null,
  ...children: ComponentChild[]
) {
  this[0] = 3;
  return h(type as string, props, ...children);
}

// The types of the package are those of its form for CommonJS.
export const html = (htm as unknown as { bind(create: unknown): Html }).bind(create);
