import { announcements as limits } from '@neuroloom/contract/limits'
import type { Announcement } from '@neuroloom/contract/office/operations'
import { Button, DatePicker, Input, Radio } from 'antd'
import dayjs, { type Dayjs } from 'dayjs'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDate } from '../../lib/format.ts'
import { useAction, useCall } from '../../lib/query.ts'
import { toast } from '../../lib/toast.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import list from '../../ui/list.module.css'
import { Loading } from '../../ui/loading.tsx'
import { StateMark } from '../../ui/state-mark.tsx'
import { DeedDialog } from './deed-dialog.tsx'
import styles from './office.module.css'

const languages = ['en', 'zh', 'ru'] as const
type Place = 'coming' | 'shown' | 'over'
const marks = { coming: 'waiting', shown: 'running', over: 'done' } as const satisfies Record<Place, string>

/** What everybody who is signed in sees above each page: maintenance, changes, a warning. */
export function Announcements() {
  const { t } = useTranslation('operations')
  const [isOpen, setIsOpen] = useState(false)
  const { data, error, refetch } = useCall('office/announcements', {}, { quiet: true })
  return (
    <>
      <div className={list.tools}>
        <Button type="primary" onClick={() => setIsOpen(true)}>
          {t('announcements.new')}
        </Button>
      </div>
      {!data && error && <ErrorState error={error} retry={() => void refetch()} />}
      {!data && !error && <Loading shape="cards" count={2} />}
      {data?.announcements.length === 0 && (
        <EmptyState title={t('announcements.none')} text={t('announcements.emptyText')} />
      )}
      <ul className={styles.cards} aria-label={t('announcements.title')}>
        {data?.announcements.map((one) => (
          <li key={one.id}>
            <AnnouncementCard announcement={one} />
          </li>
        ))}
      </ul>
      {isOpen && <NewAnnouncement onClose={() => setIsOpen(false)} />}
    </>
  )
}

function AnnouncementCard({ announcement }: { announcement: Announcement }) {
  const { t } = useTranslation('operations')
  const { id, kind, texts, startsAt, endsAt } = announcement
  const now = Date.now()
  const place: Place = Date.parse(endsAt) <= now ? 'over' : Date.parse(startsAt) > now ? 'coming' : 'shown'
  const end = useAction('office/endAnnouncement', {
    refresh: ['office/announcements', 'announcements/current'],
    onDone: () => toast.success(t('announcements.ended')),
  })
  return (
    <article className={styles.card}>
      <header className={styles.head}>
        <strong>{t(`announcements.kind.${kind}`)}</strong>
        <span className={styles.help}>
          {t('announcements.time', {
            from: formatDate(startsAt, 'minute'),
            to: formatDate(endsAt, 'minute'),
          })}
        </span>
        <span className={styles.spring} />
        <StateMark state={marks[place]} text={t(`announcements.place.${place}`)} />
      </header>
      {languages
        .filter((language) => texts[language] !== '')
        .map((language) => (
          <p key={language} lang={language}>
            {texts[language]}
          </p>
        ))}
      {place !== 'over' && (
        <div className={styles.actions}>
          <Button loading={end.isPending} onClick={() => end.mutate({ id })}>
            {t(place === 'coming' ? 'announcements.cancel' : 'announcements.end')}
          </Button>
        </div>
      )}
    </article>
  )
}

function NewAnnouncement({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('operations')
  const form = useId()
  const [kind, setKind] = useState<Announcement['kind']>('info')
  const [texts, setTexts] = useState({ en: '', zh: '', ru: '' })
  const [startsAt, setStartsAt] = useState<Dayjs | null>(() => dayjs())
  const [endsAt, setEndsAt] = useState<Dayjs | null>(() => dayjs().add(1, 'day'))
  const make = useAction('office/announce', {
    refresh: ['office/announcements', 'announcements/current'],
    quiet: true,
    onDone: () => toast.success(t('announcements.made')),
  })
  const isText = languages.some((language) => texts[language].trim() !== '')
  const isOrdered = startsAt !== null && endsAt?.isAfter(startsAt) === true
  const save = async () => {
    if (!startsAt || !endsAt) return
    await make.mutateAsync({ kind, texts, startsAt: startsAt.toISOString(), endsAt: endsAt.toISOString() })
  }
  return (
    <DeedDialog
      title={t('announcements.new')}
      text={t('announcements.text')}
      saveLabel={t('announcements.announce')}
      isDisabled={!isText || !isOrdered}
      error={make.error}
      onSave={save}
      onClose={onClose}
    >
      <Radio.Group
        aria-label={t('announcements.kindLabel')}
        value={kind}
        onChange={({ target }) => setKind(target.value)}
        options={[
          { value: 'info', label: t('announcements.kind.info') },
          { value: 'warning', label: t('announcements.kind.warning') },
        ]}
      />
      {languages.map((language) => (
        <div key={language}>
          <label htmlFor={`${form}-${language}`}>{t(`announcements.in.${language}`)}</label>
          <Input.TextArea
            id={`${form}-${language}`}
            lang={language}
            autoSize={{ minRows: 2, maxRows: 5 }}
            maxLength={limits.textLength}
            value={texts[language]}
            onChange={({ target }) => setTexts({ ...texts, [language]: target.value })}
          />
        </div>
      ))}
      <p className={styles.help}>{t('announcements.languages')}</p>
      <label htmlFor={`${form}-from`}>{t('announcements.from')}</label>
      <DatePicker
        id={`${form}-from`}
        showTime={{ format: 'HH:mm' }}
        value={startsAt}
        onChange={setStartsAt}
      />
      <label htmlFor={`${form}-to`}>{t('announcements.to')}</label>
      <DatePicker id={`${form}-to`} showTime={{ format: 'HH:mm' }} value={endsAt} onChange={setEndsAt} />
      {!isOrdered && <p className={styles.problem}>{t('announcements.order')}</p>}
    </DeedDialog>
  )
}
