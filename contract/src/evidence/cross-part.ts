/** A test of the one part that a cross-validation kept aside for the network that it hands out. Free of schemas: pages load it. */
import type { Run } from '../runs.ts'

type Told = Pick<Run, 'id' | 'kind' | 'parentId' | 'datasetId' | 'validation'>

/** Its figure stands on less than that of the cross-validation, which tested the same pictures among all others. */
export const isCrossPart = (test: Told, training: Told | undefined): boolean =>
  test.kind === 'test' &&
  training !== undefined &&
  test.parentId === training.id &&
  training.validation?.method === 'kfold' &&
  test.datasetId !== null &&
  test.datasetId === training.datasetId

/** As given, but such a test right behind its training, so that its figure is not taken for progress. */
export function inOrderOfTrainings<R extends Told>(runs: readonly R[]): R[] {
  const byId = new Map(runs.map((run) => [run.id, run]))
  const partsOf = new Map<string, R[]>()
  const others: R[] = []
  for (const run of runs) {
    const training = run.parentId === null ? undefined : byId.get(run.parentId)
    if (!training || !isCrossPart(run, training)) others.push(run)
    else partsOf.set(training.id, [...(partsOf.get(training.id) ?? []), run])
  }
  return others.flatMap((run) => [run, ...(partsOf.get(run.id) ?? [])])
}
