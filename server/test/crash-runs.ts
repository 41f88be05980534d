import { hasEnded, type until } from './training.ts'

/** Long enough to be met in the middle of an epoch, short enough for a test. */
export const hyper = { epochs: 24, batchSize: 4, validationInterval: 4 }

type Run = Awaited<ReturnType<typeof until>>
export const weightsOf = ({ artifacts, state, error }: Run): string =>
  artifacts.find(({ kind }) => kind === 'weights')?.sha256 ?? `${state} ${JSON.stringify(error)}`
export const isPast = (epoch: number) => (run: Run) => (run.progress?.epoch ?? 0) >= epoch || hasEnded(run)
