/** Saves the whole list of set-aside files as a table that spreadsheets open. */
import type { Problem } from '@neuroloom/contract/datasets'
import type { TFunction } from 'i18next'
import { call } from '../../lib/api.ts'
import { problemText, remedyText } from './problem-text.ts'

export async function saveCsv(datasetId: string, t: TFunction<'datasets'>): Promise<void> {
  const problems: Problem[] = []
  let after: number | null = 0
  while (after !== null) {
    const page: { problems: Problem[]; next: number | null } = await call('datasets/problems', {
      id: datasetId,
      after,
    })
    problems.push(...page.problems)
    after = page.next
  }
  save(csvOf(problems, t), `${t('problemsFile')}.csv`)
}

export function csvOf(problems: readonly Problem[], t: TFunction<'datasets'>): string {
  const rows = problems.map((problem) => [problem.path, problemText(problem, t), remedyText(problem, t)])
  const lines = [[t('file'), t('reason'), t('whatToDo')], ...rows].map((cells) => cells.map(cell).join(','))
  // The mark at the start makes spreadsheets read Chinese and Russian names rightly.
  return `\uFEFF${lines.join('\r\n')}\r\n`
}

/** A name that begins like a formula must not become one. */
function cell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return `"${safe.replaceAll('"', '""')}"`
}

function save(text: string, name: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  URL.revokeObjectURL(address)
}
