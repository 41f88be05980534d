/** The record of a second opinion as a table: a line for each answer, then the agreement. English column names. Pure. */
import type { Opinion } from '@neuroloom/contract/social/opinions'
import { csvText } from '../../../lib/csv.ts'

export function recordCsv(opinion: Opinion, nameOf: (id: string) => string): string {
  const { question, answers, asker, askedAt, closedAt, studies, results } = opinion
  const titles = new Map(studies.map(({ position, title }) => [position, title]))
  const lines = (results?.answers ?? []).map(({ position, readerId, answer, note, outline, at }) => [
    ...[question, nameOf(asker.id), askedAt, closedAt ?? '', String(position + 1)],
    ...[titles.get(position) ?? '', nameOf(readerId), at, answers[answer] ?? '', note],
    ...(outline ? [outline.plane, String(outline.slice + 1)] : ['', '']),
    outline?.points.map(([x, y]) => `${x} ${y}`).join('; ') ?? '',
  ])
  return csvText([columns, ...lines, ...agreementLines(opinion, nameOf)])
}

const columns = [
  ...['question', 'asked_by', 'asked_at', 'closed_at', 'study', 'title', 'reader', 'answered_at', 'answer'],
  ...['note', 'outline_plane', 'outline_slice', 'outline_points_px'],
]

function agreementLines({ results }: Opinion, nameOf: (id: string) => string): string[][] {
  if (!results) return []
  const { readers, studies, same, kappa, method, why, dice } = results.agreement
  return [
    [],
    ['readers_of_all_studies', String(readers.length)],
    ['studies', String(studies)],
    ['same_answer_of_all', String(same)],
    kappa
      ? [`kappa_${method}`, ...[kappa.value, kappa.low, kappa.high].map((value) => value.toFixed(4))]
      : [`kappa_${method}`, why ?? ''],
    ...dice.map(({ one, other, mean, studies: compared }) => [
      ...['dice', nameOf(one), nameOf(other), mean === null ? '' : mean.toFixed(4), String(compared)],
    ]),
  ]
}
