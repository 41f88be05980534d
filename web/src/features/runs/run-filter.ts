/** Which of all runs are listed: one kind, one project, or both. */
import type { Run } from '@neuroloom/contract/runs'

/** Runs that are chosen together. */
export type RunGroup = 'train' | 'test' | 'predict' | 'flow'
export type RunFilter = { group: RunGroup | null; projectId: string | null }

export const noFilter: RunFilter = { group: null, projectId: null }

const groupOf = {
  train: 'train',
  flow_train: 'train',
  test: 'test',
  predict: 'predict',
  flow: 'flow',
} as const satisfies Record<Run['kind'], RunGroup>

const groups: readonly RunGroup[] = ['train', 'test', 'predict', 'flow']

type Filtered = Pick<Run, 'kind' | 'projectId'>

export const matches = ({ group, projectId }: RunFilter, run: Filtered): boolean =>
  (group === null || groupOf[run.kind] === group) && (projectId === null || run.projectId === projectId)

export type FilterChoices = { groups: RunGroup[]; projectIds: string[] }

/** What the runs at hand can be narrowed by: groups in a fixed order, projects in the order of their newest run. */
export function filterChoices(runs: readonly Filtered[]): FilterChoices {
  const present = new Set<RunGroup>(runs.map(({ kind }) => groupOf[kind]))
  const projectIds = new Set(runs.map(({ projectId }) => projectId))
  return { groups: groups.filter((group) => present.has(group)), projectIds: [...projectIds] }
}

/** A choice is dropped once the last run that it could match is deleted: its button is gone as well. */
export const possibleFilter = ({ group, projectId }: RunFilter, choices: FilterChoices): RunFilter => ({
  group: group !== null && choices.groups.includes(group) ? group : null,
  projectId: projectId !== null && choices.projectIds.includes(projectId) ? projectId : null,
})
