/**
 * Which items of a stored manifest a training learned from, chose its epoch with and kept aside: as the engine divides
 * them (`engine/neuroloom_engine/data/split.py`), to the item. A test compares both.
 */
import { createHash } from 'node:crypto'
import type { ManifestItem } from '@neuroloom/contract/engine'
import type { Validation } from '@neuroloom/contract/suggest/hyper'

type Told = Pick<ManifestItem, 'group' | 'class' | 'labels' | 'part'>
type Group = { key: string; stratum: number; items: number[] }
/** Numbers of items. */
export type Division = { train: number[]; validation: number[]; test: number[] }

const VALIDATION_SHARE = 0.15

/** Of a single division; in a cross-validation every item is each of them in turn. */
export function divide(
  items: readonly Told[],
  validation: Exclude<Validation, { method: 'kfold' }>,
): Division {
  const groups = grouped(items)
  const salt = `${validation.seed}/validation/0`
  if (validation.method === 'holdout') {
    const share = validation.test / (validation.train + validation.test)
    return parted(groups, draw(groups, share, `${validation.seed}/test`), salt)
  }
  const of = (wanted: Told['part']) => items.flatMap(({ part }, index) => (part === wanted ? [index] : []))
  const [train, checked, test] = [of('train'), of('validation'), of('test')]
  if (checked.length > 0 || train.length === 0) return { train, validation: checked, test }
  const whole = new Set(train)
  const held = parted(
    groups.filter((group) => group.items.every((index) => whole.has(index))),
    [],
    salt,
  )
  return { ...held, test }
}

function parted(groups: readonly Group[], test: readonly Group[], salt: string): Division {
  const rest = groups.filter((group) => !test.includes(group))
  const [only] = rest
  if (only && rest.length === 1) return ofOneGroup(only, test, salt)
  const validation = draw(rest, VALIDATION_SHARE, salt)
  const train = rest.filter((group) => !validation.includes(group))
  return { train: numbersOf(train), validation: numbersOf(validation), test: numbersOf(test) }
}

function ofOneGroup({ stratum, items }: Group, test: readonly Group[], salt: string): Division {
  const alone = items.map((index): Group => ({ key: String(index), stratum, items: [index] }))
  const drawn = draw(alone, VALIDATION_SHARE, salt)
  const validation = drawn.length > 0 ? drawn : alone
  const rest = alone.filter((one) => !validation.includes(one))
  const train = rest.length > 0 ? rest : alone
  return { train: numbersOf(train), validation: numbersOf(validation), test: numbersOf(test) }
}

function grouped(items: readonly Told[]): Group[] {
  const frequency = countsOf(items.flatMap(({ labels }) => labels ?? []))
  const members = new Map<string, number[]>()
  for (const [index, { group }] of items.entries()) members.set(group, [...(members.get(group) ?? []), index])
  return [...members].map(([key, indexes]) => {
    const strata = countsOf(indexes.flatMap((index) => stratumOf(items[index], frequency)))
    const [stratum = 0] =
      [...strata].sort(([one, many], [other, more]) => more - many || one - other)[0] ?? []
    return { key, stratum, items: indexes }
  })
}

function stratumOf(item: Told | undefined, frequency: ReadonlyMap<number, number>): number {
  if (!item?.labels) return item?.class ?? 0
  const often = (label: number): number => frequency.get(label) ?? 0
  return [...item.labels].sort((one, other) => often(one) - often(other) || one - other)[0] ?? -1
}

function countsOf(numbers: readonly number[]): Map<number, number> {
  const counts = new Map<number, number>()
  for (const one of numbers) counts.set(one, (counts.get(one) ?? 0) + 1)
  return counts
}

function draw(groups: readonly Group[], share: number, salt: string): Group[] {
  const chosen: Group[] = []
  const strata = [...new Set(groups.map(({ stratum }) => stratum))].sort((one, other) => one - other)
  for (const name of strata) {
    const ordered = inHashOrder(
      groups.filter(({ stratum }) => stratum === name),
      salt,
    )
    const target = share * ordered.reduce((sum, { items }) => sum + items.length, 0)
    let taken = 0
    for (const group of ordered.slice(0, -1)) {
      if (taken > 0 && taken + group.items.length / 2 > target) break
      chosen.push(group)
      taken += group.items.length
    }
  }
  return chosen.length > 0
    ? chosen
    : inHashOrder(groups, salt).slice(0, Math.max(0, Math.min(1, groups.length - 1)))
}

function inHashOrder(groups: readonly Group[], salt: string): Group[] {
  const hashed = groups.map((group) => ({
    group,
    hash: createHash('sha256').update(`${salt}/${group.key}`).digest('hex'),
  }))
  hashed.sort((one, other) => (one.hash < other.hash ? -1 : Number(one.hash > other.hash)))
  return hashed.map(({ group }) => group)
}

const numbersOf = (groups: readonly Group[]): number[] =>
  groups.flatMap(({ items }) => items).sort((one, other) => one - other)
