import { toolbox } from '@neuroloom/contract/limits'
import type { Job } from '@neuroloom/contract/toolbox/calls'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'

/** How jobs stand, by id; asked for again while one of them is under way. */
export function useJobs(ids: readonly string[]): ReadonlyMap<string, Job> {
  const asked = ids.slice(0, toolbox.jobsPerCall)
  const { data } = useQuery({
    queryKey: ['toolbox/status', { ids: asked }],
    queryFn: ({ signal }) => call('toolbox/status', { ids: asked }, { quiet: true, signal }),
    enabled: asked.length > 0,
    refetchInterval: ({ state }) => (state.data?.jobs.some(isUnderWay) ? toolbox.pollMs : false),
  })
  return new Map(data?.jobs.map((job) => [job.id, job]))
}

const isUnderWay = ({ state }: Job): boolean => state === 'waiting' || state === 'running'
