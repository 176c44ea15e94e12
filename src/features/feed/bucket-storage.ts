/** Feed files in a bucket of S3 or of a service that speaks like it; readers fetch them from there. */
import type { S3 } from '@aws-sdk/client-s3';
import { DEADLINES } from '../../kernel/deadlines.ts';
import { type FeedStorage, factsOf } from './feed-file.ts';

export interface BucketOptions {
  /** As in `s3://bucket/prefix`. */
  address: string;
  /** Where the service is, if it is not Amazon's. */
  endpoint: string | undefined;
}

export function createBucketStorage({ address, endpoint }: BucketOptions): FeedStorage {
  const { hostname: Bucket, pathname: prefix } = new URL(address);
  let connected: Promise<S3> | undefined;
  const connect = () => {
    connected ??= loadClient(endpoint);
    return connected;
  };
  const keyOf = (path: string) => {
    factsOf(path);
    return `${prefix}/${path}`.slice(1);
  };

  return {
    async put(path, Body) {
      const { contentType: ContentType, cacheControl: CacheControl } = factsOf(path);
      const s3 = await connect();
      await s3.putObject({ Bucket, Key: keyOf(path), Body, ContentType, CacheControl });
    },

    // One by one: deleting many at once takes checksums on which makers differ, and reports failures as a success.
    async remove(paths) {
      const keys = paths.map(keyOf);
      const s3 = await connect();
      await Promise.all(keys.map((Key) => s3.deleteObject({ Bucket, Key })));
    },
  };
}

/** Loaded when it is used: it takes as long as everything else of a node together. */
async function loadClient(endpoint: string | undefined): Promise<S3> {
  const { S3 } = await import('@aws-sdk/client-s3');
  return new S3({
    requestHandler: {
      connectionTimeout: DEADLINES.bucketConnect,
      requestTimeout: DEADLINES.bucketAnswer,
      throwOnRequestTimeout: true,
    },
    // Other makers have one host for all buckets, and often none of the newer checksums.
    ...(endpoint && {
      endpoint,
      forcePathStyle: true,
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
    }),
  });
}
