/** Which of several tables and columns says what the images show: by names first, then by how much they say. */
import type { LabelColumn, LabelSource } from '@neuroloom/contract/reading/label-source'
import type { Task } from '@neuroloom/contract/task'
import { type Candidate, saysTheSame, tiers } from './table-survey.ts'

export type Choice = {
  /** One of each table that is read. */
  chosen: Candidate[]
  source: Omit<LabelSource, 'encoding' | 'uncertain' | 'name'>
}

/** Columns that are offered; a table of measurements has many more. */
const OFFERED = 12
/** A table that says something of fewer images than this share of the best one's is about something else. */
const FEW = 0.1

/** Null where no column says anything. */
export function chooseLabels(
  candidates: readonly Candidate[],
  { wanted, decided }: { wanted: Task | null; decided: LabelColumn | null },
): Choice | null {
  const most = Math.max(0, ...candidates.map(({ items }) => items))
  const rank = ({ tier, items }: Candidate): number => {
    if (items < most * FEW) return tiers.circumstance + 1
    // Where several findings are wanted, a column for each of them is meant.
    return wanted === 'multilabel' && tier === tiers.marks ? tiers.named - 0.5 : tier
  }
  const sorted = candidates
    .filter(({ isWeak }) => !isWeak)
    .sort((one, other) => rank(one) - rank(other) || one.place - other.place || other.items - one.items)
  const asked = decided
    ? sorted.find(({ path, column }) => path === decided.path && column === decided.column)
    : undefined
  const first = asked ?? sorted[0]
  if (!first) return null
  const joined = candidates.filter(
    (other) => other.path !== first.path && saysTheSame(first, other) && isBestOf(other, candidates, first),
  )
  const chosen = [first, ...joined]
  const rivals = sorted.filter((other) => !chosen.includes(other) && isRival(first, other))
  return {
    chosen,
    source: {
      from: { path: first.path, column: first.column },
      tables: chosen.map(({ path }) => path),
      candidates: [first, ...sorted.filter((other) => !chosen.includes(other))]
        .slice(0, OFFERED)
        .map(({ path, column, values, items }) => ({ path, column, classes: values.size, items })),
      isGuessed: asked === undefined && first.tier > tiers.marks,
      isUnsure: asked === undefined && (rivals.length > 0 || first.tier === tiers.circumstance),
    },
  }
}

/** Of the columns of one table that would fit, the one that is called most alike. */
function isBestOf(other: Candidate, all: readonly Candidate[], first: Candidate): boolean {
  const fitting = all.filter((one) => one.path === other.path && saysTheSame(first, one))
  const alike = fitting.find(({ column }) => column.toLowerCase() === first.column.toLowerCase())
  return (alike ?? fitting[0]) === other
}

/** It speaks for itself no less than the one that was taken. */
function isRival(first: Candidate, other: Candidate): boolean {
  if (first.isCertain || other.tier !== first.tier || other.values.size < 2) return false
  return other.items * 2 >= first.items
}
