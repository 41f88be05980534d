/** Of a project, where the way there began in one. */
export const studyAddress = (id: string, projectId?: string): string =>
  `/flow?study=${encodeURIComponent(id)}${projectId === undefined ? '' : `&project=${encodeURIComponent(projectId)}`}`
export const studiesAddress = '/flow'
export const knownAddress = '/flow?known'
/** A known flow for this project. */
export const knownForAddress = (projectId: string): string =>
  `${knownAddress}&project=${encodeURIComponent(projectId)}`
export const runAddress = (id: string): string => `/run?id=${encodeURIComponent(id)}`
export const projectAddress = (id: string): string => `/projectDetail?id=${encodeURIComponent(id)}`

type Compute = { projectId: string; studyId: string; runId?: string }

/** The form of a run on a study; with `runId` it begins with what that run was asked. */
export function computeAddress({ projectId, studyId, runId }: Compute): string {
  const search = new URLSearchParams({ id: projectId, study: studyId })
  if (runId !== undefined) search.set('run', runId)
  return `/projectFlow?${search}`
}
