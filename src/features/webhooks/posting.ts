/** What happens when something is posted to a receiver; `poster.ts` does it. */

export interface Post {
  url: string;
  headers: Record<string, string>;
  /** The same bytes at every attempt. */
  body: Buffer;
  /** Of the whole exchange. */
  timeoutMs: number;
}

/** Coarse on purpose: whoever can have us post somewhere must not learn what is there. */
export const POST_ERRORS = ['timeout', 'refused', 'dns', 'tls', 'status'] as const;
export type PostError = (typeof POST_ERRORS)[number];

export interface PostOutcome {
  /** A 2xx status line came in time. */
  isDelivered: boolean;
  statusCode: number | null;
  /** Null when it was delivered. */
  error: PostError | null;
  durationMs: number;
}

export interface Poster {
  /** Never throws. */
  post(post: Post): Promise<PostOutcome>;
  close(): Promise<void>;
}
