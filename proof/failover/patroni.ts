export interface Patroni {
  url: string;
  primary(): Promise<string>;
  kill(name: string): void;
  start(name: string): void;
  untilReplaced(name: string): Promise<void>;
  untilWhole(): Promise<void>;
  stop(): Promise<void>;
}
export async function startPatroni(_progress: (line: string) => void): Promise<Patroni | string> {
  return 'not yet';
}
