import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toast } from '../../lib/toast.ts'

type Options<Draft> = {
  initial: Draft
  /** Every field that breaks a rule, in the order of the form, with the text of its message. */
  problemsOf: (draft: Draft) => Partial<Record<keyof Draft & string, string>>
  /** `<prefix>-<field>` is the id of a field's input. */
  prefix: string
  /** Makes the call; its failure has been announced. */
  send: (draft: Draft, proof: string) => Promise<unknown>
  onDone: () => void
}

/** A form with the slider: says what is wrong once a field was left, sends once at a time. */
export function useForm<Draft extends object>({ initial, problemsOf, prefix, send, onDone }: Options<Draft>) {
  type Name = keyof Draft & string
  const { t } = useTranslation(['accounts', 'common'])
  const [draft, setDraft] = useState(initial)
  const [left, setLeft] = useState<ReadonlySet<Name>>(new Set())
  const [proof, setProof] = useState<Promise<string> | null>(null)
  const [attempt, setAttempt] = useState(0)
  const [isBusy, setIsBusy] = useState(false)
  const problems = problemsOf(draft)

  const deliver = async (proving: Promise<string>) => {
    setIsBusy(true)
    const given = await proving.catch(() => null)
    // Not proven: the slider itself asks to be dragged again.
    if (given === null) return setIsBusy(false)
    try {
      await send(draft, given)
      onDone()
    } catch {
      // `call` has told why. A proof counts once: the slider starts anew.
      setProof(null)
      setAttempt((count) => count + 1)
      setIsBusy(false)
    }
  }
  const takeProof = (proving: Promise<string>) => {
    setProof(proving)
    proving.catch(() => setProof(null))
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isBusy) return toast.warning(t('common:wait'))
    // The form's own fields are its names.
    setLeft(new Set(Object.keys(draft) as Name[]))
    const wrong = Object.keys(problems)[0]
    if (wrong !== undefined) return document.getElementById(`${prefix}-${wrong}`)?.focus()
    if (proof === null) return toast.warning(t('slider.first'))
    void deliver(proof)
  }

  return {
    draft,
    attempt,
    isBusy,
    submit,
    takeProof,
    change: (changes: Partial<Draft>) => setDraft({ ...draft, ...changes }),
    leave: (field: Name) => setLeft(new Set([...left, field])),
    /** As if it had not been visited yet. */
    revisit: (field: Name) => setLeft(new Set([...left].filter((one) => one !== field))),
    problemOf: (field: Name): string | null => (left.has(field) ? (problems[field] ?? null) : null),
  }
}
