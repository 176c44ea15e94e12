import { join } from 'node:path';
import type { Config } from '../../config.ts';
import { createBucketStorage } from './bucket-storage.ts';
import type { FeedStorage } from './feed-file.ts';
import { createFolderStorage } from './folder-storage.ts';

export const feedFolder = ({ dataDir }: Pick<Config, 'dataDir'>) => join(dataDir, 'feed');

/** Nothing is touched before the first file is written. */
export function openStorage(
  config: Pick<Config, 'dataDir' | 'feedBucket' | 'feedBucketEndpoint'>,
): FeedStorage {
  const { feedBucket: address, feedBucketEndpoint: endpoint } = config;
  return address ? createBucketStorage({ address, endpoint }) : createFolderStorage(feedFolder(config));
}
