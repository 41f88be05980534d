import type { RunRow } from './tables.ts'

/** What somebody asked for, without anything that came of it. */
export function asked(past: RunRow) {
  const { userId, projectId, parentId, kind, task, network, ownNetworkName, ownNetworkVersion } = past
  const { datasetId, datasetName, classes, hyper, validation, parameters, cost, startFrom } = past
  return {
    ...{ userId, projectId, parentId, kind, task, network, ownNetworkName, ownNetworkVersion },
    ...{ datasetId, datasetName, classes, hyper, validation, parameters, cost, startFrom },
  }
}
