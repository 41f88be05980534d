/** The report of a flow run for a page, or for paper. */
import type { Language } from '@neuroloom/contract/language'
import type { Report } from '@neuroloom/contract/reports'
import type { FlowFacts } from './facts.ts'
import { sectionsOf } from './sections.ts'
import { flowWordsOf } from './words.ts'

type Reading = {
  language: Language
  rights: Pick<Report, 'mayDownload' | 'hasWatermark'>
  urlOf: (figure: FlowFacts['figures'][number]) => string | null
}

export function flowReport(facts: FlowFacts, { language, rights, urlOf }: Reading): Report {
  const words = flowWordsOf(language)
  const { run, project } = facts
  return {
    runId: run.id,
    projectId: project.id,
    isCross: false,
    isFlow: true,
    title: words.t('title', { project: project.name }),
    subtitle: words.t('subtitle', { number: run.number, date: words.date(run.endedAt) }),
    sections: sectionsOf(facts, words, urlOf),
    ...rights,
  }
}
