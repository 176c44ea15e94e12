import { Counter, Gauge, type Registry } from 'prom-client';

/** One run of a job on this node, when it has ended. */
export interface JobRun {
  job: string;
  isDone: boolean;
  seconds: number;
}

export interface JobRuns {
  note(run: JobRun): void;
  register(registry: Registry): void;
}

/**
 * How the jobs of this node went. Their names are those of the program, so there is a fixed number of series. The label
 * is `name`, since Prometheus gives `job` itself and would rename ours.
 */
export function createJobRuns(nowMs: () => number): JobRuns {
  const runs = new Counter({
    name: 'jobs_run_total',
    help: 'Runs of jobs on this node, by outcome: done, failed.',
    labelNames: ['name', 'outcome'],
    registers: [],
  });
  const duration = new Gauge({
    name: 'job_last_duration_seconds',
    help: 'How long the last run of a job on this node took.',
    labelNames: ['name'],
    registers: [],
  });
  const success = new Gauge({
    name: 'job_last_success_timestamp_seconds',
    help: 'When a job last ended well on this node, in Unix time.',
    labelNames: ['name'],
    registers: [],
  });
  return {
    note({ job, isDone, seconds }) {
      runs.inc({ name: job, outcome: isDone ? 'done' : 'failed' });
      duration.set({ name: job }, seconds);
      if (isDone) success.set({ name: job }, nowMs() / 1000);
    },
    register(registry) {
      for (const metric of [runs, duration, success]) registry.registerMetric(metric);
    },
  };
}
