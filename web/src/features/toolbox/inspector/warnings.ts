import type { FoundWeights } from '@neuroloom/contract/toolbox/inspection'

export type Warning = { name: string; params: Record<string, string | number> }

/** Shares of filters from which a layer is worth a word, and of zeros from which it does nothing. */
const QUIET = 0.25
const EMPTY = 0.999
/** More of a kind would only repeat. */
const NAMED = 5

/** What somebody should know of these weights, the worst first. */
export function warningsOf({ tensors, external, unmatched }: FoundWeights): Warning[] {
  const read = tensors.flatMap(({ figures, ...one }) => (figures ? [{ ...one, ...figures }] : []))
  const broken = read.filter(({ notFinite }) => notFinite > 0)
  const empty = read.filter(
    ({ zeros, shape, notFinite }) => shape.length > 1 && notFinite === 0 && zeros >= EMPTY,
  )
  const quiet = read.filter((one) => (one.quiet ?? 0) >= QUIET && !empty.includes(one))
  const compared = tensors.filter((one) => one.compared !== null)
  const isSame = compared.length > 0 && compared.every((one) => one.compared?.change === 0)
  const isWhole = unmatched !== null && unmatched.here + unmatched.there === 0
  return [
    ...some(broken, ({ layer, notFinite }) => ({ name: 'notFinite', params: { layer, count: notFinite } })),
    ...some(empty, ({ layer }) => ({ name: 'empty', params: { layer } })),
    ...some(quiet, ({ layer, quiet: share }) => ({
      name: 'quiet',
      params: { layer, share: Math.round((share ?? 0) * 100) },
    })),
    ...(external > 0 ? [{ name: 'external', params: { count: external } }] : []),
    ...(unmatched && !isWhole ? [{ name: 'unmatched', params: unmatched }] : []),
    ...(isSame && isWhole ? [{ name: 'same', params: {} }] : []),
  ]
}

function some<T>(list: readonly T[], told: (one: T) => Warning): Warning[] {
  const rest = list.length - NAMED
  const named = list.slice(0, NAMED).map(told)
  return rest > 0 ? [...named, { name: `${named[0]?.name}More`, params: { count: rest } }] : named
}
