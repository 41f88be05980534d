import { AimOutlined, PushpinOutlined } from '@ant-design/icons'
import type { LabelComment } from '@neuroloom/contract/labelling/people'
import { labelling as limits } from '@neuroloom/contract/limits'
import { Button, Checkbox, Input } from 'antd'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDate, formatNumber } from '../../../lib/format.ts'
import { useBench } from '../editor/use-bench.ts'
import styles from './talk.module.css'
import type { Talk } from './use-talk.ts'

/** What is said about the image and these marks: asked, answered, done with. */
export function TalkPart({ talk }: { talk: Talk }) {
  const { t } = useTranslation('label-people')
  const [isAll, setIsAll] = useState(false)
  const begun = talk.comments.filter(({ replyTo }) => replyTo === null)
  const shown = begun.filter(({ isResolved }) => isAll || !isResolved)
  const resolved = begun.length - begun.filter(({ isResolved }) => !isResolved).length
  return (
    <section className={styles.part}>
      <h2>{t('talk.title')}</h2>
      {begun.length === 0 && <p className={styles.none}>{t('talk.none')}</p>}
      <ul className={styles.threads}>
        {shown.map((one) => (
          <Thread key={one.id} one={one} talk={talk} />
        ))}
      </ul>
      {resolved > 0 && (
        <Checkbox checked={isAll} onChange={({ target }) => setIsAll(target.checked)}>
          {t('talk.showResolved', { count: resolved, shown: formatNumber(resolved) })}
        </Checkbox>
      )}
      <NewComment talk={talk} />
    </section>
  )
}

function Thread({ one, talk }: { one: LabelComment; talk: Talk }) {
  const { t } = useTranslation('label-people')
  const bench = useBench()
  const [isAnswering, setIsAnswering] = useState(false)
  const replies = talk.comments.filter(({ replyTo }) => replyTo === one.id)
  const { at, isResolved, readingId } = one
  const goTo = () => at && bench.goTo(at.axis, at.slice)
  return (
    <li data-resolved={isResolved}>
      <Words one={one} talk={talk} />
      {readingId === null && talk.set.blind && <small>{t('talk.toAll')}</small>}
      {replies.map((reply) => (
        <div key={reply.id} className={styles.reply}>
          <Words one={reply} talk={talk} />
        </div>
      ))}
      <span className={styles.acts}>
        {at && (
          <Button type="link" size="small" icon={<AimOutlined aria-hidden />} onClick={goTo}>
            {t('talk.goTo')}
          </Button>
        )}
        <Button type="link" size="small" onClick={() => setIsAnswering(!isAnswering)}>
          {t('talk.answer')}
        </Button>
        <Button type="link" size="small" onClick={() => talk.resolve(one.id, !isResolved)}>
          {t(isResolved ? 'talk.reopen' : 'talk.resolve')}
        </Button>
      </span>
      {isAnswering && (
        <Writing
          label={t('talk.answer')}
          isBusy={talk.isSaying}
          onSay={async (text) => {
            await talk.say(text, { readingId: null, replyTo: one.id })
            setIsAnswering(false)
          }}
        />
      )}
    </li>
  )
}

function Words({ one: { id, author, text, createdAt }, talk }: { one: LabelComment; talk: Talk }) {
  const { t } = useTranslation('label-people')
  const mayRemove = author === '' || talk.set.right === 'own'
  return (
    <>
      <span className={styles.head}>
        <strong>{author || t('you')}</strong>{' '}
        <time dateTime={createdAt}>{formatDate(createdAt, 'minute')}</time>
        {mayRemove && (
          <Button type="link" size="small" onClick={() => talk.remove(id)}>
            {t('talk.remove')}
          </Button>
        )}
      </span>
      <p>{text}</p>
    </>
  )
}

function NewComment({ talk }: { talk: Talk }) {
  const { t } = useTranslation('label-people')
  const { at, isPlacing, reading, set } = talk
  const [isToAll, setIsToAll] = useState(false)
  const isJudge = set.right !== 'read'
  return (
    <Writing
      label={t('talk.new')}
      isBusy={talk.isSaying}
      onSay={async (text) => {
        await talk.say(text, { readingId: isToAll ? null : reading.id, replyTo: null })
        talk.pin(null)
      }}
    >
      <Button
        size="small"
        icon={<PushpinOutlined aria-hidden />}
        aria-pressed={isPlacing || at !== null}
        onClick={() => (at ? talk.pin(null) : talk.place())}
      >
        {t(at ? 'talk.unpin' : isPlacing ? 'talk.placing' : 'talk.pin')}
      </Button>
      {isJudge && set.blind && (
        <Checkbox checked={isToAll} onChange={({ target }) => setIsToAll(target.checked)}>
          {t('talk.forAll')}
        </Checkbox>
      )}
    </Writing>
  )
}

type WritingProps = {
  label: string
  isBusy: boolean
  children?: React.ReactNode
  onSay: (text: string) => Promise<unknown>
}

/** Text that stays until it is said. */
function Writing({ label, isBusy, children, onSay }: WritingProps) {
  const { t } = useTranslation('label-people')
  const id = useId()
  const [text, setText] = useState('')
  const say = async () => {
    try {
      await onSay(text.trim())
      setText('')
    } catch {
      // The call has told why.
    }
  }
  return (
    <div className={styles.writing}>
      <label htmlFor={id}>{label}</label>
      <Input.TextArea
        id={id}
        autoSize={{ minRows: 2, maxRows: 6 }}
        maxLength={limits.commentLength}
        value={text}
        onChange={({ target }) => setText(target.value)}
        // The editor's keys are not meant.
        onKeyDown={(event) => event.stopPropagation()}
      />
      <span className={styles.acts}>
        {children}
        <Button
          size="small"
          type="primary"
          disabled={text.trim() === ''}
          loading={isBusy}
          onClick={() => void say()}
        >
          {t('talk.say')}
        </Button>
      </span>
    </div>
  )
}
