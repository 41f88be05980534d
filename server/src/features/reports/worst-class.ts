/** What the mean over the classes hides, in the words of the page that shows the result. */
import { classFindings, neverFound, type PerClass } from '@neuroloom/contract/evidence/class-findings'
import type { Task } from '@neuroloom/contract/task'
import { classNames } from './class-names.ts'
import type { Words } from './words.ts'

type Result = { task: Task; perClass: PerClass }

/** Of each class that was never found, or else of the one that was found least. */
export const worstClassSentences = ({ task, perClass }: Result, words: Words): string[] =>
  classFindings(task, perClass).map((finding) =>
    words.figure(`class.${finding.kind}`, {
      name: classNames(task, words)(finding.class),
      ...('of' in finding
        ? { found: words.number(finding.found), of: words.number(finding.of) }
        : { value: words.metric('dice', finding.dice) }),
    }),
  )

export function neverFoundNotes({ task, perClass }: Result, words: Words): string[] {
  const names = neverFound(task, perClass).map(classNames(task, words))
  return names.length > 0 ? [words.figure('class.keepInMind', { names: names.join(', ') })] : []
}
