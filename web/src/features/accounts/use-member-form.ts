import type { FormProblem } from '@neuroloom/contract/accounts/form-rules'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { MemberDraft } from './member-draft.ts'
import { useProblemTexts } from './problem-texts.ts'
import { useForm } from './use-form.ts'

type Options<Draft> = {
  initial: Draft
  prefix: string
  problemsOf: (draft: Draft) => Partial<Record<keyof Draft & string, FormProblem>>
  labelOf: (field: string) => string
  send: (draft: Draft, proof: string) => Promise<unknown>
  onDone: (draft: Draft) => void
  hasSlider: boolean
}

/** A form with the member's fields: Chinese characters stop it with a dialog, anything else at its field. */
export function useMemberForm<Draft extends MemberDraft>(options: Options<Draft>) {
  const { initial, prefix, problemsOf, labelOf, send, onDone, hasSlider } = options
  type Name = keyof Draft & string
  useTranslation('member')
  const texts = useProblemTexts()
  const [english, setEnglish] = useState<Name | null>(null)
  const [isTried, setIsTried] = useState(false)
  const form = useForm<Draft>({
    initial,
    prefix,
    problemsOf: (draft) => texts(problemsOf(draft)),
    send,
    onDone,
    hasSlider,
    onWrong: (first) => {
      const wrong = namesOf(problemsOf(form.draft))
      const chinese = wrong.find((name) => problemsOf(form.draft)[name] === 'english_only')
      setIsTried(true)
      if (chinese === undefined) return form.focus(first)
      setEnglish(chinese)
    },
  })
  const found = texts(problemsOf(form.draft))
  return {
    ...form,
    /** For the summary, once somebody tried to send. */
    problems: isTried
      ? namesOf(found).map((name) => ({ name, label: labelOf(name), text: found[name] ?? '' }))
      : [],
    english: english === null ? null : labelOf(english),
    closeEnglish: () => {
      if (english !== null) form.focus(english)
      setEnglish(null)
    },
  }
}

/** Of its own keys. */
const namesOf = <Name extends string>(problems: Partial<Record<Name, unknown>>): Name[] =>
  Object.keys(problems) as Name[]
