import { Component, type ComponentChild, type FunctionComponent, h } from 'preact';

/** Draws again only when one of the properties is another: three hundred bookings stay as they are while one moves. */
export function memo<P extends object>(render: (props: P) => ComponentChild): FunctionComponent<P> {
  class Memo extends Component<P> {
    override shouldComponentUpdate(next: P): boolean {
      const before = this.props as P;
      return (Object.keys(next) as (keyof P)[]).some((name) => next[name] !== before[name]);
    }
    override render(): ComponentChild {
      return render(this.props as P);
    }
  }
  return ((props: P) => h(Memo as never, props)) as FunctionComponent<P>;
}
