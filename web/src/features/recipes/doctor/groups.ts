import type { Examined } from '@neuroloom/contract/recipes/doctor'
import type { Repair } from '@neuroloom/contract/recipes/repair'
import type { Finding, Folder, OptionName } from './finding.ts'
import { findingsOf } from './findings.ts'

/** What was found in several pairs and is decided for all of them together. */
export type Group = {
  key: string
  kind: Finding['kind']
  options: OptionName[]
  isSure: boolean
  pairs: Examined[]
}
/** By the key of the group; what is missing takes the proposal, where there is a sure one. */
export type Choices = ReadonlyMap<string, OptionName>

const keyOf = ({ kind, options }: Finding): string => [kind, ...options.map(({ name }) => name)].join()

/** The frequent ones first, what is to be asked before what is sure. */
export function groupsOf(pairs: readonly Examined[], folder: Folder): Group[] {
  const groups = new Map<string, Group>()
  for (const pair of pairs) {
    for (const finding of findingsOf(pair, folder)) {
      const { kind, isSure, options } = finding
      const key = keyOf(finding)
      const group = groups.get(key) ?? {
        key,
        kind,
        isSure,
        options: options.map(({ name }) => name),
        pairs: [],
      }
      group.pairs.push(pair)
      groups.set(key, group)
    }
  }
  return [...groups.values()].sort(
    (one, other) => Number(one.isSure) - Number(other.isSure) || other.pairs.length - one.pairs.length,
  )
}

export const chosenIn = (group: Group, choices: Choices): OptionName | null =>
  choices.get(group.key) ?? (group.isSure ? (group.options[0] ?? null) : null)

type Decided = { folder: Folder; groups: readonly Group[]; choices: Choices }

/** Null of a pair that is left out. */
export function repairsOf(pair: Examined, { folder, groups, choices }: Decided): Repair[] | null {
  const repairs: Repair[] = []
  for (const finding of findingsOf(pair, folder)) {
    const group = groups.find(({ key }) => key === keyOf(finding))
    const name = group && chosenIn(group, choices)
    if (name === 'leave') return null
    repairs.push(...(finding.options.find((option) => option.name === name)?.repairs ?? []))
  }
  return repairs
}

/** `0, 1; 2` as somebody types it; null where nothing is said. */
export function classesIn(text: string): string[] | null {
  const numbers = text.match(/-?\d+/g)
  return numbers && [...new Set(numbers.map((one) => String(Number(one))))]
}
