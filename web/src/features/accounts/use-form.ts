import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CallError, messageOf } from '../../lib/api.ts'
import { toast } from '../../lib/toast.ts'

type Texts<Draft> = Partial<Record<keyof Draft & string, string>>

type Options<Draft> = {
  initial: Draft
  /** Every field that breaks a rule, in the order of the form, with the text of its message. */
  problemsOf: (draft: Draft) => Texts<Draft>
  /** `<prefix>-<field>` is the id of a field's input. */
  prefix: string
  /** Makes the call; its failure has been announced. */
  send: (draft: Draft, proof: string) => Promise<unknown>
  onDone: (draft: Draft) => void
  /** Where nobody has to prove anything, `send` gets an empty proof. */
  hasSlider?: boolean
  /** In the place of going to the first wrong field. */
  onWrong?: (first: keyof Draft & string) => void
}

/** A form that says what is wrong once a field was left, and sends once at a time. */
export function useForm<Draft extends object>(options: Options<Draft>) {
  type Name = keyof Draft & string
  const { initial, problemsOf, prefix, send, onDone, hasSlider = true, onWrong } = options
  const { t } = useTranslation(['accounts', 'common'])
  const [draft, setDraft] = useState(initial)
  const [left, setLeft] = useState<ReadonlySet<Name>>(new Set())
  const [refused, setRefused] = useState<Texts<Draft>>({})
  const [failure, setFailure] = useState<string | null>(null)
  const [proof, setProof] = useState<Promise<string> | null>(hasSlider ? null : Promise.resolve(''))
  const [attempt, setAttempt] = useState(0)
  // Somebody tried to send before dragging the slider.
  const [isSliderMissed, setSliderMissed] = useState(false)
  const [isBusy, setIsBusy] = useState(false)
  const problems: Texts<Draft> = { ...problemsOf(draft), ...refused }

  const sliderId = `${prefix}-slider`
  const focus = (field: Name) => document.getElementById(`${prefix}-${field}`)?.focus()
  const deliver = async (proving: Promise<string>) => {
    setIsBusy(true)
    setFailure(null)
    const given = await proving.catch(() => null)
    // Not proven: the slider itself asks to be dragged again.
    if (given === null) return setIsBusy(false)
    try {
      await send(draft, given)
      onDone(draft)
    } catch (error) {
      // `call` has told why, for two seconds; the form goes on saying it, at the fields that it names too.
      setFailure(messageOf(error))
      const fields = error instanceof CallError ? Object.entries(error.fields) : []
      // Names of fields that were sent: keys of the draft, or of nothing shown.
      setRefused(Object.fromEntries(fields.map(([name, key]) => [name, t(`common:${key}`)])) as Texts<Draft>)
      setIsBusy(false)
      if (!hasSlider) return
      // A proof counts once: the slider starts anew.
      setProof(null)
      setAttempt((count) => count + 1)
    }
  }
  const takeProof = (proving: Promise<string>) => {
    setProof(proving)
    setSliderMissed(false)
    proving.catch(() => setProof(null))
  }
  /** The message over the page goes after two seconds; the slider goes on saying it. */
  const missSlider = () => {
    setSliderMissed(true)
    document.getElementById(sliderId)?.focus()
    toast.warning(t('slider.first'))
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isBusy) return toast.warning(t('common:wait'))
    // The form's own fields are its names.
    setLeft(new Set(Object.keys(draft) as Name[]))
    // Its keys are names, too.
    const wrong = Object.keys(problems)[0] as Name | undefined
    if (wrong !== undefined) return (onWrong ?? focus)(wrong)
    if (proof === null) return missSlider()
    void deliver(proof)
  }
  const change = (changes: Partial<Draft>) => {
    setDraft((before) => ({ ...before, ...changes }))
    setFailure(null)
    // What the server said of a field ends when it changes.
    setRefused((before) => {
      const rest = Object.entries(before).filter(([name]) => !(name in changes))
      return Object.fromEntries(rest) as Texts<Draft>
    })
  }

  return {
    draft,
    attempt,
    isBusy,
    /** Why the last try was refused, until something is changed. */
    failure,
    submit,
    /** For the form's slider. */
    slider: { id: sliderId, problem: isSliderMissed ? t('slider.first') : null, onProof: takeProof },
    focus,
    change,
    leave: (field: Name) => setLeft((before) => new Set([...before, field])),
    /** Whether these fields are right; goes to the first that is not. */
    check: (fields: readonly Name[]): boolean => {
      setLeft((before) => new Set([...before, ...fields]))
      const wrong = fields.find((field) => problems[field] !== undefined)
      if (wrong !== undefined) focus(wrong)
      return wrong === undefined
    },
    /** As if it had not been visited yet. */
    revisit: (field: Name) => setLeft((before) => new Set([...before].filter((one) => one !== field))),
    problemOf: (field: Name): string | null => (left.has(field) ? (problems[field] ?? null) : null),
  }
}

export type Form<Draft extends object> = ReturnType<typeof useForm<Draft>>
