/** Lines of the service's log. Each part asks for the levels that it writes. */
export interface Log {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}
