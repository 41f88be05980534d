import { type MessageKind, messageProblems, type topics } from '@neuroloom/contract/accounts/message-rules'
import { messages as limits } from '@neuroloom/contract/limits'
import { useEffect, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { DragSlider } from '../../features/accounts/entrance/drag-slider.tsx'
import fields from '../../features/accounts/fields/field.module.css'
import { describedBy, Field } from '../../features/accounts/fields/field.tsx'
import { useProblemTexts } from '../../features/accounts/problem-texts.ts'
import { useForm } from '../../features/accounts/use-form.ts'
import { call } from '../../lib/api.ts'
import { Button } from '../../ui/button.tsx'
import styles from './message-form.module.css'

type Topic = (typeof topics)[number] | ''

const initial: { name: string; organ: string; contact: string; topic: Topic; text: string } = {
  name: '',
  organ: '',
  contact: '',
  topic: '',
  text: '',
}
type Draft = typeof initial

type Props = {
  kind: MessageKind
  /** What may be asked about; without any nothing is chosen. */
  topicNames?: readonly (typeof topics)[number][]
}

/** A visitor's message to the operator, and what is said once it has arrived. */
export function MessageForm(props: Props) {
  const { t } = useTranslation('site')
  const [isSent, setIsSent] = useState(false)
  if (!isSent) return <Form {...props} onDone={() => setIsSent(true)} />
  return (
    <div className={styles.sent} role="status">
      <h2>{t('message.sent.title')}</h2>
      <p>{t('message.sent.text')}</p>
      <Button look="quiet" onClick={() => setIsSent(false)}>
        {t('message.sent.again')}
      </Button>
    </div>
  )
}

function Form({ kind, topicNames = [], onDone }: Props & { onDone: () => void }) {
  const { t } = useTranslation(['site', 'accounts'])
  const texts = useProblemTexts()
  const form = useForm({
    initial,
    prefix: kind,
    problemsOf: (draft: Draft) => texts(messageProblems(draft)),
    send: (draft, proof) => call('site/message', { ...draft, kind, proof }),
    onDone,
  })
  const { draft, change, leave, problemOf } = form
  const topic = useAskedTopic(topicNames)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the address asks for another topic
  useEffect(() => change({ topic }), [topic])
  const line = (name: 'name' | 'organ' | 'contact', autoComplete: string) => (
    <Field id={`${kind}-${name}`} label={t(`message.${name}`)} problem={problemOf(name)}>
      <div className={fields.box}>
        <input
          {...describedBy(`${kind}-${name}`, problemOf(name))}
          className={fields.input}
          maxLength={limits.lineLength}
          autoComplete={autoComplete}
          value={draft[name]}
          onChange={({ target }) => change({ [name]: target.value })}
          onBlur={() => leave(name)}
        />
      </div>
    </Field>
  )
  return (
    <form className={styles.form} onSubmit={form.submit} noValidate aria-label={t(`message.${kind}`)}>
      <p className={styles.warning}>{t('message.noPatients')}</p>
      {line('name', 'name')}
      {line('organ', 'organization')}
      {line('contact', 'email')}
      {topicNames.length > 0 && (
        <TopicField value={draft.topic} names={topicNames} onChange={(chosen) => change({ topic: chosen })} />
      )}
      <Field id={`${kind}-text`} label={t('message.text')} problem={problemOf('text')}>
        <div className={fields.box}>
          <textarea
            {...describedBy(`${kind}-text`, problemOf('text'))}
            className={styles.text}
            rows={7}
            maxLength={limits.textLength}
            value={draft.text}
            onChange={({ target }) => change({ text: target.value })}
            onBlur={() => leave('text')}
          />
        </div>
      </Field>
      <DragSlider key={form.attempt} purpose="message" {...form.slider} />
      <Button type="submit" size="large" busy={form.isBusy}>
        {t('message.send')}
      </Button>
    </form>
  )
}

/** The page is rendered ahead without it, so it is known a moment after. */
function useAskedTopic(names: readonly (typeof topics)[number][]): Topic {
  const [query] = useSearchParams()
  const [topic, setTopic] = useState<Topic>('')
  const asked = query.get('topic')
  const known = names.find((name) => name === asked) ?? ''
  useEffect(() => setTopic(known), [known])
  return topic
}

type TopicFieldProps = {
  value: Topic
  names: readonly (typeof topics)[number][]
  onChange: (topic: Topic) => void
}

function TopicField({ value, names, onChange }: TopicFieldProps) {
  const { t } = useTranslation('site')
  const id = useId()
  return (
    <Field id={id} label={t('message.topic')} problem={null}>
      <div className={fields.box}>
        <select
          id={id}
          className={styles.topic}
          value={value}
          onChange={({ target }) => onChange(names.find((name) => name === target.value) ?? '')}
        >
          <option value="">{t('message.topics.none')}</option>
          {names.map((name) => (
            <option key={name} value={name}>
              {t(`message.topics.${name}`)}
            </option>
          ))}
        </select>
      </div>
    </Field>
  )
}
