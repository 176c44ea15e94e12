import type { Metric } from 'prom-client';

const BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

interface Labels {
  method: string;
  route: string;
}

/** How long answers with the same labels took. */
export class Durations {
  readonly labels: Labels;
  /** So many fell into each bucket and into none of those before it; the last has no end. */
  readonly counts = new Float64Array(BUCKETS_SECONDS.length + 1);
  sumSeconds = 0;

  constructor(labels: Labels) {
    this.labels = labels;
  }

  add(seconds: number): void {
    const bucket = BUCKETS_SECONDS.findIndex((end) => seconds <= end);
    const index = bucket < 0 ? BUCKETS_SECONDS.length : bucket;
    this.counts[index] = (this.counts[index] ?? 0) + 1;
    this.sumSeconds += seconds;
  }
}

/**
 * Durations as a histogram of prom-client, whose own one checks and hashes the labels again each time it is told
 * something, at the cost of a log line.
 */
export function durationHistogram(name: string, help: string, all: () => Iterable<Durations>): Metric {
  const histogram = {
    name,
    help,
    type: 'histogram',
    get: async () => ({ name, help, type: 'histogram', values: [...all()].flatMap(samplesOf) }),
  };

  function samplesOf({ labels, counts, sumSeconds }: Durations) {
    let count = 0;
    const buckets = [...counts].map((more, index) => {
      count += more;
      const le = BUCKETS_SECONDS[index] ?? '+Inf';
      return { metricName: `${name}_bucket`, labels: { le, ...labels }, value: count };
    });
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels, value: sumSeconds },
      { metricName: `${name}_count`, labels, value: count },
    ];
  }

  // A registry asks no more of a metric than this.
  return histogram as unknown as Metric;
}
