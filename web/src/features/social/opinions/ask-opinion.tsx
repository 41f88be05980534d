import { opinions as limits } from '@neuroloom/contract/limits'
import type { Opinion } from '@neuroloom/contract/social/opinions'
import { Alert, Button, Checkbox, Input, InputNumber, Select } from 'antd'
import { type ReactNode, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useAction, useCall } from '../../../lib/query.ts'
import { RefusalText } from '../../../ui/limits/refusal-text.tsx'
import { Panel } from '../../../ui/page.tsx'
import styles from './opinions.module.css'

export type PickedStudies = { id: string; name: string }[]
/** Chooses images of one's own cloud. */
export type StudiesPicker = (props: {
  open: boolean
  onPick: (studies: PickedStudies) => void
  onClose: () => void
}) => ReactNode

type Props = {
  chatId: string
  ownId: string
  picker: StudiesPicker
  onAsked: (opinion: Opinion) => void
}

/** The studies, the question with its answers, and who reads until when. */
export function AskOpinion({ chatId, ownId, picker: Picker, onAsked }: Props) {
  const { t } = useTranslation('social-opinions')
  const [studies, setStudies] = useState<PickedStudies>([])
  const [isPicking, setIsPicking] = useState(false)
  const [question, setQuestion] = useState('')
  const [answers, setAnswers] = useState<string[]>([])
  const [readerIds, setReaderIds] = useState<string[]>([])
  const [days, setDays] = useState(USUAL_DAYS)
  const [hasOutline, setHasOutline] = useState(false)
  const [series, setSeries] = useState(false)
  const [isChecked, setIsChecked] = useState(false)
  const people = useReaders(chatId, ownId)
  const id = useId()
  const ask = useAction('opinion/ask', { refresh: [], quiet: true, onDone: onAsked })
  const isReady =
    studies.length > 0 && question.trim() !== '' && answers.length > 1 && readerIds.length > 0 && isChecked
  const send = () =>
    ask.mutate({
      ...{ chatId, question, answers, hasOutline, readerIds, isChecked: true },
      studies: studies.map((study, at) => ({
        fileId: study.id,
        series,
        title: t('studyNumber', { number: at + 1 }),
      })),
      until: new Date(Date.now() + days * DAY_MS).toISOString(),
    })
  return (
    <Panel>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          if (isReady) send()
        }}
      >
        <div>
          <Button onClick={() => setIsPicking(true)}>{t('new.choose')}</Button>
          <p className={styles.soft}>
            {studies.length === 0
              ? t('new.none', { least: limits.leastStudies })
              : studies.map(({ name }) => name).join(', ')}
          </p>
        </div>
        <Checkbox checked={series} onChange={({ target }) => setSeries(target.checked)}>
          {t('new.series')}
        </Checkbox>
        <div>
          <label htmlFor={`${id}-question`}>{t('new.question')}</label>
          <Input.TextArea
            id={`${id}-question`}
            rows={2}
            maxLength={limits.questionLength}
            placeholder={t('new.questionExample')}
            value={question}
            onChange={({ target }) => setQuestion(target.value)}
          />
        </div>
        <div>
          <label htmlFor={`${id}-answers`}>{t('new.answers')}</label>
          <Select
            id={`${id}-answers`}
            className={styles.wide ?? ''}
            mode="tags"
            open={false}
            suffixIcon={null}
            maxCount={limits.answers}
            tokenSeparators={[';']}
            placeholder={t('new.answersExample')}
            value={answers}
            onChange={(next: string[]) =>
              setAnswers(
                [...new Set(next.map((one) => one.trim().slice(0, limits.answerLength)))].filter(Boolean),
              )
            }
          />
          <small>{t('new.answersText')}</small>
        </div>
        <div>
          <label htmlFor={`${id}-readers`}>{t('new.readers')}</label>
          <Select
            id={`${id}-readers`}
            className={styles.wide ?? ''}
            mode="multiple"
            maxCount={limits.readers}
            showSearch={{ optionFilterProp: 'label' }}
            value={readerIds}
            onChange={setReaderIds}
            options={people.map(({ id: value, nickName }) => ({ value, label: nickName }))}
          />
        </div>
        <div>
          <label htmlFor={`${id}-days`}>{t('new.days')}</label>
          <InputNumber
            id={`${id}-days`}
            min={1}
            max={limits.mostMs / DAY_MS}
            precision={0}
            value={days}
            onChange={(next) => setDays(next ?? USUAL_DAYS)}
          />
        </div>
        <Checkbox checked={hasOutline} onChange={({ target }) => setHasOutline(target.checked)}>
          {t('new.hasOutline')}
        </Checkbox>
        <Checkbox checked={isChecked} onChange={({ target }) => setIsChecked(target.checked)}>
          {t('new.isChecked')}
        </Checkbox>
        {ask.error && (
          <Alert
            type="error"
            showIcon
            title={<RefusalText error={ask.error} />}
            action={
              ask.error.name === 'shown_study_patient' ? (
                <Link to="/cloudHome">{t('new.toCloud')}</Link>
              ) : undefined
            }
          />
        )}
        <div>
          <Button type="primary" htmlType="submit" disabled={!isReady} loading={ask.isPending}>
            {t('new.ask')}
          </Button>
        </div>
        <p className={styles.soft}>{t('new.text')}</p>
      </form>
      <Picker
        open={isPicking}
        onPick={(picked) => {
          setStudies(picked.slice(0, limits.studies))
          setIsPicking(false)
        }}
        onClose={() => setIsPicking(false)}
      />
    </Panel>
  )
}

const DAY_MS = 24 * 3_600_000
const USUAL_DAYS = 7

/** Members of the chat but oneself. */
function useReaders(chatId: string, ownId: string) {
  const { data: messages } = useCall('social/messages', { chatId }, { quiet: true })
  const groupId = messages?.chat.groupId ?? null
  const other = messages?.chat.person ?? null
  const { data } = useCall(
    'social/groupMembers',
    { groupId: groupId ?? '' },
    { quiet: true, enabled: groupId !== null },
  )
  const people = other ? [other] : (data?.members ?? [])
  return people.filter(({ id, nickName }) => id !== ownId && nickName !== '')
}
